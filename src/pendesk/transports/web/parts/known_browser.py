"""A browser in which an account was signed in before is told apart from strangers, by a cookie that we signed.

Tries for an account are few in a minute. If all were counted together, a stranger who keeps guessing would keep its
person out; so a known browser has a count of its own. It opens nothing: the password is still asked for.
"""

import secrets

from starlette.requests import Request
from starlette.responses import Response

from pendesk.clock import MICROSECONDS
from pendesk.domain.limits import KNOWN_BROWSER_US
from pendesk.domain.signature import is_valid_signature, sign
from pendesk.transports.service import Service
from pendesk.transports.web.parts.session import set_http_only_cookie

NAME = "pendesk_known"


def known_browser_id(request: Request, email: str) -> str | None:
    """The browser's own name, where it is known for this account."""
    service: Service = request.app.state.service
    name, _, signature = request.cookies.get(_cookie_name(service), "")[:200].partition(".")
    return (
        name
        if name and is_valid_signature(signature, service.installation.signing_key, "known browser", email, name)
        else None
    )


def remember_browser(request: Request, response: Response, email: str) -> None:
    service: Service = request.app.state.service
    name = known_browser_id(request, email) or secrets.token_hex(16)
    value = f"{name}.{sign(service.installation.signing_key, 'known browser', email, name)}"
    set_http_only_cookie(
        response, service.installation.public_url, _cookie_name(service), value, KNOWN_BROWSER_US // MICROSECONDS
    )


def _cookie_name(service: Service) -> str:
    return f"__Host-{NAME}" if service.installation.public_url.startswith("https://") else NAME
