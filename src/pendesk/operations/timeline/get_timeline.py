"""get_timeline: the one log as people read it, the newest first, in words and with names."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import PERSON_CHANNELS, Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import MentionedNames
from pendesk.domain.event_visibility import shown_event_data, shown_object_id, viewer_of
from pendesk.domain.limits import EVENTS_PER_PAGE
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.timeline.event_names import (
    action_ref_code,
    describe_timeline_row,
    load_mentioned_names,
    with_invite_emails,
)
from pendesk.operations.timeline.find import LogFilters, event_filter_of
from pendesk.store import events, timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.timeline import TimelineRow

AFTER_ALL = 2**53


class GetTimeline(LogFilters):
    cursor: Annotated[int, Meta(ge=1, le=2**53, description="nextCursor of the page before.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_PER_PAGE)] = 50
    imported: Annotated[bool, Meta(description="What its file told of the time before a project was imported.")] = False


class NamedRecord(Output):
    """A project, goal, spec, plan, document or note that is still there. title: as the deed has it."""

    kind: str
    pid: str
    title: str


class DeedRow(Output):
    """deed: what was done, to be read after the name. detail: in somebody's own words. agent: which agent of the actor
    did it, where one did. about: what the deed names.

    imported: the word of a file, no part of the log; seq is then its place in the file.
    """

    seq: int
    at: str
    kind: str
    actor_id: str | None
    actor_name: str | None
    actor_kind: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_key: str | None
    spec_id: str | None
    ref_code: str | None
    label: str | None
    deed: str
    detail: str
    data: dict[str, Any]
    imported: bool = False
    agent: str | None = None
    about: NamedRecord | None = None


class Timeline(Output):
    """A page may be short, or empty, and still have a nextCursor: the log was looked at as far as that."""

    events: list[DeedRow]
    next_cursor: int | None = None


def run(call: Call, args: GetTimeline) -> Timeline:
    event_filter = event_filter_of(call, args)
    if args.imported:
        return _load_timeline_of_imported_events(call, args, event_filter)
    upto = args.cursor if args.cursor is not None else events.last_seq(call.tx) + 1
    rows, floor = timeline.page_and_lowest_searched_seq(
        call.tx, upto, event_filter, viewer_of(call.actor), args.limit + 1
    )
    page = rows[: args.limit]
    names = with_invite_emails(call.tx, load_mentioned_names(call.tx, page), page)
    if len(rows) > args.limit:
        next_cursor: int | None = page[-1].seq
    else:
        next_cursor = floor if floor > 1 else None
    return Timeline(events=[timeline_event_row(row, names) for row in page], next_cursor=next_cursor)


def _load_timeline_of_imported_events(call: Call, args: GetTimeline, event_filter: EventFilter) -> Timeline:
    if not event_filter.project_id and not event_filter.action_id:
        raise BadField("imported", "is about one project: give project_id, or action_pid, too.")
    upto = args.cursor if args.cursor is not None else AFTER_ALL
    rows = timeline.page_of_imported_events(call.tx, upto, event_filter, viewer_of(call.actor), args.limit + 1)
    page = rows[: args.limit]
    names = load_mentioned_names(call.tx, page)
    return Timeline(
        events=[timeline_event_row(row, names, imported=True) for row in page],
        next_cursor=page[-1].seq if len(rows) > args.limit else None,
    )


def timeline_event_row(row: TimelineRow, names: MentionedNames, *, imported: bool = False) -> DeedRow:
    phrase = describe_timeline_row(row, names)
    return DeedRow(
        seq=row.seq,
        at=to_iso(row.at),
        kind=row.kind,
        actor_id=row.actor_id,
        actor_name=row.actor_name,
        actor_kind=row.actor_kind,
        # An event about an agent's work has its model also where a person judged or released it.
        agent_model=None if row.door in PERSON_CHANNELS else row.agent_model,
        door=row.door,
        object_id=shown_object_id(row.kind, row.object_id, row.action_id),
        project_key=row.project_key,
        spec_id=row.spec_id,
        ref_code=action_ref_code(row),
        label=row.label,
        deed=phrase.deed,
        detail=phrase.detail,
        data=shown_event_data(row.kind, from_json(row.data)),
        imported=imported,
        agent=timeline.agent_label(row),
        about=NamedRecord(kind=phrase.about.noun, pid=phrase.about.id, title=phrase.title) if phrase.about else None,
    )


OPERATION = Operation(
    name="get_timeline",
    title="Read the timeline",
    description=(
        "The log of every change, the newest first, in words: who (person, agent model), when, what. Of one project or "
        "action, by one actor or model, of some kinds. With imported: a project's imported history instead. Refused: "
        "404 no such project or action, 422 no such kind."
    ),
    input=GetTimeline,
    output=Timeline,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
