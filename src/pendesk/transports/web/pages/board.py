"""GET /p/{key}: the board of a project."""

from typing import Any

from pendesk.domain.limits import BOARD_CARDS
from pendesk.transports.web.parts.card_filters import card_filters_from_query
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    return await load_board(view, view.path_param("key"))


async def load_board(view: View, project_key: str) -> dict[str, Any]:
    """Where the reader has the board already, only the cards that have changed since are in `changed`."""
    shown = {"project_id": project_key, **card_filters_from_query(view), "shown": view.query_param("shown")}
    board, changed = None, None
    if view.known is not None:
        board = await view.call("get_board_changes", **shown, after=view.known.seq, read_at=view.known.read_at)
        changed = {card.pid: card for card in board.changed}
    if board is None or board.columns is None:
        board, changed = await view.call("get_board", **shown), None
    path = f"/p/{board.project.key}"
    return {
        "board": board,
        **({"changed": changed} if changed is not None else {}),
        **({"assignables": await load_assignables(view)} if view.is_full_page else {}),
        "board_address": view.build_url_keeping_query(path),
        "board_more": _show_more_url_by_state(view, path, board.columns),
    }


async def load_assignables(view: View) -> list[tuple[str, str]]:
    """(value, text) for a choice; who cannot write has none."""
    if not view.has_role("member"):
        return []
    rows = (await view.call("list_assignees")).assignees
    return [("", "Nobody")] + [(row.pid, f"{row.name} ({row.owner})" if row.owner else row.name) for row in rows]


def _show_more_url_by_state(view: View, path: str, columns: list[Any]) -> dict[str, str]:
    """Where a column shows its next cards as well; what the others show stays."""
    shown = {column.state: len(column.cards) for column in columns if len(column.cards) > BOARD_CARDS}
    return {
        column.state: view.build_url_keeping_query(
            path, shown=_encode_shown_counts_for_query(shown | {column.state: len(column.cards) + BOARD_CARDS})
        )
        for column in columns
        if column.more
    }


def _encode_shown_counts_for_query(shown_count_by_state: dict[str, int]) -> str:
    return ",".join(f"{state}:{number}" for state, number in shown_count_by_state.items())


PAGE = Page("/p/{key}", "board.html", load, follows_log=True)
