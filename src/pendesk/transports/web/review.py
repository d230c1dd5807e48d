"""GET /a/{ref}/review: what was handed in, criterion by criterion, and the verdict on it."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    return {"review": await view.call("get_review", action_id=view.named("ref"))}


PAGE = Page("/a/{ref}/review", "review.html", load)
