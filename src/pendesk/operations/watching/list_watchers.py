"""list_watchers: who hears of comments on an action, a spec or a project and of changes of its state, and why."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.watching import Watcher
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.watching.find import WatchedId, find_watched
from pendesk.store import watches


class ListWatchers(Input):
    object_id: WatchedId


class WatcherRow(Output):
    """why: chosen, author, assignee, commented, mentioned, or that they watch its spec or its project."""

    user_id: str
    name: str
    why: str


class Watchers(Output):
    """watching: whether the caller does; why: then, why."""

    object_id: str
    watching: bool
    watchers: list[WatcherRow]
    why: str | None = None


def run(call: Call, args: ListWatchers) -> Watchers:
    watched = find_watched(call, args.object_id)
    return watchers_result(call, watched.object_id, watches.watchers(call.tx, watched))


def watchers_result(call: Call, object_id: str, watchers: list[Watcher]) -> Watchers:
    why = next((watcher.why for watcher in watchers if watcher.user_id == call.actor.user_id), None)
    rows = [WatcherRow(user_id=watcher.user_id, name=watcher.name, why=watcher.why) for watcher in watchers]
    return Watchers(object_id=object_id, watching=why is not None, watchers=rows, why=why)


OPERATION = Operation(
    name="list_watchers",
    title="List watchers",
    description=(
        "Who hears of comments on an action or a spec and of changes of its state, and why; of a project, who watches "
        "all of it. Refused: 404 there is no such action, spec or project."
    ),
    input=ListWatchers,
    output=Watchers,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
