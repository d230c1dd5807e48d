"""The pages of the authorization server. All that a client says of itself is escaped, and named as its own words."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.access import Actor
from pendesk.domain.oauth import consent_choices
from pendesk.domain.redirect import LoopbackUri, parse_loopback_uri
from pendesk.operations.oauth.open_consent import ConsentRequest, OpenedConsent
from pendesk.transports.security_headers import DEFAULTS
from pendesk.transports.web.parts.safe_redirect import current_path_and_query
from pendesk.transports.web.parts.standalone_page import render_standalone_page

CSP = "Content-Security-Policy"


def render_consent_page(
    request: Request, consent_request: ConsentRequest, actor: Actor, opened: OpenedConsent, user_code: str
) -> Response:
    """`user_code` is the one that was typed, where a device waits."""
    back = _parse_loopback_redirect_uri(consent_request)
    context: dict[str, Any] = {
        "action": "/oauth/authorize" if back else "/device",
        "client": consent_request.client_name,
        "person": actor.user_name,
        "places": opened.workspaces,
        "back": back.origin.removeprefix("http://") if back else "",
        "choices": consent_choices(consent_request.scopes),
        "ticket": opened.ticket,
        "code": user_code,
        "here": current_path_and_query(request),
    }
    response = render_standalone_page(request, "consent.html", **context)
    if back is not None:
        response.headers[CSP] = _csp_allowing_form_redirect_to(back)
    return response


def _parse_loopback_redirect_uri(consent_request: ConsentRequest) -> LoopbackUri | None:
    return parse_loopback_uri(consent_request.redirect_uri) if consent_request.redirect_uri is not None else None


def _csp_allowing_form_redirect_to(loopback: LoopbackUri) -> str:
    """Browsers hold `form-action` against the redirect that follows the form, too."""
    # The policy has no way to write an IPv6 address; the page has two forms, and we wrote them.
    origin = "http:" if loopback.host.startswith("[") else loopback.origin
    return DEFAULTS[CSP].replace("form-action 'self'", f"form-action 'self' {origin}")


def render_device_code_page(request: Request, typed_code: str, problem: str = "") -> Response:
    return render_standalone_page(
        request, "device_code.html", 403 if problem else 200, typed=typed_code, problem=problem
    )
