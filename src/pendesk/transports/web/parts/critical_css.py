"""The style sheet within the first page that a browser gets: that page is painted without a second round trip.

A cookie says which style sheet the browser has; by the next page it has loaded it on its own.
"""

import base64
import hashlib

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.security_headers import SCRIPTED
from pendesk.transports.web.parts.assets import ASSETS
from pendesk.transports.web.parts.session import set_http_only_cookie

COOKIE = "pendesk_style"
SECONDS = 365 * 24 * 3600
_SHEET = ASSETS["pendesk.css"]
_VERSION = _SHEET.url_path.split(".")[-2]
_HASH = base64.b64encode(hashlib.sha256(_SHEET.content).digest()).decode()
_POLICY = "Content-Security-Policy"
# Only this style sheet is allowed, by its hash; any other inline style is still refused.
POLICY = {_POLICY: SCRIPTED[_POLICY].replace("style-src 'self'", f"style-src 'self' 'sha256-{_HASH}'")}


def inline_css_if_not_cached(request: Request) -> Markup:
    """Blank where the browser has it already."""
    has_it = request.cookies.get(COOKIE) == _VERSION
    return Markup("" if has_it else _SHEET.content.decode())  # noqa: S704


def set_stylesheet_cached_cookie(response: Response, public_url: str) -> None:
    set_http_only_cookie(response, public_url, COOKIE, _VERSION, SECONDS)
