"""The session cookie: how it is named, set and read, and which forms of ours may be sent."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Actor
from pendesk.domain.errors import Forbidden
from pendesk.domain.limits import SESSION_US
from pendesk.operations.access.start_session import find_session
from pendesk.transports.service import Service


def cookie_name(public_url: str) -> str:
    """On https the browser itself warrants the prefix: set by this very host, for all its paths, over TLS."""
    return "__Host-pendesk_session" if public_url.startswith("https://") else "pendesk_session"


def set_cookie(response: Response, public_url: str, secret: str) -> None:
    response.set_cookie(
        cookie_name(public_url),
        secret,
        max_age=SESSION_US // MICROSECONDS,
        secure=public_url.startswith("https://"),
        httponly=True,
        samesite="lax",
    )


def session_secret(request: Request) -> str | None:
    service: Service = request.app.state.service
    return request.cookies.get(cookie_name(service.desk.public_url))


async def signed_in(request: Request) -> Actor | None:
    service: Service = request.app.state.service
    secret = session_secret(request)
    return await find_session(service.store, secret[:200]) if secret else None


def check_same_origin(request: Request) -> None:
    """A form of ours is sent by a page of ours. Browsers say so themselves; programs send neither header."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        good = site in ("same-origin", "none")
    else:
        good = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    if not good:
        raise Forbidden("This form was sent by another site. Open the page here and send it again.", code="cross_site")
