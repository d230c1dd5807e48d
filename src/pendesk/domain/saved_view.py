"""Saved views: the filters, order and groups of a board or a list under a name.

A personal one is its owner's and nobody else sees it. A shared one is the project's: every member may change it.
"""

from enum import StrEnum
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import QUERY_CHARS, SAVED_VIEWS


class ViewPage(StrEnum):
    BOARD = "board"
    LIST = "list"


_FILTERS = ("q", "area", "assignee", "label", "due", "holder", "spec", "mark", "order")
# What of a page's address is saved, in this order; what is loaded of a long column is not.
SAVED_NAMES = {ViewPage.BOARD: (*_FILTERS, "group"), ViewPage.LIST: (*_FILTERS, "state")}


class SavedView(NamedTuple):
    """`query` is as `saved_query` gives it; `shared` is 0 or 1."""

    id: str
    project_id: str
    owner_id: str
    name: str
    page: str
    query: str
    shared: int
    created_at: int
    updated_at: int

    def is_visible_to(self, user_id: str) -> bool:
        return bool(self.shared) or self.owner_id == user_id


def saved_query(page: str, query: str) -> str:
    """What is saved of an address: the same for the same filters, whatever else it has and in whatever order."""
    values = dict(parse_qsl(query.removeprefix("?")))
    kept = {name: values[name].strip()[:QUERY_CHARS] for name in SAVED_NAMES[ViewPage(page)] if name in values}
    return urlencode({name: value for name, value in kept.items() if value})


def check_may_be_made_personal(view: SavedView, user_id: str) -> None:
    if view.owner_id != user_id:
        raise RuleBroken(
            "This view is shared, and somebody else saved it: only who saved it can make it personal. Save one of your "
            "own instead."
        )


def check_has_room(count: int) -> None:
    if count >= SAVED_VIEWS:
        raise RuleBroken(f"You have {count} views in this project, and there can be {SAVED_VIEWS}. Delete one first.")
