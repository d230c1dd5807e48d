"""GET /: what needs you, and how to begin where nothing is there yet."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    overview = view.shell or await view.call("get_overview")
    return {"overview": overview, "public_url": view.public_url}


PAGE = Page("/", "home.html", load)
