"""GET /p/{key}/settings: a project's own texts, its share links, its export, and how it ends."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    shares = await view.call("list_shares", project_id=project.pid)
    watch = await view.call("list_watchers", object_id=project.pid)
    return {"project": project, "shares": shares.shares, "watch": watch}


PAGE = Page("/p/{key}/settings", "project_settings.html", load)
