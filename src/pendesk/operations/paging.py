"""Lists in pages: a cursor is the id of the last row of the page before, so that a page costs the same anywhere."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.domain.limits import PAGE_ROWS, RESULT_TOKENS
from pendesk.ids import parse_id
from pendesk.operations.fields import Cursor
from pendesk.operations.operation import Call, Output, encode_json
from pendesk.operations.truncate import estimate_token_upper_bound

T = TypeVar("T")
R = TypeVar("R", bound=Output)

# What stands around the rows: names, the cursor, a notice.
AROUND_TOKENS = 500

PageCursor = Annotated[Cursor, Meta(description="From nextCursor.")]


def parse_cursor_after_id(cursor: str | None) -> str:
    """The id to go on after; every id is larger than the empty text."""
    if cursor is None:
        return ""
    after = parse_id(cursor)
    if after is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return after


def page_and_next_cursor(rows: list[T], limit: int, cursor_of: Callable[[T], str]) -> tuple[list[T], str | None]:
    """The page out of `limit` + 1 rows that were asked for, and the cursor of the next one, if there is one."""
    page = rows[:limit]
    return page, cursor_of(page[-1]) if len(rows) > limit else None


def page_within_token_limit(
    call: Call, rows: list[T], to_row: Callable[[T], R], cursor_of: Callable[[T], str]
) -> tuple[list[R], str | None]:
    """A page out of PAGE_ROWS + 1 rows; an agent gets as many as it can afford to read, and at least one.

    Rows differ in length a hundredfold where people write them, so a number alone does not bound a page.
    """
    answers = [to_row(row) for row in rows[:PAGE_ROWS]]
    page = answers[: _count_rows_within_token_limit(answers)] if call.actor.via == "mcp" else answers
    return page, cursor_of(rows[len(page) - 1]) if len(rows) > len(page) else None


def _count_rows_within_token_limit(rows: list[R]) -> int:
    room = RESULT_TOKENS - AROUND_TOKENS
    for count, row in enumerate(rows):
        room -= estimate_token_upper_bound(encode_json(row))
        if room < 0:
            return max(1, count)
    return len(rows)
