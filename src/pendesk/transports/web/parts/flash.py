"""A message for the next page, for forms that were sent without JavaScript: one signed cookie, shown once."""

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.signature import is_valid_signature, sign
from pendesk.transports.service import Service
from pendesk.transports.web.parts.session import set_http_only_cookie

COOKIE = "pendesk_flash"
SECONDS = 60
CHARS = 500


def set_flash(request: Request, response: Response, text: str) -> None:
    service: Service = request.app.state.service
    text = text[:CHARS]
    value = f"{sign(service.installation.signing_key, 'flash', text)}.{quote(text, safe='')}"
    set_http_only_cookie(response, service.installation.public_url, COOKIE, value, SECONDS)


def read_flash(request: Request) -> str:
    """Signed, so that another site on the same host cannot put text into our pages."""
    service: Service = request.app.state.service
    signature, _, text = request.cookies.get(COOKIE, "")[: 4 * CHARS].partition(".")
    text = unquote(text)
    return text if text and is_valid_signature(signature, service.installation.signing_key, "flash", text) else ""


def clear_flash(request: Request, response: Response) -> None:
    if COOKIE in request.cookies:
        response.delete_cookie(COOKIE)
