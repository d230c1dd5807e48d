"""GET /sidebar: the navigation alone, which keeps itself up to date."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    return {"overview": view.shell or await view.call("get_overview"), "at": view.query_param("at") or "/"}


PAGE = Page("/sidebar", "sidebar.html", load, follows_log=True)
