"""GET /p/{key}: the board of a project."""

from typing import Any, NamedTuple

from pendesk.domain.limits import BOARD_CARDS
from pendesk.domain.saved_view import ViewPage
from pendesk.transports.web.parts.board_columns import folded_states
from pendesk.transports.web.parts.card_filters import card_filters_from_query
from pendesk.transports.web.parts.saved_views import load_saved_views
from pendesk.transports.web.parts.view import Page, View


class Lane(NamedTuple):
    """The cards of a column that stand together. Without a key: all of them, where they are not grouped."""

    key: str | None
    name: str
    cards: list[Any]


async def load(view: View) -> dict[str, Any]:
    return await load_board(view, view.path_param("key"))


async def load_board(view: View, project_key: str) -> dict[str, Any]:
    """Where the reader has the board already, only the cards that have changed since are in `changed`."""
    shown = {
        "project_id": project_key,
        **card_filters_from_query(view),
        "group": view.query_param("group"),
        "shown": view.query_param("shown"),
    }
    board, changed = None, None
    if view.known is not None:
        board = await view.call("get_board_changes", **shown, after=view.known.seq, read_at=view.known.read_at)
        changed = {card.pid: card for card in board.changed}
    if board is None or board.columns is None:
        board, changed = await view.call("get_board", **shown), None
    path = f"/p/{board.project.key}"
    folded = folded_states(view.request, board.columns)
    return {
        "board": board,
        "folded": folded,
        "lanes": _lanes_by_state([column for column in board.columns if column.state not in folded], board.groups),
        **({"changed": changed} if changed is not None else {}),
        **({"assignables": await load_assignables(view)} if view.is_full_page else {}),
        **await load_saved_views(view, board.project.key, ViewPage.BOARD),
        "board_address": view.build_url_keeping_query(path),
        "board_more": _show_more_url_by_state(view, path, board.columns),
    }


def _lanes_by_state(columns: list[Any], groups: list[Any] | None) -> dict[str, list[Lane]]:
    """Every column has the same lanes in the same order, so that they stand in rows."""
    if groups is None:
        return {column.state: [Lane(None, "", column.cards)] for column in columns}
    shown = {card.pid for column in columns for card in column.cards}
    cards_by_group = [(group, set(group.cards)) for group in groups if not shown.isdisjoint(group.cards)]
    return {
        column.state: [
            Lane(group.key, group.name, [card for card in column.cards if card.pid in pids])
            for group, pids in cards_by_group
        ]
        for column in columns
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
