"""GET /p/{key}: the board of a project."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    return {"board": await board_of(view, view.named("key")), "board_address": view.here}


async def board_of(view: View, key: str) -> Any:
    return await view.call(
        "get_board",
        project_id=key,
        query=view.asked("q"),
        area=view.asked("area"),
        holder=view.asked("holder"),
        spec_id=view.asked("spec"),
        mark=view.asked("mark"),
        order=view.asked("order"),
    )


PAGE = Page("/p/{key}", "board.html", load)
