"""GET and POST /invite: someone who was invited joins the workspace.

The link only shows a form: mail scanners and chat previews fetch links, and must not use this one up.
"""

from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.errors import Refusal, RuleBroken, TooManyRequests
from pendesk.domain.limits import NAME_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS
from pendesk.operations.access import accept_invite_as_known_user, accept_invite_as_new_user, find_invite
from pendesk.operations.access.accept_invite_as_known_user import AcceptInviteAsKnownUser
from pendesk.operations.access.accept_invite_as_new_user import AcceptInviteAsNewUser
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.problems import http_status_of
from pendesk.transports.service import Service
from pendesk.transports.web.pages.sign_in import NAME_NEEDED, sign_in_url
from pendesk.transports.web.parts.session import check_same_origin, session_actor, set_session_cookie, user_agent
from pendesk.transports.web.parts.standalone_page import render_message_page, render_standalone_page

PATH = "/invite"
CODE_CHARS = 200
FORM_BYTES = 8_000
LIMITS = {"name": NAME_CHARS, "password_min": PASSWORD_MIN_CHARS, "password_max": PASSWORD_MAX_CHARS}
# What a field takes, where it was given something else.
WORDS = {
    "name": NAME_NEEDED,
    "password": f"Use {PASSWORD_MIN_CHARS} to {PASSWORD_MAX_CHARS} characters.",
}


async def invite_page(request: Request) -> Response:
    return await (_accept_invite if request.method == "POST" else _show_invite_form)(request)


async def _show_invite_form(request: Request) -> Response:
    return await _render_invite_page(request, request.query_params.get("code", "")[:CODE_CHARS])


async def _accept_invite(request: Request) -> Response:
    check_same_origin(request)
    service: Service = request.app.state.service
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    code, name, password = (sent.get(field, [""])[0] for field in ("code", "name", "password"))
    code = code[:CODE_CHARS]
    actor = await session_actor(request)
    try:
        await throttle_by_address(request, throttles_of(request).sign_ins_by_address, "invites")
        if actor is not None:
            invite = AcceptInviteAsKnownUser(code, actor.user_id)
            joined = await service.dispatcher.call_by_secret(accept_invite_as_known_user.OPERATION, invite)
            return _render_joined_page(request) if joined else _invalid_invite_page(request)
        new_user = AcceptInviteAsNewUser(code, name, password, user_agent(request))
        secret = await service.dispatcher.call_by_secret(accept_invite_as_new_user.OPERATION, new_user)
    except (RuleBroken, TooManyRequests) as refusal:
        return await _render_invite_page(request, code, name, refusal)
    if secret is None:
        return _invalid_invite_page(request)
    response = RedirectResponse("/", 303)
    set_session_cookie(response, service.installation.public_url, secret)
    return response


async def _render_invite_page(request: Request, code: str, name: str = "", refusal: Refusal | None = None) -> Response:
    service: Service = request.app.state.service
    waiting = await service.dispatcher.call_by_secret(find_invite.OPERATION, code) if code else None
    if waiting is None:
        return _invalid_invite_page(request)
    context = {
        "found": waiting,
        "actor": await session_actor(request),
        "code": code,
        "name": name[:NAME_CHARS],
        "problems": _problem_by_field(refusal) if refusal else {},
        "limits": LIMITS,
        "sign_in": sign_in_url(f"{PATH}?code={quote(code, safe='')}"),
    }
    return render_standalone_page(request, "invite.html", http_status_of(refusal) if refusal else 200, **context)


def _problem_by_field(refusal: Refusal) -> dict[str, str]:
    """What is wrong, by the field that it is shown at; "" is the form as a whole."""
    faults = refusal.details.get("faults") or [{"field": refusal.details.get("field", "")}]
    return {fault["field"]: WORDS.get(fault["field"], refusal.message_for_person) for fault in faults}


def _render_joined_page(request: Request) -> Response:
    return render_message_page(
        request, "You joined the workspace", "Welcome.", tone="good", link_text_and_path=("Go to inbox", "/")
    )


def _invalid_invite_page(request: Request) -> Response:
    reason = "It has been used or revoked, or it has expired. Ask the person who sent it for a new one."
    return render_message_page(
        request, "This invite no longer works", reason, status=403, link_text_and_path=("Go to inbox", "/")
    )
