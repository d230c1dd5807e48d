"""Signing in with a password, on the page where it is needed: afterwards the same address is opened again."""

from typing import NamedTuple
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain import limits
from pendesk.domain.errors import TooManyRequests
from pendesk.operations.access import start_password_session
from pendesk.operations.access.start_password_session import StartPasswordSession
from pendesk.transports.anonymous_limits import admit_for, admit_from, throttles_of
from pendesk.transports.oidc.pages import oidc_way
from pendesk.transports.service import Service
from pendesk.transports.web.parts.flash import clear_flash, read_flash
from pendesk.transports.web.parts.known_browser import known_as, remember
from pendesk.transports.web.parts.return_to import forget_return_path, remember_return_path
from pendesk.transports.web.parts.safe_redirect import current_path, local_path
from pendesk.transports.web.parts.session import browser_of, set_cookie
from pendesk.transports.web.parts.standalone_page import show_standalone

WRONG = "The email address or the password is wrong. Try again, or use a one-time link."
FIELD_CHARS = 1_000
FORM_BYTES = 8_000


class Asking(NamedTuple):
    """Why somebody is asked to sign in. `action` takes the form, `then` is where it goes on: both addresses of ours."""

    action: str
    then: str
    purpose: str = ""


def asking_here(request: Request, purpose: str) -> Asking:
    """The same page again: its path is a route of ours and its query is what came, so this leads nowhere else."""
    return Asking(current_path(request), current_path(request), purpose)


def ask_to_sign_in(request: Request, asking: Asking) -> Response:
    response = _page(request, asking)
    if local_path(asking.then) not in ("", "/"):
        remember_return_path(request, response, asking.then)
    clear_flash(request, response)
    return response


async def sign_in_here(request: Request, asking: Asking) -> Response:
    email, password = await _sent(request)
    try:
        secret = await take_password(request, email, password)
    except TooManyRequests as refusal:
        response = _page(request, asking, refusal.message, email, 429)
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
        return response
    if secret is None:
        return _page(request, asking, WRONG, email, 403)
    response = RedirectResponse(asking.then, 303)
    service: Service = request.app.state.service
    set_cookie(response, service.installation.public_url, secret)
    remember(request, response, email)
    forget_return_path(request, response)
    return response


def _page(request: Request, asking: Asking, problem: str = "", email: str = "", status: int = 200) -> Response:
    """Tried in vain: the address stays, and the password is typed anew."""
    oidc = oidc_way(request, asking.then)
    context = {"asking": asking, "oidc": oidc, "flash": read_flash(request), "problem": problem, "email": email}
    return show_standalone(request, "sign_in.html", status, **context)


async def take_password(request: Request, email: str, password: str) -> str | None:
    """The new session's secret, or None where the two do not fit."""
    service: Service = request.app.state.service
    throttles = throttles_of(request)
    known = known_as(request, email)
    if known is None:
        await admit_from(request, throttles.sign_ins_by_address, "passwords")
    await admit_for(throttles.passwords_by_account, "password", known or email)
    sign_in = StartPasswordSession(email, password, browser_of(request))
    return await service.dispatcher.call_by_secret(start_password_session.OPERATION, sign_in)


async def _sent(request: Request) -> tuple[str, str]:
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    email, password = (sent.get(name, [""])[0][:FIELD_CHARS] for name in ("email", "password"))
    return email.strip().lower()[: limits.EMAIL_CHARS], password
