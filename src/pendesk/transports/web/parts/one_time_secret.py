"""What is shown once: a new token, an invite, a link, a webhook's secret. A form creates it; the next page shows it.

Not by `/do`, whose answers a page never sees. Between the form and its page the answer is in an encrypted cookie of
that sign-in, for a minute: nothing is stored here, any process can show it, and a reload neither creates nor shows it.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pendesk.domain.errors import Refusal
from pendesk.domain.token import hash_secret
from pendesk.operations.operation import Output, encode_json
from pendesk.secret_box import CannotDecrypt, decrypt, encrypt
from pendesk.transports.service import Service
from pendesk.transports.web.pages.form_post import form_refusal_response, read_form
from pendesk.transports.web.parts.form_fields import form_fields_to_arguments
from pendesk.transports.web.parts.session import session_secret_from_cookie, set_http_only_cookie
from pendesk.transports.web.parts.view import create_view, load_app_shell, render_page

COOKIE = "pendesk_created"
SECONDS = 60
PURPOSE = "one-time secret"


class OneTimeSecretForm(NamedTuple):
    """`page` is the page with the form."""

    path: str
    operation: str
    template: str
    page: str


FORMS = [
    OneTimeSecretForm("/settings/mcp/token", "create_token", "settings/token_created.html", "/settings/mcp"),
    OneTimeSecretForm("/settings/members/invite", "invite_member", "settings/invite_created.html", "/settings/members"),
    OneTimeSecretForm(
        "/settings/members/link", "create_sign_in_link", "settings/link_created.html", "/settings/members"
    ),
    OneTimeSecretForm("/settings/share", "create_share", "settings/share_created.html", "/projects"),
    OneTimeSecretForm(
        "/settings/integrations/webhook",
        "create_webhook",
        "settings/webhook_created.html",
        "/settings/integrations",
    ),
    OneTimeSecretForm(
        "/settings/integrations/github",
        "set_github_webhook",
        "settings/github_created.html",
        "/settings/integrations",
    ),
]


def one_time_secret_routes() -> list[Route]:
    return [
        route
        for form in FORMS
        for route in (
            Route(form.path, _create_post_endpoint(form), methods=["POST"]),
            Route(form.path, _create_get_endpoint(form), methods=["GET"]),
        )
    ]


def _create_post_endpoint(form: OneTimeSecretForm) -> Callable[[Request], Awaitable[Response]]:
    async def post(request: Request) -> Response:
        view = await create_view(request)  # reads the cookie, and so refuses what another site's page sends
        service: Service = request.app.state.service
        operation = service.dispatcher.operations[form.operation]
        try:
            fields = form_fields_to_arguments(operation.input, await read_form(request))
            created = await service.dispatcher.call(view.actor, operation.name, fields)
        except Refusal as refusal:
            return form_refusal_response(request, refusal)
        response = RedirectResponse(form.path, 303)
        value = encrypt(*_key_and_owner(request, form), encode_json(created).decode())
        set_http_only_cookie(response, service.installation.public_url, COOKIE, value, SECONDS)
        return response

    return post


def _create_get_endpoint(form: OneTimeSecretForm) -> Callable[[Request], Awaitable[Response]]:
    async def get(request: Request) -> Response:
        view = await create_view(request)
        created = _read_created(request, form)
        if created is None:
            return RedirectResponse(form.page, 303)
        await load_app_shell(view)
        response = await render_page(view, form.template, {"created": created, "mcp_url": f"{view.public_url}/mcp"})
        response.headers["Cache-Control"] = "no-store"
        response.delete_cookie(COOKIE)
        return response

    return get


def _read_created(request: Request, form: OneTimeSecretForm) -> Output | None:
    service: Service = request.app.state.service
    try:
        text = decrypt(*_key_and_owner(request, form), request.cookies.get(COOKIE, ""))
    except CannotDecrypt:
        return None
    created: Output = msgspec.json.decode(text, type=service.dispatcher.operations[form.operation].output)
    return created


def _key_and_owner(request: Request, form: OneTimeSecretForm) -> tuple[bytes, str, str]:
    """Of this sign-in and this form: with another one the cookie is worth nothing."""
    service: Service = request.app.state.service
    session_hash = hash_secret(session_secret_from_cookie(request) or "")
    return service.installation.signing_key, PURPOSE, f"{session_hash} {form.path}"
