"""GET /projects: what this workspace works on."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    found = await view.call("list_projects", cursor=view.asked("cursor"))
    return {"projects": found.projects, "next_cursor": found.next_cursor}


PAGE = Page("/projects", "projects.html", load)
