"""follow_events: where the log stands now, and what a follower's filters name. The live feed begins with it."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event_filter import EventFilter, named_kinds
from pendesk.operations.fields import Ident, Kinds
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.timeline.find import find_subject
from pendesk.store import events


class FollowEvents(Input):
    project_id: Annotated[Ident, Meta(description="Only this project's events: its pid or key.")] | None = None
    action_pid: Annotated[Ident, Meta(description="Only this action's events: its pid or ref code.")] | None = None
    kind: Kinds = []


class Position(Output):
    """seq: the newest event's number. The rest is what the filters name, as ids and full names."""

    seq: int
    project_id: str | None
    action_id: str | None
    kinds: list[str] | None

    def filter(self) -> EventFilter:
        return EventFilter(self.project_id, self.action_id, frozenset(self.kinds) if self.kinds is not None else None)


def run(call: Call, asked: FollowEvents) -> Position:
    kinds = named_kinds(asked.kind, "kind")
    project_id, action_id = find_subject(call, asked.project_id, asked.action_pid)
    return Position(
        seq=events.last_seq(call.tx),
        project_id=project_id,
        action_id=action_id,
        kinds=sorted(kinds) if kinds is not None else None,
    )


OPERATION = Operation(
    name="follow_events",
    title="Follow events",
    description=(
        "The number of the newest event. GET /api/v1/events streams what comes after it, or after any number you "
        "have: nothing is missed."
    ),
    input=FollowEvents,
    output=Position,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
