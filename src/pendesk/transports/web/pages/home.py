"""GET /: what needs you, and how to begin where nothing is there yet."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    inbox = await view.call(
        "get_inbox",
        kind=view.query_param("kind"),
        project_id=view.query_param("project"),
        cursor=view.query_param("cursor"),
    )
    return {"inbox": inbox, "steps": await view.call("get_first_steps")}


PAGE = Page("/", "home.html", load)
