"""What is shown once: a new token, an invite, a link, a webhook's secret. A form creates it; the answer is the page.

Not by `/do`, whose answers a page never sees. Nothing is stored, so a reload cannot show it again.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pendesk.domain.errors import Refusal
from pendesk.transports.service import Service
from pendesk.transports.web.pages.form_post import form_refusal_response, read_form
from pendesk.transports.web.parts.form_fields import form_fields_to_arguments
from pendesk.transports.web.parts.view import create_view, load_app_shell, render_page


class OneTimeSecretForm(NamedTuple):
    path: str
    operation: str
    template: str


FORMS = [
    OneTimeSecretForm("/settings/mcp/token", "create_token", "settings/token_created.html"),
    OneTimeSecretForm("/settings/members/invite", "invite_member", "settings/invite_created.html"),
    OneTimeSecretForm("/settings/members/link", "create_sign_in_link", "settings/link_created.html"),
    OneTimeSecretForm("/settings/share", "create_share", "settings/share_created.html"),
    OneTimeSecretForm("/settings/integrations/webhook", "create_webhook", "settings/webhook_created.html"),
    OneTimeSecretForm("/settings/integrations/github", "set_github_webhook", "settings/github_created.html"),
]


def one_time_secret_routes() -> list[Route]:
    return [Route(form.path, _create_post_endpoint(form), methods=["POST"]) for form in FORMS]


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
        await load_app_shell(view)
        response = await render_page(view, form.template, {"created": created, "mcp_url": f"{view.public_url}/mcp"})
        response.headers["Cache-Control"] = "no-store"
        return response

    return post
