"""The pages of the authorization server. All that a client told of itself is escaped, and named as its own words."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.access import Actor, Scope
from pendesk.domain.oauth import SCOPE_WORDS
from pendesk.domain.redirect import Loopback, read_loopback
from pendesk.operations.oauth.consent import Asked
from pendesk.transports.security_headers import DEFAULTS
from pendesk.transports.web.parts.safe_redirect import here
from pendesk.transports.web.parts.standalone_page import show_alone

CSP = "Content-Security-Policy"


def consent_page(
    request: Request, asked: Asked, actor: Actor, places: list[tuple[str, str]], ticket: str, code: str
) -> Response:
    """`code` is the one that was typed, where a device asks."""
    back = _back(asked)
    told: dict[str, Any] = {
        "action": "/oauth/authorize" if back else "/device",
        "client": asked.client_name,
        "person": actor.user_name,
        "places": places,
        "back": back.origin.removeprefix("http://") if back else "",
        "scopes": [SCOPE_WORDS[Scope(word)] for word in asked.scopes.split()],
        "ticket": ticket,
        "code": code,
        "here": here(request),
    }
    response = show_alone(request, "consent.html", **told)
    if back is not None:
        response.headers[CSP] = _csp_back_to(back)
    return response


def _back(asked: Asked) -> Loopback | None:
    return read_loopback(asked.redirect_uri) if asked.redirect_uri is not None else None


def _csp_back_to(back: Loopback) -> str:
    """Browsers hold `form-action` against the redirect that follows the form, too."""
    # The policy has no way to write an IPv6 address; the page has two forms, and we wrote them.
    origin = "http:" if back.host.startswith("[") else back.origin
    return DEFAULTS[CSP].replace("form-action 'self'", f"form-action 'self' {origin}")


def code_page(request: Request, typed: str, problem: str = "") -> Response:
    return show_alone(request, "device_code.html", 403 if problem else 200, typed=typed, problem=problem)
