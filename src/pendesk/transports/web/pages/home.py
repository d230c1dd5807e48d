"""GET /: what needs you, and how to begin where nothing is there yet."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    inbox = await view.call(
        "get_inbox", kind=view.asked("kind"), project_id=view.asked("project"), cursor=view.asked("cursor")
    )
    return {"inbox": inbox, "steps": await view.call("get_first_steps")}


PAGE = Page("/", "home.html", load)
