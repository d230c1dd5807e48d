"""Which columns are folded: by what a board holds, and by what its reader has chosen."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from pendesk.domain.action import ActionState
from pendesk.transports.web.parts.board_columns import folded_states


@dataclass
class Column:
    state: ActionState
    count: int


def folded(cookie: str = "", **counts: int) -> set[str]:
    columns: list[Any] = [Column(state, counts.get(state, 0)) for state in ActionState]
    scope = {"type": "http", "headers": [(b"cookie", f"pendesk_columns={cookie}".encode())] if cookie else []}
    return set(folded_states(Request(scope), columns))


def test_what_is_empty_has_not_begun_or_was_given_up_is_folded():
    assert folded(backlog=3, scope=1, todo=2, in_progress=1, done=4, wont_do=5) == {
        "backlog",
        "scope",
        "in_review",
        "changes_requested",
        "wont_do",
    }


def test_what_the_reader_chose_stays_whatever_the_column_holds():
    choices = "backlog:open|in_review:open|done:folded"
    assert folded(choices, todo=1, done=4) == {"scope", "in_progress", "changes_requested", "done", "wont_do"}


def test_a_board_without_any_action_shows_where_the_first_will_stand():
    assert "todo" not in folded()
    assert "todo" not in folded(backlog=2)
    assert "todo" in folded("todo:folded", backlog=2)


def test_a_cookie_that_nobody_wrote_chooses_nothing():
    assert folded("nonsense|todo:shut|:open|" + "x" * 5000, todo=1) == folded(todo=1)
