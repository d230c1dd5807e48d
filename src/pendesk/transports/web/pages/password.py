"""Signing in with a password, on the page where it is needed: afterwards the same address is opened again."""

from typing import NamedTuple
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain import limits
from pendesk.domain.errors import TooManyRequests
from pendesk.operations.access import start_password_session
from pendesk.operations.access.start_password_session import StartPasswordSession
from pendesk.transports.anonymous_limits import throttle_by_account, throttle_by_address, throttles_of
from pendesk.transports.oidc.pages import oidc_sign_in_link
from pendesk.transports.service import Service
from pendesk.transports.web.parts.flash import clear_flash, read_flash
from pendesk.transports.web.parts.known_browser import known_browser_id, remember_browser
from pendesk.transports.web.parts.return_to import forget_return_path, remember_return_path
from pendesk.transports.web.parts.safe_redirect import current_path_and_query, safe_redirect_path
from pendesk.transports.web.parts.session import set_session_cookie, user_agent
from pendesk.transports.web.parts.standalone_page import render_standalone_page

WRONG = "Incorrect email or password. Try again, or use a one-time link."
FIELD_CHARS = 1_000
FORM_BYTES = 8_000


class SignInPrompt(NamedTuple):
    """Why somebody is asked to sign in. `action` takes the form, `then` is where it goes on: both addresses of ours."""

    action: str
    then: str
    purpose: str = ""


def sign_in_prompt_for_current_page(request: Request, purpose: str) -> SignInPrompt:
    """The same page again: its path is a route of ours and its query is what came, so this leads nowhere else."""
    return SignInPrompt(current_path_and_query(request), current_path_and_query(request), purpose)


def ask_to_sign_in(request: Request, prompt: SignInPrompt) -> Response:
    response = _render_sign_in_page(request, prompt)
    if safe_redirect_path(prompt.then) not in ("", "/"):
        remember_return_path(request, response, prompt.then)
    clear_flash(request, response)
    return response


async def sign_in_by_password(request: Request, prompt: SignInPrompt) -> Response:
    email, password = await _read_email_and_password(request)
    try:
        secret = await start_session_and_return_secret(request, email, password)
    except TooManyRequests as refusal:
        response = _render_sign_in_page(request, prompt, refusal.message, email, 429)
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
        return response
    if secret is None:
        return _render_sign_in_page(request, prompt, WRONG, email, 403)
    response = RedirectResponse(prompt.then, 303)
    service: Service = request.app.state.service
    set_session_cookie(response, service.installation.public_url, secret)
    remember_browser(request, response, email)
    forget_return_path(request, response)
    return response


def _render_sign_in_page(
    request: Request, prompt: SignInPrompt, problem: str = "", email: str = "", status: int = 200
) -> Response:
    """Tried in vain: the address stays, and the password is typed anew."""
    oidc = oidc_sign_in_link(request, prompt.then)
    context = {"asking": prompt, "oidc": oidc, "flash": read_flash(request), "problem": problem, "email": email}
    return render_standalone_page(request, "sign_in.html", status, **context)


async def start_session_and_return_secret(request: Request, email: str, password: str) -> str | None:
    """The new session's secret, or None where the two do not fit."""
    service: Service = request.app.state.service
    throttles = throttles_of(request)
    known = known_browser_id(request, email)
    if known is None:
        await throttle_by_address(request, throttles.sign_ins_by_address, "passwords")
    await throttle_by_account(throttles.passwords_by_account, "password", known or email)
    sign_in = StartPasswordSession(email, password, user_agent(request))
    return await service.dispatcher.call_by_secret(start_password_session.OPERATION, sign_in)


async def _read_email_and_password(request: Request) -> tuple[str, str]:
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    email, password = (sent.get(name, [""])[0][:FIELD_CHARS] for name in ("email", "password"))
    return email.strip().lower()[: limits.EMAIL_CHARS], password
