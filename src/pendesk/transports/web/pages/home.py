"""GET /: what needs you, and how to begin where nothing is there yet."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    inbox = await view.call(
        "get_inbox", kind=view.query("kind"), project_id=view.query("project"), cursor=view.query("cursor")
    )
    return {"inbox": inbox, "steps": await view.call("get_first_steps")}


PAGE = Page("/", "home.html", load)
