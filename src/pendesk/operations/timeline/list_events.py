"""list_events: the one log, from a number on."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Actor, Role, Scope
from pendesk.domain.event import LoggedEvent
from pendesk.domain.limits import EVENTS_PER_PAGE
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.timeline.find import find_subject
from pendesk.store import events
from pendesk.store.json_text import from_json


class ListEvents(Input):
    after: Annotated[int, Meta(ge=0, le=2**53, description="The last event number you have; 0 for the beginning.")] = 0
    project_id: Annotated[Ident, Meta(description="Only this project's events: its pid or key.")] | None = None
    action_pid: Annotated[Ident, Meta(description="Only this action's events: its pid or ref code.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_PER_PAGE)] = EVENTS_PER_PAGE


class EventRow(Output):
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


class Events(Output):
    events: list[EventRow]
    next_cursor: int | None = None


def run(call: Call, asked: ListEvents) -> Events:
    project_id, action_id = find_subject(call, asked.project_id, asked.action_pid)
    found = events.after(call.tx, asked.after, asked.limit + 1, project_id=project_id, action_id=action_id)
    page = found[: asked.limit]
    return Events(
        events=[event_row(event) for event in page],
        next_cursor=page[-1].seq if len(found) > asked.limit else None,
    )


def eyes(actor: Actor) -> str:
    """Callers with the same eyes see the same events, so the live feed reads once for all of them.

    Whoever is admitted sees the whole workspace. A rule that hides events from some of them belongs here too.
    """
    return actor.workspace_id


def event_row(event: LoggedEvent) -> EventRow:
    return EventRow(
        seq=event.seq,
        at=to_iso(event.at),
        kind=event.kind,
        actor_id=event.actor_id,
        agent_model=event.agent_model,
        door=event.door,
        object_id=event.object_id,
        project_id=event.project_id,
        spec_id=event.spec_id,
        action_id=event.action_id,
        data=from_json(event.data),
    )


OPERATION = Operation(
    name="list_events",
    title="List events",
    description=(
        "The log of every change, in the order it was committed: who, when, through which door, what was before and "
        "after. Remember the last seq and ask for what came after it; nothing is missed."
    ),
    input=ListEvents,
    output=Events,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
