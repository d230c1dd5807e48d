"""GET /offline: the page that browsers keep for when the server is away. See static/away."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.security_headers import SCRIPTED
from pendesk.transports.web.parts.standalone_page import show_alone


async def get_offline(request: Request) -> Response:
    """The one page outside of the shell with a script: there is nothing secret on it, and it has to try again."""
    response = show_alone(request, "offline.html")
    response.headers.update(SCRIPTED)
    return response
