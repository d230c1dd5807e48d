"""GET /sign-in/oidc and its callback: away to the provider, and back with who somebody is.

What belongs together is bound to the browser by one cookie, from which state, nonce and verifier are made with the
server's key: nothing is kept here, and nothing of it can be made by anyone else.
"""

import base64
import hashlib
import hmac
import logging
import secrets
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Role
from pendesk.domain.errors import Forbidden, TooManyRequests
from pendesk.domain.oidc import OidcError
from pendesk.domain.signature import sign
from pendesk.operations.access import start_oidc_session
from pendesk.operations.access.start_oidc_session import JoinPolicy, StartOidcSession
from pendesk.operations.housekeeping import get_time
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.oidc.provider import Provider
from pendesk.transports.problems import http_error_response
from pendesk.transports.service import Service
from pendesk.transports.web.parts.return_to import forget_return_path
from pendesk.transports.web.parts.safe_redirect import safe_redirect_path
from pendesk.transports.web.parts.session import set_http_only_cookie, set_session_cookie, user_agent
from pendesk.transports.web.parts.standalone_page import render_message_page

log = logging.getLogger("pendesk.oidc")

START, CALLBACK = "/sign-in/oidc", "/sign-in/oidc/callback"
COOKIE = "pendesk_oidc"
FLOW_S = 600
CODE_CHARS = 4_000


class OidcLink(NamedTuple):
    """A way to the provider, for pages that ask to sign in."""

    host: str
    address: str


def oidc_sign_in_link(request: Request, return_to: str = "/") -> OidcLink | None:
    """None where the settings name no provider."""
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return None
    return OidcLink(urlsplit(provider.issuer).hostname or provider.issuer, f"{START}?then={quote(return_to, safe='')}")


async def redirect_to_oidc_provider(request: Request) -> Response:
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return http_error_response(404)
    service: Service = request.app.state.service
    secret = secrets.token_hex(32)
    try:
        await throttle_by_address(request, throttles_of(request).sign_ins_by_address, "oidc")
        verifier = _derive_state_nonce_or_verifier(service, "oidc verifier", secret)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state, nonce = (
            _derive_state_nonce_or_verifier(service, "oidc state", secret),
            _derive_state_nonce_or_verifier(service, "oidc nonce", secret),
        )
        address = await provider.authorization_url(_redirect_uri(service), state, nonce, challenge)
    except (OidcError, TooManyRequests) as problem:
        return _sign_in_failed_page(request, problem)
    response = RedirectResponse(address, 303)
    return_to = quote(_safe_return_path(request, request.query_params.get("then", "")), safe="")
    set_http_only_cookie(
        response, service.installation.public_url, _flow_cookie_name(service), f"{secret}.{return_to}", FLOW_S
    )
    return response


async def get_oidc_callback(request: Request) -> Response:
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return http_error_response(404)
    service: Service = request.app.state.service
    secret, _, return_to = request.cookies.get(_flow_cookie_name(service), "").partition(".")
    try:
        session = await _start_session_and_return_secret(request, service, provider, secret)
    except (OidcError, Forbidden, TooManyRequests) as problem:
        response: Response = _sign_in_failed_page(request, problem)
    else:
        response = RedirectResponse(_safe_return_path(request, unquote(return_to)), 303)
        set_session_cookie(response, service.installation.public_url, session)
        forget_return_path(request, response)
    response.delete_cookie(_flow_cookie_name(service), secure=service.installation.public_url.startswith("https://"))
    return response


async def _start_session_and_return_secret(
    request: Request, service: Service, provider: Provider, flow_secret: str
) -> str:
    query = request.query_params
    state = query.get("state", "")
    if not flow_secret or not hmac.compare_digest(
        state.encode(), _derive_state_nonce_or_verifier(service, "oidc state", flow_secret).encode()
    ):
        raise OidcError("the answer is for another browser or another sign-in")
    if query.get("iss", provider.issuer) != provider.issuer:
        raise OidcError("the answer is from another provider")
    if "error" in query or not 0 < len(query.get("code", "")) <= CODE_CHARS:
        raise OidcError("the provider said no")
    await throttle_by_address(request, throttles_of(request).sign_ins_by_address, "oidc")
    now = await service.dispatcher.call_as_server(get_time.OPERATION, None)
    identity = await provider.exchange_code_for_identity(
        query["code"],
        _derive_state_nonce_or_verifier(service, "oidc verifier", flow_secret),
        _redirect_uri(service),
        _derive_state_nonce_or_verifier(service, "oidc nonce", flow_secret),
        now // MICROSECONDS,
    )
    try:
        sign_in = StartOidcSession(identity, _join_policy(service), user_agent(request))
        return await service.dispatcher.call_by_secret(start_oidc_session.OPERATION, sign_in)
    except Forbidden:
        if identity.no_email:
            log.warning("a sign-in at the provider led to no account: %s", identity.no_email)
        raise


def _join_policy(service: Service) -> JoinPolicy:
    settings = service.settings
    return JoinPolicy(frozenset(settings.oidc_allowed_domains.split()), Role.from_label(settings.oidc_role))


def _sign_in_failed_page(request: Request, problem: Exception) -> Response:
    if isinstance(problem, OidcError):
        log.warning("a sign-in at the provider failed: %s", problem)
        message, status = "The provider did not confirm who you are. Try again; the server's log says more.", 403
    else:
        assert isinstance(problem, Forbidden | TooManyRequests)
        message, status = problem.message, 429 if isinstance(problem, TooManyRequests) else 403
    return render_message_page(
        request, "You are not signed in", message, status=status, link_text_and_path=("Back to sign in", "/sign-in")
    )


def _safe_return_path(request: Request, return_to: str) -> str:
    """Only to an address at which a page of ours answers."""
    path = safe_redirect_path(return_to)
    scope = {"type": "http", "method": "GET", "path": path.partition("?")[0]}
    has_page = any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    return path if path and has_page else "/"


def _derive_state_nonce_or_verifier(service: Service, purpose: str, flow_secret: str) -> str:
    return sign(service.installation.signing_key, purpose, flow_secret)


def _redirect_uri(service: Service) -> str:
    return f"{service.installation.public_url}{CALLBACK}"


def _flow_cookie_name(service: Service) -> str:
    return f"__Host-{COOKIE}" if service.installation.public_url.startswith("https://") else COOKIE
