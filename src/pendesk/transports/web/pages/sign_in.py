"""GET and POST /sign-in, POST /sign-out.

The link only shows a button: mail scanners and chat previews fetch links, and must not use this one up.
"""

from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.operations.access import end_session, start_session
from pendesk.operations.access.start_session import StartSession
from pendesk.transports.service import Service
from pendesk.transports.web.pages.password import Asking, ask_to_sign_in, sign_in_here
from pendesk.transports.web.parts.flash import set_flash
from pendesk.transports.web.parts.return_to import forget_return_path, return_path
from pendesk.transports.web.parts.safe_redirect import local_path
from pendesk.transports.web.parts.session import browser_of, check_same_origin, cookie_name, session_secret, set_cookie
from pendesk.transports.web.parts.standalone_page import message_page, show_standalone

CODE_CHARS = 200
FORM_BYTES = 2_000
PATH = "/sign-in"


async def sign_in_page(request: Request) -> Response:
    return await (post_sign_in if request.method == "POST" else get_sign_in)(request)


async def get_sign_in(request: Request) -> Response:
    code = request.query_params.get("code", "")[:CODE_CHARS]
    return (
        show_standalone(request, "sign_in_link.html", code=code) if code else ask_to_sign_in(request, _asking(request))
    )


async def post_sign_in(request: Request) -> Response:
    service: Service = request.app.state.service
    check_same_origin(request)
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    if "password" in sent:
        return await sign_in_here(request, _asking(request))
    code = sent.get("code", [""])[0][:CODE_CHARS]
    link = StartSession(code, browser_of(request))
    secret = await service.dispatcher.call_by_secret(start_session.OPERATION, link)
    if secret is None:
        return _no_longer_works(request)
    response = RedirectResponse(return_path(request), 303)
    set_cookie(response, service.installation.public_url, secret)
    forget_return_path(request, response)
    return response


async def post_sign_out(request: Request) -> Response:
    """`then` is where somebody comes who signs in with another account."""
    service: Service = request.app.state.service
    check_same_origin(request)
    secret = session_secret(request)
    if secret:
        await service.dispatcher.call_by_secret(end_session.OPERATION, secret[:CODE_CHARS])
    response = RedirectResponse(_asking(request).action, 303)
    response.delete_cookie(
        cookie_name(service.installation.public_url), secure=service.installation.public_url.startswith("https://")
    )
    set_flash(request, response, "You are signed out.")
    return response


def _asking(request: Request) -> Asking:
    then = local_path(request.query_params.get("then", ""))
    return Asking(sign_in_address(then), then or "/")


def sign_in_address(return_to: str) -> str:
    return f"{PATH}?then={quote(return_to, safe='')}" if return_to else PATH


def _no_longer_works(request: Request) -> Response:
    reason = "It was used or has expired. Create a new one on the server:"
    link = ("Sign in another way", PATH)
    return message_page(
        request, "This link no longer works", reason, status=403, command="pendesk user link", link=link
    )
