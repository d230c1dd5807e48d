"""set_watch: a person wants to hear of an action, a spec or a project, or no longer."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.watching.find import WatchedId, find_watched
from pendesk.operations.watching.list_watchers import Watchers, watchers_result
from pendesk.store import watches


class SetWatch(Input):
    object_id: WatchedId
    watching: Annotated[bool, Meta(description="false: to hear no more of it, whatever the reason.")] = True


def run(call: Call, args: SetWatch) -> Watchers:
    """Not an event: it is the caller's own affair."""
    watched = find_watched(call, args.object_id)
    watches.set_watching(call.tx, call.actor.user_id, watched, args.watching)
    if not args.watching:
        watches.mark_read(call.tx, call.actor.user_id, watched.object_id)
    return watchers_result(call, watched.object_id, watches.watchers(call.tx, watched))


OPERATION = Operation(
    name="set_watch",
    title="Watch or unwatch",
    description=(
        "Hear of comments on an action or a spec and of changes of its state, or no longer; of a project, all in it. "
        "What is nearer decides: an action that you unwatch stays quiet in a project that you watch. For "
        "people: no token can do this. Refused: 404 there is no such action, spec or project."
    ),
    input=SetWatch,
    output=Watchers,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
