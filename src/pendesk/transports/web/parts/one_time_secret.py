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
from pendesk.transports.web.pages.form_post import read_form, respond_refused
from pendesk.transports.web.parts.form_fields import read_fields
from pendesk.transports.web.parts.view import create_view, load_shell, render_page


class OneTimeSecret(NamedTuple):
    path: str
    operation: str
    template: str


FORMS = [
    OneTimeSecret("/settings/mcp/token", "create_token", "settings/token_created.html"),
    OneTimeSecret("/settings/members/invite", "invite_member", "settings/invite_created.html"),
    OneTimeSecret("/settings/members/link", "create_sign_in_link", "settings/link_created.html"),
    OneTimeSecret("/settings/share", "create_share", "settings/share_created.html"),
    OneTimeSecret("/settings/integrations/webhook", "create_webhook", "settings/webhook_created.html"),
    OneTimeSecret("/settings/integrations/github", "set_github_webhook", "settings/github_created.html"),
]


def one_time_secret_routes() -> list[Route]:
    return [Route(form.path, _post(form), methods=["POST"]) for form in FORMS]


def _post(form: OneTimeSecret) -> Callable[[Request], Awaitable[Response]]:
    async def post(request: Request) -> Response:
        view = await create_view(request)  # reads the cookie, and so refuses what another site's page sends
        service: Service = request.app.state.service
        operation = service.dispatcher.operations[form.operation]
        try:
            fields = read_fields(operation.input, await read_form(request))
            created = await service.dispatcher.call(view.actor, operation.name, fields)
        except Refusal as refusal:
            return respond_refused(request, refusal)
        await load_shell(view)
        response = await render_page(view, form.template, {"created": created, "mcp_url": f"{view.public_url}/mcp"})
        response.headers["Cache-Control"] = "no-store"
        return response

    return post
