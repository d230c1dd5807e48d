"""GET /: who you are here, and how to go on."""

from html import escape

from starlette.requests import Request
from starlette.responses import Response

from pendesk import __version__
from pendesk.store import people
from pendesk.transports.service import Service
from pendesk.transports.web.page import page
from pendesk.transports.web.session import signed_in
from pendesk.transports.web.sign_in import get_sign_in


async def get_home(request: Request) -> Response:
    service: Service = request.app.state.service
    actor = await signed_in(request)
    if actor is None:
        return await get_sign_in(request)
    workspace = await service.store.read(actor.workspace_id, people.workspace)
    facts = {
        "You": f"{actor.user_name} ({actor.role.word})",
        "Workspace": workspace.name if workspace else "",
        "Address": service.desk.public_url,
        "Version": __version__,
    }
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return page(
        "You are signed in",
        f"<dl>{told}</dl>"
        "<h2>Connect an agent</h2>"
        "<p>Make a token for it; it is shown once.</p>"
        "<pre>pendesk token create --name &quot;Claude Code&quot;</pre>"
        f"<p>Then point the agent at <code>{escape(service.desk.public_url)}/mcp</code>.</p>"
        "<h2>Add people</h2><pre>pendesk user add --email ada@example.com --name Ada</pre>"
        '<form method="post" action="/sign-out"><button class="plain" type="submit">Sign out</button></form>',
    )
