"""GET /api/v1/sync: how a server of this kind says what it is, before another one sends it any secret."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk import __version__
from pendesk.domain.mirror import FORMAT
from pendesk.transports.problems import json_response


async def get_version_and_mirror_formats(_request: Request) -> Response:
    return json_response({"server": "pendesk", "version": __version__, "pictureFormats": [FORMAT]})
