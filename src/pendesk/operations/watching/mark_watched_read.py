"""mark_watched_read: a person has looked at what has happened to what they watch."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.watching.find import find_watched
from pendesk.store import watches


class MarkWatchedRead(Input):
    object_id: Annotated[Ident, Meta(description="The action or spec; all that you watch if left out.")] | None = None


class WatchedRead(Output):
    object_id: str | None


def run(call: Call, args: MarkWatchedRead) -> WatchedRead:
    """Not an event: nobody but the caller sees it."""
    if args.object_id is None:
        watches.mark_all_read(call.tx, call.actor.user_id)
        return WatchedRead(object_id=None)
    watched = find_watched(call, args.object_id)
    watches.mark_read(call.tx, call.actor.user_id, watched.object_id)
    return WatchedRead(object_id=watched.object_id)


OPERATION = Operation(
    name="mark_watched_read",
    title="Mark what you watch as read",
    description=(
        "Take an action or a spec that you watch, or all, out of your inbox until something happens to it again. For "
        "people: no token can do this. Refused: 404 there is no such action or spec."
    ),
    input=MarkWatchedRead,
    output=WatchedRead,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
