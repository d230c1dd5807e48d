"""list_events: the one log, from a number on."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_visibility import shown_event_data, shown_object_id, viewer_of
from pendesk.domain.limits import EVENTS_PER_PAGE
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.timeline.find import LogFilters, event_filter_of
from pendesk.store import agent_sessions, events
from pendesk.store.engine.json_text import from_json


class ListEvents(LogFilters):
    after: Annotated[int, Meta(ge=0, le=2**53, description="The last event number you have; 0 for the beginning.")] = 0
    limit: Annotated[int, Meta(ge=1, le=EVENTS_PER_PAGE)] = EVENTS_PER_PAGE


class EventRow(Output):
    """agent: which agent of the actor did it, where one did. aboutUserId: the user that a private event (a token, a
    sign-in) is about.
    """

    seq: int
    at: str
    kind: str
    actor_id: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_id: str | None
    spec_id: str | None
    action_id: str | None
    data: dict[str, Any]
    about_user_id: str | None = None
    agent: str | None = None
    agent_session_id: str | None = None


class Events(Output):
    """A page may be short, or empty, and still have a nextCursor: the log was looked at as far as that."""

    events: list[EventRow]
    next_cursor: int | None = None


def run(call: Call, args: ListEvents) -> Events:
    event_filter = event_filter_of(call, args)
    if any(event_filter) and not event_filter.can_use_index():
        call.require_worker_thread()  # a window of the log is gone through
    rows, upto = events.page_and_scanned_upto_seq(
        call.tx, args.after, args.limit + 1, event_filter, viewer_of(call.actor)
    )
    page = rows[: args.limit]
    if len(rows) > args.limit:
        next_cursor: int | None = page[-1].seq
    else:
        next_cursor = upto if upto < events.last_seq(call.tx) else None
    labels = agent_sessions.labels_by_id(call.tx, (event.agent_session_id for event in page))
    return Events(events=[event_row(event, labels) for event in page], next_cursor=next_cursor)


def event_row(event: LoggedEvent, agent_labels: Mapping[str, str]) -> EventRow:
    return EventRow(
        seq=event.seq,
        at=to_iso(event.at),
        kind=event.kind,
        actor_id=event.actor_id,
        agent_model=event.agent_model,
        door=event.door,
        object_id=shown_object_id(event.kind, event.object_id, event.action_id),
        project_id=event.project_id,
        spec_id=event.spec_id,
        action_id=event.action_id,
        data=shown_event_data(event.kind, from_json(event.data)),
        about_user_id=event.about_user_id,
        agent=agent_labels.get(event.agent_session_id or ""),
        agent_session_id=event.agent_session_id,
    )


OPERATION = Operation(
    name="list_events",
    title="List events",
    description=(
        "The log of every change, in the order it was committed: who, when, through which door, what was before and "
        "after; of one project or action, by one user or model, of some kinds. Remember the last seq and ask for what "
        "came after it; nothing is missed. Sign-ins, tokens and invites are shown to people alone: to admins, and to "
        "those they are about. Refused: 404 no such project or action, 422 no such kind."
    ),
    input=ListEvents,
    output=Events,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
