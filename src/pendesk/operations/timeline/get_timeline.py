"""get_timeline: the one log as people read it, the newest first, in words and with names."""

from typing import Annotated, Any

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.errors import BadField
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import tell
from pendesk.domain.event_visibility import viewer_of
from pendesk.domain.limits import EVENTS_PER_PAGE
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.timeline.find import LogFilters, narrow
from pendesk.store import events, timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.timeline import Deed

AFTER_ALL = 2**53


class GetTimeline(LogFilters):
    cursor: Annotated[int, Meta(ge=1, le=2**53, description="nextCursor of the page before.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=EVENTS_PER_PAGE)] = 50
    imported: Annotated[bool, Meta(description="What its file told of the time before a project was imported.")] = False


class DeedRow(Output):
    """deed: what was done, to be read after the name. detail: in somebody's own words.

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


class Timeline(Output):
    """A page may be short, or empty, and still have a nextCursor: the log was looked at as far as that."""

    events: list[DeedRow]
    next_cursor: int | None = None


def run(call: Call, args: GetTimeline) -> Timeline:
    wanted = narrow(call, args)
    if args.imported:
        return _imported(call, args, wanted)
    upto = args.cursor if args.cursor is not None else events.last_seq(call.tx) + 1
    found, floor = timeline.before(call.tx, upto, wanted, viewer_of(call.actor), args.limit + 1)
    page = found[: args.limit]
    if len(found) > args.limit:
        return Timeline(events=[deed_row(one) for one in page], next_cursor=page[-1].seq)
    return Timeline(events=[deed_row(one) for one in page], next_cursor=floor if floor > 1 else None)


def _imported(call: Call, args: GetTimeline, wanted: EventFilter) -> Timeline:
    if not wanted.project_id and not wanted.action_id:
        raise BadField("imported", "is about one project: give project_id, or action_pid, too.")
    upto = args.cursor if args.cursor is not None else AFTER_ALL
    found = timeline.imported_before(call.tx, upto, wanted, viewer_of(call.actor), args.limit + 1)
    page = found[: args.limit]
    return Timeline(
        events=[deed_row(one, imported=True) for one in page],
        next_cursor=page[-1].seq if len(found) > args.limit else None,
    )


def deed_row(one: Deed, *, imported: bool = False) -> DeedRow:
    data = from_json(one.data)
    ref = ref_code(one.project_key, one.ref_number) if one.project_key and one.ref_number is not None else None
    told = tell(one.kind, ref, data)
    return DeedRow(
        seq=one.seq,
        at=to_iso(one.at),
        kind=one.kind,
        actor_id=one.actor_id,
        actor_name=one.actor_name,
        actor_kind=one.actor_kind,
        agent_model=one.agent_model,
        door=one.door,
        object_id=one.object_id,
        project_key=one.project_key,
        spec_id=one.spec_id,
        ref_code=ref,
        label=one.label,
        deed=told.deed,
        detail=told.detail,
        data=data,
        imported=imported,
    )


OPERATION = Operation(
    name="get_timeline",
    title="Read the timeline",
    description=(
        "The log of every change, the newest first, in words: who (person, agent model), when, what. Of one project or "
        "action, by one actor or model, of some kinds. With imported: what a project brought along instead. Refused: "
        "404 no such project or action, 422 no such kind."
    ),
    input=GetTimeline,
    output=Timeline,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
