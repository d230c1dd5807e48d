"""GET /p/{key}/messages: what people told the agents of a project, and a word to all of them."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    page = await view.call("list_messages", project_id=project.pid, cursor=view.query_param("cursor"))
    return {"project": project, "page": page}


PAGE = Page("/p/{key}/messages", "project_messages.html", load)
