"""Lists in pages: a cursor is the id of the last row of the page before, so that a page costs the same anywhere."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.ids import parse_id
from pendesk.operations.fields import Cursor

T = TypeVar("T")

PageCursor = Annotated[Cursor, Meta(description="nextCursor of the page before.")]


def after_id(cursor: str | None) -> str:
    """The id to go on after; every id is larger than the empty text."""
    if cursor is None:
        return ""
    after = parse_id(cursor)
    if after is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return after


def cut(rows: list[T], limit: int, cursor_of: Callable[[T], str]) -> tuple[list[T], str | None]:
    """The page out of `limit` + 1 rows that were asked for, and the cursor of the next one, if there is one."""
    page = rows[:limit]
    return page, cursor_of(page[-1]) if len(rows) > limit else None
