"""GET /settings/integrations: the GitHub webhook of each project, and where events are sent to."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    if not view.has_role("member"):
        return {"integrations": None}
    return {"integrations": await view.call("get_integrations", cursor=view.query_param("cursor"))}


PAGE = Page("/settings/integrations", "settings/integrations.html", load)
