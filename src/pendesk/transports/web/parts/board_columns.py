"""Which columns of a board are folded to a strip: as the reader left them in this browser, by a cookie that the page's
script writes; else those that are empty, and those whose work has not begun or was given up.
"""

from typing import Any

from starlette.requests import Request

COOKIE = "pendesk_columns"
COOKIE_CHARS = 200
_FOLDED_AT_FIRST = {"backlog", "scope", "wont_do"}


def folded_states(request: Request, columns: list[Any]) -> list[str]:
    """Never all of them: To do stays open where the reader has folded nothing."""
    choices = _read_choices(request)
    folded = [column.state for column in columns if _is_folded(column, choices.get(column.state, ""))]
    if len(folded) == len(columns) and "todo" not in choices:
        folded.remove("todo")
    return folded


def _is_folded(column: Any, choice: str) -> bool:
    if choice in ("open", "folded"):
        return choice == "folded"
    return column.state in _FOLDED_AT_FIRST or not column.count


def _read_choices(request: Request) -> dict[str, str]:
    """Written as backlog:open|done:folded."""
    pairs = request.cookies.get(COOKIE, "")[:COOKIE_CHARS].split("|")
    return {state: choice for state, _, choice in (pair.partition(":") for pair in pairs)}
