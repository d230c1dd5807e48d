"""get_spec: one published spec, whole."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code, status_for_agents
from pendesk.domain.build import Build
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.evidence import EvidenceHistory
from pendesk.domain.limits import ACTIONS_PER_SPEC_PAGE, PLAN_ACTIONS
from pendesk.domain.text_ref import TextKind
from pendesk.operations.availability import AvailabilityFields, availability_fields_of
from pendesk.operations.building.brief_results import AttachmentBrief, CriterionBrief, PlanBrief
from pendesk.operations.building.claim_guard import may_see_spec
from pendesk.operations.building.make_brief import criterion_brief, spec_brief
from pendesk.operations.fields import Cursor, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import NewsItem, unread_news
from pendesk.operations.truncate import RestField, Truncatable, read_rest, truncate_to_token_limit
from pendesk.store import builds, criteria, projects, specs, text_refs
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Row


class GetSpec(Input):
    spec_pid: Annotated[Ident, Meta(description="From list_available_specs.")]
    cursor: Annotated[Cursor, Meta(description="From nextCursor.")] | None = None
    rest: RestField | None = None


class SpecAction(AvailabilityFields, kw_only=True):
    pid: str
    ref_code: str
    label: str
    description: str
    area: str
    status: str
    claimed_by: str | None
    acceptance_criteria: list[CriterionBrief]


class WholeSpec(Truncatable, kw_only=True):
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[AttachmentBrief]
    build: str
    plan: PlanBrief
    actions: list[SpecAction]
    next_cursor: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: GetSpec) -> WholeSpec:
    pid = text_refs.resolve_id(call.tx, args.spec_pid, TextKind.SPEC)
    spec = specs.by_id(call.tx, pid) if pid else None
    if spec is None or spec.build_id is None or not may_see_spec(call, spec.id):
        raise NotFound("published spec", args.spec_pid)
    build = builds.by_id(call.tx, spec.build_id)
    project = projects.by_id(call.tx, spec.project_id)
    assert build is not None
    assert project is not None
    actions, next_cursor = _actions_page_and_next_cursor(call, build.id, project.key, _parse_cursor(args.cursor))
    spec_result = whole_spec_from_build(build, actions, next_cursor)
    spec_result.news = unread_news(call)
    if args.rest is not None:
        without_texts = _without_texts_of_first_page(spec_result)
        return read_rest(spec_result, args.rest, msgspec.structs.replace(without_texts, actions=[]))
    return truncate_to_token_limit(spec_result if args.cursor is None else _without_texts_of_first_page(spec_result))


def whole_spec_from_build(build: Build, actions: list[SpecAction], next_cursor: str | None = None) -> WholeSpec:
    frozen = from_json(build.snapshot)
    brief = spec_brief(frozen["spec"])
    return WholeSpec(
        **{name: getattr(brief, name) for name in brief.__struct_fields__},
        build=f"B{build.number}",
        plan=PlanBrief(approach=frozen["plan"]["approach"]),
        actions=actions,
        next_cursor=next_cursor,
    )


def _parse_cursor(cursor: str | None) -> int:
    """A cursor is the place in the plan to go on from."""
    if cursor is None:
        return 0
    if not cursor.isdecimal() or int(cursor) > PLAN_ACTIONS:
        raise BadField("cursor", "is not a nextCursor of this spec; leave it out to start at the beginning.")
    return int(cursor)


def _without_texts_of_first_page(spec: WholeSpec) -> WholeSpec:
    """Later pages leave out what is on the first."""
    plan = PlanBrief(approach="")
    return msgspec.structs.replace(
        spec, summary="", results=[], conditions=[], boundaries=[], attachments=[], plan=plan
    )


def _actions_page_and_next_cursor(
    call: Call, build_id: str, project_key: str, from_position: int
) -> tuple[list[SpecAction], str | None]:
    rows = specs.action_rows_of_build_with_holder(call.tx, build_id, from_position, ACTIONS_PER_SPEC_PAGE + 1)
    histories = {
        history.criterion_id: history for history in criteria.evidence_histories(call.tx, [row[0] for row in rows])
    }
    fields = availability_fields_of(call, [row[0] for row in rows[:ACTIONS_PER_SPEC_PAGE]])
    page = [to_spec_action(row, project_key, histories, fields[row[0]]) for row in rows[:ACTIONS_PER_SPEC_PAGE]]
    return page, str(rows[-1][5]) if len(rows) > ACTIONS_PER_SPEC_PAGE else None


def to_spec_action(
    row: Row,
    project_key: str,
    history_by_criterion_id: Mapping[str, EvidenceHistory],
    fields: dict[str, Any],
) -> SpecAction:
    pid, number, snapshot, state, holder, _at = row
    texts = from_json(snapshot)
    return SpecAction(
        pid=pid,
        ref_code=ref_code(project_key, number),
        label=texts["label"],
        description=texts["description"],
        area=texts["area"],
        status=status_for_agents(state),
        claimed_by=holder,
        acceptance_criteria=[
            criterion_brief(criterion, history_by_criterion_id[criterion["id"]])
            for criterion in texts["criteria"]
            if criterion["id"] in history_by_criterion_id
        ],
        **fields,
    )


OPERATION = Operation(
    name="get_spec",
    title="Read a spec",
    description=(
        "One published spec, whole, with its actions and their acceptance criteria, 20 a page. Use it to choose "
        "between actions; to build one, get_action_brief has all you need. Refused: 404 not published or not yours "
        "(list_available_specs shows what is)."
    ),
    input=GetSpec,
    output=WholeSpec,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
