"""The session cookie: how it is named, set and read, and which forms of ours may be sent."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Actor
from pendesk.domain.errors import Forbidden
from pendesk.domain.limits import SESSION_US
from pendesk.operations.access import find_session
from pendesk.transports.service import Service

SAFE_METHODS = ("GET", "HEAD")


def session_cookie_name(public_url: str) -> str:
    """On https the browser itself warrants the prefix: set by this very host, for all its paths, over TLS."""
    return "__Host-pendesk_session" if public_url.startswith("https://") else "pendesk_session"


def set_session_cookie(response: Response, public_url: str, secret: str) -> None:
    set_http_only_cookie(response, public_url, session_cookie_name(public_url), secret, SESSION_US // MICROSECONDS)


def set_http_only_cookie(response: Response, public_url: str, name: str, value: str, max_age_s: int) -> None:
    """Every cookie of ours: out of reach of scripts, not sent along by other sites' forms, on https only over TLS."""
    secure = public_url.startswith("https://")
    response.set_cookie(name, value, max_age=max_age_s, secure=secure, httponly=True, samesite="lax")


def user_agent(request: Request) -> str:
    """What the browser calls itself: for its person to tell their sessions apart, and for nothing else."""
    return request.headers.get("user-agent", "")


def session_secret_from_cookie(request: Request) -> str | None:
    """What the cookie holds. The one place that reads it, so nothing is ever changed by it for another site's page."""
    if request.method not in SAFE_METHODS:
        check_same_origin(request)
    service: Service = request.app.state.service
    return request.cookies.get(session_cookie_name(service.installation.public_url))


async def session_actor(request: Request) -> Actor | None:
    service: Service = request.app.state.service
    secret = session_secret_from_cookie(request)
    return await service.dispatcher.call_by_secret(find_session.OPERATION, secret[:200]) if secret else None


def check_same_origin(request: Request) -> None:
    """A form of ours is sent by a page of ours. Browsers say so themselves; programs send neither header."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    by_origin = origin is None or origin in _own_origins(request)
    if not (by_origin if site is None else site in ("same-origin", "none")):
        raise Forbidden("This form was sent by another site. Open the page here and send it again.", code="cross_site")


def _own_origins(request: Request) -> tuple[str, ...]:
    """The public URL. A server without TLS is also known by the name that it was called by."""
    service: Service = request.app.state.service
    own = service.installation.public_url
    return (own,) if own.startswith("https://") else (own, f"http://{request.headers.get('host')}")
