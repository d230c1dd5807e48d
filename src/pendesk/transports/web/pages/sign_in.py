"""GET and POST /sign-in, POST /sign-out.

The link only shows a button: mail scanners and chat previews fetch links, and must not use this one up. Who comes first
is asked for their name: the server knows them by their account on its machine at best.
"""

from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.errors import Refusal, RuleBroken
from pendesk.domain.limits import NAME_CHARS
from pendesk.operations.access import end_session, find_name_of_first_to_sign_in, start_session
from pendesk.operations.access.start_session import StartSession
from pendesk.transports.problems import http_status_of
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import SignInPrompt, ask_to_sign_in, sign_in_by_password
from pendesk.transports.web.parts.flash import set_flash
from pendesk.transports.web.parts.return_to import forget_return_path, return_path_from_cookie
from pendesk.transports.web.parts.safe_redirect import safe_redirect_path
from pendesk.transports.web.parts.session import (
    check_same_origin,
    session_cookie_name,
    session_secret_from_cookie,
    set_session_cookie,
    user_agent,
)
from pendesk.transports.web.parts.standalone_page import render_message_page, render_standalone_page

CODE_CHARS = 200
NAME_NEEDED = f"Enter your name, in one line of at most {NAME_CHARS} characters."
FORM_BYTES = 2_000
PATH = "/sign-in"


async def sign_in_page(request: Request) -> Response:
    return await (post_sign_in if request.method == "POST" else get_sign_in)(request)


async def get_sign_in(request: Request) -> Response:
    code = request.query_params.get("code", "")[:CODE_CHARS]
    return await _render_link_page(request, code) if code else ask_to_sign_in(request, _build_sign_in_prompt(request))


async def _render_link_page(request: Request, code: str, name: str = "", refusal: Refusal | None = None) -> Response:
    service: Service = request.app.state.service
    first = await service.dispatcher.call_by_secret(find_name_of_first_to_sign_in.OPERATION, code)
    return render_standalone_page(
        request,
        "sign_in_link.html",
        http_status_of(refusal) if refusal else 200,
        code=code,
        name=name[:NAME_CHARS] or first,
        asks_for_name=first is not None,
        problem=NAME_NEEDED if refusal else "",
        name_chars=NAME_CHARS,
    )


async def post_sign_in(request: Request) -> Response:
    service: Service = request.app.state.service
    check_same_origin(request)
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    if "password" in sent:
        return await sign_in_by_password(request, _build_sign_in_prompt(request))
    code = sent.get("code", [""])[0][:CODE_CHARS]
    name = sent.get("name", [""])[0]
    link = StartSession(code, user_agent(request), name)
    try:
        secret = await service.dispatcher.call_by_secret(start_session.OPERATION, link)
    except RuleBroken as refusal:
        return await _render_link_page(request, code, name, refusal)
    if secret is None:
        return _expired_link_page(request)
    response = RedirectResponse(return_path_from_cookie(request), 303)
    set_session_cookie(response, service.installation.public_url, secret)
    forget_return_path(request, response)
    return response


async def post_sign_out(request: Request) -> Response:
    """`then` is where somebody comes who signs in with another account."""
    service: Service = request.app.state.service
    check_same_origin(request)
    secret = session_secret_from_cookie(request)
    if secret:
        await service.dispatcher.call_by_secret(end_session.OPERATION, secret[:CODE_CHARS])
    response = RedirectResponse(_build_sign_in_prompt(request).action, 303)
    response.delete_cookie(
        session_cookie_name(service.installation.public_url),
        secure=service.installation.public_url.startswith("https://"),
    )
    set_flash(request, response, "You are signed out.")
    return response


def _build_sign_in_prompt(request: Request) -> SignInPrompt:
    then = safe_redirect_path(request.query_params.get("then", ""))
    return SignInPrompt(sign_in_url(then), then or "/")


def sign_in_url(return_to: str) -> str:
    return f"{PATH}?then={quote(return_to, safe='')}" if return_to else PATH


def _expired_link_page(request: Request) -> Response:
    reason = "It has already been used or has expired. Create a new one on the server:"
    link = ("Sign in another way", PATH)
    return render_message_page(
        request, "This link no longer works", reason, status=403, command="pendesk user link", link_text_and_path=link
    )
