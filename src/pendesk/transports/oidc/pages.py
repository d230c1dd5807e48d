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
from pendesk.domain.oidc import NotBelieved
from pendesk.domain.signature import sign
from pendesk.operations.access import start_oidc_session
from pendesk.operations.access.start_oidc_session import Joining, StartOidcSession
from pendesk.operations.housekeeping import get_time
from pendesk.transports.anonymous_limits import admit_from, throttles_of
from pendesk.transports.oidc.provider import Provider
from pendesk.transports.problems import plain_response
from pendesk.transports.service import Service
from pendesk.transports.web.parts.return_to import forget_return_path
from pendesk.transports.web.parts.safe_redirect import local_path
from pendesk.transports.web.parts.session import browser_of, put_cookie, set_cookie
from pendesk.transports.web.parts.standalone_page import message_page

log = logging.getLogger("pendesk.oidc")

START, CALLBACK = "/sign-in/oidc", "/sign-in/oidc/callback"
COOKIE = "pendesk_oidc"
FLOW_S = 600
CODE_CHARS = 4_000


class Way(NamedTuple):
    """A way to the provider, for pages that ask to sign in."""

    host: str
    address: str


def oidc_way(request: Request, return_to: str = "/") -> Way | None:
    """None where the settings name no provider."""
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return None
    return Way(urlsplit(provider.issuer).hostname or provider.issuer, f"{START}?then={quote(return_to, safe='')}")


async def get_oidc(request: Request) -> Response:
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return plain_response(404)
    service: Service = request.app.state.service
    secret = secrets.token_hex(32)
    try:
        await admit_from(request, throttles_of(request).sign_ins_by_address, "oidc")
        verifier = _derive(service, "oidc verifier", secret)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state, nonce = _derive(service, "oidc state", secret), _derive(service, "oidc nonce", secret)
        address = await provider.address_to_sign_in(_redirect_uri(service), state, nonce, challenge)
    except (NotBelieved, TooManyRequests) as problem:
        return _failed(request, problem)
    response = RedirectResponse(address, 303)
    return_to = quote(_back_to(request, request.query_params.get("then", "")), safe="")
    put_cookie(response, service.installation.public_url, _cookie(service), f"{secret}.{return_to}", FLOW_S)
    return response


async def get_oidc_callback(request: Request) -> Response:
    provider: Provider | None = request.app.state.oidc
    if provider is None:
        return plain_response(404)
    service: Service = request.app.state.service
    secret, _, return_to = request.cookies.get(_cookie(service), "").partition(".")
    try:
        session = await _identified(request, service, provider, secret)
    except (NotBelieved, Forbidden, TooManyRequests) as problem:
        response: Response = _failed(request, problem)
    else:
        response = RedirectResponse(_back_to(request, unquote(return_to)), 303)
        set_cookie(response, service.installation.public_url, session)
        forget_return_path(request, response)
    response.delete_cookie(_cookie(service), secure=service.installation.public_url.startswith("https://"))
    return response


async def _identified(request: Request, service: Service, provider: Provider, secret: str) -> str:
    query = request.query_params
    state = query.get("state", "")
    if not secret or not hmac.compare_digest(state.encode(), _derive(service, "oidc state", secret).encode()):
        raise NotBelieved("the answer is for another browser or another sign-in")
    if query.get("iss", provider.issuer) != provider.issuer:
        raise NotBelieved("the answer is from another provider")
    if "error" in query or not 0 < len(query.get("code", "")) <= CODE_CHARS:
        raise NotBelieved("the provider said no")
    await admit_from(request, throttles_of(request).sign_ins_by_address, "oidc")
    now = await service.dispatcher.call_as_server(get_time.OPERATION, None)
    identity = await provider.identify(
        query["code"],
        _derive(service, "oidc verifier", secret),
        _redirect_uri(service),
        _derive(service, "oidc nonce", secret),
        now // MICROSECONDS,
    )
    try:
        sign_in = StartOidcSession(identity, _joining(service), browser_of(request))
        return await service.dispatcher.call_by_secret(start_oidc_session.OPERATION, sign_in)
    except Forbidden:
        if identity.no_email:
            log.warning("a sign-in at the provider led to no account: %s", identity.no_email)
        raise


def _joining(service: Service) -> Joining:
    settings = service.settings
    return Joining(frozenset(settings.oidc_allowed_domains.split()), Role.from_word(settings.oidc_role))


def _failed(request: Request, problem: Exception) -> Response:
    if isinstance(problem, NotBelieved):
        log.warning("a sign-in at the provider failed: %s", problem)
        message, status = "The provider did not confirm who you are. Try again; the server's log says more.", 403
    else:
        assert isinstance(problem, Forbidden | TooManyRequests)
        message, status = problem.message, 429 if isinstance(problem, TooManyRequests) else 403
    return message_page(request, "You are not signed in", message, status=status, link=("Back to sign in", "/sign-in"))


def _back_to(request: Request, return_to: str) -> str:
    """Only to an address at which a page of ours answers."""
    path = local_path(return_to)
    scope = {"type": "http", "method": "GET", "path": path.partition("?")[0]}
    has_page = any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)
    return path if path and has_page else "/"


def _derive(service: Service, purpose: str, secret: str) -> str:
    return sign(service.installation.signing_key, purpose, secret)


def _redirect_uri(service: Service) -> str:
    return f"{service.installation.public_url}{CALLBACK}"


def _cookie(service: Service) -> str:
    return f"__Host-{COOKIE}" if service.installation.public_url.startswith("https://") else COOKIE
