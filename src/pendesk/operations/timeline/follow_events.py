"""follow_events: where the log stands now, and what a follower's filters name. The live feed begins with it."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event_filter import EventFilter
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.timeline.find import LogFilters, event_filter_of
from pendesk.store import events


class FollowEvents(LogFilters):
    pass


class Position(Output):
    """seq: the newest event's number. wanted: what the filters name, as ids and full names. now: the store's clock,
    in microseconds.
    """

    seq: int
    wanted: EventFilter
    now: int


def run(call: Call, args: FollowEvents) -> Position:
    return Position(seq=events.last_seq(call.tx), wanted=event_filter_of(call, args), now=call.now)


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
