"""GET /offline: the page that browsers keep for when the server cannot be reached. See static/offline."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.security_headers import SCRIPTED
from pendesk.transports.web.parts.standalone_page import render_standalone_page


async def get_offline_page(request: Request) -> Response:
    """The one page outside of the shell with a script: there is nothing secret on it, and it has to try again."""
    response = render_standalone_page(request, "offline.html")
    response.headers.update(SCRIPTED)
    return response
