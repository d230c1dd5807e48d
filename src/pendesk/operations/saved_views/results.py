"""Saved views, as operations answer with them; what they take; and how one is found."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.errors import NotFound
from pendesk.domain.limits import SAVED_QUERY_CHARS
from pendesk.domain.saved_view import SavedView
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Output
from pendesk.store import saved_views

SavedViewId = Annotated[Ident, Meta(description="The view's pid.")]
ViewQuery = Annotated[
    str, Meta(max_length=SAVED_QUERY_CHARS, description="As in the page's address: area=ui&group=spec.")
]
Shared = Annotated[bool, Meta(description="For all of the project; otherwise only you see it.")]


class SavedViewResult(Output):
    """page: board or list. query: what its address has behind the question mark. mine: you saved it."""

    pid: str
    name: str
    page: str
    query: str
    shared: bool
    mine: bool


def saved_view_result(call: Call, view: SavedView) -> SavedViewResult:
    return SavedViewResult(
        pid=view.id,
        name=view.name,
        page=view.page,
        query=view.query,
        shared=bool(view.shared),
        mine=view.owner_id == call.actor.user_id,
    )


def find_saved_view(call: Call, view_id: str) -> SavedView:
    """What cannot be seen is the same as what is not there."""
    pid = parse_id(view_id)
    view = saved_views.by_id(call.tx, pid) if pid else None
    if view is None or not view.is_visible_to(call.actor.user_id):
        raise NotFound("view", view_id)
    return view


def find_and_lock_saved_view(call: Call, view_id: str) -> SavedView:
    saved_views.lock(call.tx, find_saved_view(call, view_id).id)
    return find_saved_view(call, view_id)
