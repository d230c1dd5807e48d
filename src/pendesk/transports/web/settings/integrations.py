"""GET /settings/integrations: the GitHub webhook of each project."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    projects = (await view.call("list_projects")).projects
    hooks = [(project, await view.call("get_github_webhook", project_id=project.pid)) for project in projects]
    return {"hooks": [{"project": project, "hook": hook} for project, hook in hooks]}


PAGE = Page("/settings/integrations", "settings/integrations.html", load)
