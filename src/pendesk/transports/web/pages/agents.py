"""GET /agents: who is at work, with what, and what it cost."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    return {"at_work": await view.call("list_agents")}


PAGE = Page("/agents", "agents.html", load)
