"""GET and POST /invite: someone who was invited joins the workspace.

The link only shows a form: mail scanners and chat previews fetch links, and must not use this one up.
"""

from html import escape
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.access import Actor
from pendesk.domain.errors import RuleBroken, TooManyRequests
from pendesk.domain.limits import NAME_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS
from pendesk.operations.access.accept_invite import find_invite, join_as_known, join_as_new
from pendesk.store.invites import Waiting
from pendesk.transports.service import Service
from pendesk.transports.unknown_callers import admit_from, throttles_of
from pendesk.transports.web.page import page
from pendesk.transports.web.session import browser_of, check_same_origin, set_cookie, signed_in

CODE_CHARS = 200
FORM_BYTES = 8_000


async def invite_page(request: Request) -> Response:
    return await (_post if request.method == "POST" else _get)(request)


async def _get(request: Request) -> Response:
    return await _show(request, request.query_params.get("code", "")[:CODE_CHARS])


async def _post(request: Request) -> Response:
    check_same_origin(request)
    service: Service = request.app.state.service
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    code, name, password = (sent.get(field, [""])[0] for field in ("code", "name", "password"))
    code = code[:CODE_CHARS]
    actor = await signed_in(request)
    try:
        await admit_from(request, throttles_of(request).passwords_by_address, "invites")
        if actor is not None:
            joined = await join_as_known(service.store, service.desk, code, actor.user_id)
            return _joined() if joined else _no_longer_good()
        told = {"name": name, "password": password}
        secret = await join_as_new(service.store, service.desk, code, told, browser_of(request))
    except (RuleBroken, TooManyRequests) as refusal:
        status = 429 if isinstance(refusal, TooManyRequests) else 422
        return await _show(request, code, refusal.message, status)
    if secret is None:
        return _no_longer_good()
    response = RedirectResponse("/", 303)
    set_cookie(response, service.desk.public_url, secret)
    return response


async def _show(request: Request, code: str, problem: str = "", status: int = 200) -> Response:
    service: Service = request.app.state.service
    found = await find_invite(service.store, code) if code else None
    if found is None:
        return _no_longer_good()
    told = f'<p class="problem">{escape(problem)}</p>' if problem else ""
    actor = await signed_in(request)
    return page(
        f"Join {found.workspace_name}",
        f"{told}<p>You are invited as <strong>{escape(found.invite.email)}</strong>, with the role "
        f"{escape(found.invite.role)}. The invite works once.</p>"
        f'<form method="post" action="/invite"><input type="hidden" name="code" value="{escape(code)}">'
        f"{_fields(actor, found)}"
        '<button type="submit">Join</button></form>'
        f"{'' if actor else _known(code)}",
        status,
    )


def _fields(actor: Actor | None, found: Waiting) -> str:
    if actor is not None:
        return f"<p>You are signed in as {escape(actor.user_name)}.</p>"
    return (
        f'<input type="hidden" name="username" autocomplete="username" value="{escape(found.invite.email)}">'
        f'<label>Your name <input name="name" autocomplete="name" maxlength="{NAME_CHARS}" required></label>'
        f"<label>A password, {PASSWORD_MIN_CHARS} characters or more "
        '<input name="password" type="password" autocomplete="new-password" '
        f'minlength="{PASSWORD_MIN_CHARS}" maxlength="{PASSWORD_MAX_CHARS}" required></label>'
    )


def _known(code: str) -> str:
    return (
        '<p class="quiet">You have an account here already? <a href="/sign-in">Sign in</a> first, then open '
        f'<a href="/invite?code={quote(code, safe="")}">this invite</a> again.</p>'
    )


def _joined() -> Response:
    return page("You are a member now", '<p><a href="/">Go on</a></p>')


def _no_longer_good() -> Response:
    return page("This invite no longer works", "<p>It was used, taken back, or is too old. Ask for a new one.</p>", 403)
