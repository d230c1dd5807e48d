"""list_imported_events: what happened to a project before it was imported, as its file says."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event_visibility import viewer_of
from pendesk.domain.limits import EVENTS_PER_PAGE
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.timeline.list_events import Events, event_row
from pendesk.store import imported


class ListImportedEvents(Input):
    project_id: ProjectId
    after: Annotated[int, Meta(ge=0, le=2**53, description="The last number you have; 0 for the beginning.")] = 0
    limit: Annotated[int, Meta(ge=1, le=EVENTS_PER_PAGE)] = EVENTS_PER_PAGE


def run(call: Call, args: ListImportedEvents) -> Events:
    project = find_project(call, args.project_id)
    rows = imported.events(call.tx, project.id, args.after, viewer_of(call.actor), args.limit + 1)
    page = rows[: args.limit]
    return Events(
        events=[event_row(event, {}) for event in page],
        next_cursor=page[-1].seq if len(rows) > args.limit else None,
    )


OPERATION = Operation(
    name="list_imported_events",
    title="List imported events",
    description=(
        "What happened to a project before it was imported, with its own times, numbered in the order of its file. It "
        "is the file's word and no part of the log: list_events has what happened here. Refused: 404 no such project."
    ),
    input=ListImportedEvents,
    output=Events,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
