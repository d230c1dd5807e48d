"""GET /settings/integrations: the GitHub webhook of each project, and where events are sent to."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    if not view.may("member"):
        return {"hooks": [], "outgoing": []}
    projects = (await view.call("list_projects")).projects
    hooks = [(project, await view.call("get_github_webhook", project_id=project.pid)) for project in projects]
    outgoing = (await view.call("list_webhooks")).webhooks if view.may("admin") else []
    sent = [
        {
            "webhook": each,
            "deliveries": (await view.call("list_webhook_deliveries", webhook_id=each.webhook_id)).deliveries,
        }
        for each in outgoing
    ]
    return {"hooks": [{"project": project, "hook": hook} for project, hook in hooks], "outgoing": sent}


PAGE = Page("/settings/integrations", "settings/integrations.html", load)
