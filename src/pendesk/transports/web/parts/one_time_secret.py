"""What is shown once: a new token, an invite, a link, a webhook's secret. A form makes it, and its answer is the page.

Not by `/do`, whose answers a page never sees. Nothing is kept, so loading the page again cannot show it again.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pendesk.domain.errors import Refusal
from pendesk.transports.service import Service
from pendesk.transports.web.pages.form_post import refused, sent
from pendesk.transports.web.parts.form_fields import read_fields
from pendesk.transports.web.parts.view import furnish, show, view_of


class ShownOnce(NamedTuple):
    path: str
    operation: str
    template: str


FORMS = [
    ShownOnce("/settings/mcp/token", "create_token", "settings/token_made.html"),
    ShownOnce("/settings/members/invite", "invite_member", "settings/invite_made.html"),
    ShownOnce("/settings/members/link", "create_sign_in_link", "settings/link_made.html"),
    ShownOnce("/settings/share", "create_share", "settings/share_made.html"),
    ShownOnce("/settings/integrations/webhook", "create_webhook", "settings/webhook_made.html"),
    ShownOnce("/settings/integrations/github", "set_github_webhook", "settings/github_made.html"),
]


def shown_once_routes() -> list[Route]:
    return [Route(form.path, _post(form), methods=["POST"]) for form in FORMS]


def _post(form: ShownOnce) -> Callable[[Request], Awaitable[Response]]:
    async def post(request: Request) -> Response:
        view = await view_of(request)  # reads the cookie, and so refuses what another site's page sends
        service: Service = request.app.state.service
        operation = service.dispatcher.operations[form.operation]
        try:
            fields = read_fields(operation.input, await sent(request))
            made = await service.dispatcher.call(view.actor, operation.name, fields)
        except Refusal as refusal:
            return refused(request, refusal)
        await furnish(view)
        response = await show(view, form.template, {"made": made, "mcp_url": f"{view.public_url}/mcp"})
        response.headers["Cache-Control"] = "no-store"
        return response

    return post
