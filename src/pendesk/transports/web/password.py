"""Signing in with a password, on the page where it is needed: afterwards the same address is opened again."""

from html import escape
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain import limits
from pendesk.domain.errors import TooManyRequests
from pendesk.operations.access.password_session import start_password_session
from pendesk.transports.oidc.pages import oidc_link
from pendesk.transports.service import Service
from pendesk.transports.unknown_callers import admit_for, admit_from, throttles_of
from pendesk.transports.web.known_browser import known_as, remember
from pendesk.transports.web.page import page
from pendesk.transports.web.session import browser_of, set_cookie

WRONG = "The email address or the password is wrong. Try again, or use a one-time link."
LINK = (
    "<p>No password yet? You sign in with a one-time link as well. Make one on the server, open it in this browser, "
    "then load this page again:</p><pre>pendesk user link</pre>"
)
FIELD_CHARS = 1_000
FORM_BYTES = 8_000


def password_form(action: str) -> str:
    """`action` is an address of ours."""
    return (
        f'<form method="post" action="{escape(action)}">'
        '<label>Email <input name="email" type="text" inputmode="email" autocomplete="username" required></label>'
        '<label>Password <input name="password" type="password" autocomplete="current-password" required></label>'
        '<button type="submit">Sign in</button></form>'
    )


def sign_in_page_for(request: Request, path: str, problem: str = "", status: int = 200) -> Response:
    told = f'<p class="problem">{escape(problem)}</p>' if problem else ""
    here = _same(request, path)
    return page("Sign in to Pendesk", f"{told}{password_form(here)}{oidc_link(request, here)}{LINK}", status)


async def sign_in_here(request: Request, path: str, then: str | None = None) -> Response:
    """Take email and password; then the same page again, now with a session. `path` and `then` are routes of ours."""
    try:
        secret = await take_password(request)
    except TooManyRequests as refusal:
        response = sign_in_page_for(request, path, refusal.message, 429)
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
        return response
    if secret is None:
        return sign_in_page_for(request, path, WRONG, 403)
    response = RedirectResponse(then or _same(request, path), 303)
    service: Service = request.app.state.service
    set_cookie(response, service.desk.public_url, secret)
    remember(request, response, (await _sent(request))[0])
    return response


async def take_password(request: Request) -> str | None:
    """The new session's secret, or None where the two do not fit."""
    service: Service = request.app.state.service
    email, password = await _sent(request)
    throttles = throttles_of(request)
    known = known_as(request, email)
    if known is None:
        await admit_from(request, throttles.passwords_by_address, "passwords")
    await admit_for(throttles.passwords_by_account, "password", known or email)
    return await start_password_session(service.store, service.desk, email, password, browser_of(request))


async def _sent(request: Request) -> tuple[str, str]:
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    email, password = (sent.get(name, [""])[0][:FIELD_CHARS] for name in ("email", "password"))
    return email.strip().lower()[: limits.EMAIL_CHARS], password


def _same(request: Request, path: str) -> str:
    """The path is ours and the query is what came, so this leads nowhere else."""
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path
