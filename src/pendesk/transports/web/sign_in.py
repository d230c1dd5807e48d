"""GET and POST /sign-in, POST /sign-out.

The link only shows a button: mail scanners and chat previews fetch links, and must not use this one up.
"""

from html import escape
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.operations.access.start_session import end_session, start_session
from pendesk.transports.oidc.pages import oidc_link
from pendesk.transports.service import Service
from pendesk.transports.web.own_path import own_path
from pendesk.transports.web.page import page
from pendesk.transports.web.password import password_form, sign_in_here
from pendesk.transports.web.session import browser_of, check_same_origin, cookie_name, session_secret, set_cookie

CODE_CHARS = 200
FORM_BYTES = 2_000
NEW_LINK = "<p>Make a new one on the server:</p><pre>pendesk user link</pre>"


async def sign_in_page(request: Request) -> Response:
    return await (post_sign_in if request.method == "POST" else get_sign_in)(request)


async def get_sign_in(request: Request) -> Response:
    code = request.query_params.get("code", "")[:CODE_CHARS]
    if not code:
        then = own_path(request.query_params.get("then", ""))
        address = f"/sign-in?then={quote(then, safe='')}" if then else "/sign-in"
        ways = f"{password_form(address)}{oidc_link(request)}<p>Or use a one-time link.</p>"
        return page("Sign in", f"{ways}{NEW_LINK}")
    return page(
        "Sign in",
        "<p>This link signs you in once.</p>"
        f'<form method="post" action="/sign-in"><input type="hidden" name="code" value="{escape(code)}">'
        '<button type="submit">Sign in to Pendesk</button></form>',
    )


async def post_sign_in(request: Request) -> Response:
    service: Service = request.app.state.service
    check_same_origin(request)
    sent = parse_qs((await request.body())[:FORM_BYTES].decode("ascii", "replace"))
    if "password" in sent:
        return await sign_in_here(request, "/sign-in", own_path(request.query_params.get("then", "")) or "/")
    code = sent.get("code", [""])[0][:CODE_CHARS]
    secret = await start_session(service.store, service.desk, code, browser_of(request))
    if secret is None:
        return page("This link no longer works", f"<p>It was used before, or it is too old.</p>{NEW_LINK}", 403)
    response = RedirectResponse("/", 303)
    set_cookie(response, service.desk.public_url, secret)
    return response


async def post_sign_out(request: Request) -> Response:
    service: Service = request.app.state.service
    check_same_origin(request)
    secret = session_secret(request)
    if secret:
        await end_session(service.store, secret[:CODE_CHARS])
    response = RedirectResponse("/", 303)
    response.delete_cookie(cookie_name(service.desk.public_url), secure=service.desk.public_url.startswith("https://"))
    return response
