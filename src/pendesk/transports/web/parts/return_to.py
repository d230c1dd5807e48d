"""The page that a person opened before they had to sign in.

A one-time link is opened from a terminal or a mail, so it cannot say where to; the browser remembers it for a while.
"""

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.service import Service
from pendesk.transports.web.parts.safe_redirect import safe_redirect_path
from pendesk.transports.web.parts.session import set_http_only_cookie

COOKIE = "pendesk_then"
SECONDS = 600


def remember_return_path(request: Request, response: Response, path: str) -> None:
    service: Service = request.app.state.service
    set_http_only_cookie(response, service.installation.public_url, COOKIE, quote(path, safe=""), SECONDS)


def return_path_from_cookie(request: Request) -> str:
    """An address of ours. Whatever the cookie says, nobody is led elsewhere."""
    return safe_redirect_path(unquote(request.cookies.get(COOKIE, ""))) or "/"


def forget_return_path(request: Request, response: Response) -> None:
    if COOKIE in request.cookies:
        response.delete_cookie(COOKIE)
