"""list_specs: the specs of a project, published or not."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS, SUMMARY_LISTED_CHARS
from pendesk.domain.project import Project, Spec
from pendesk.domain.text_ref import TextKind, text_ref_code
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.operations.specs.results import build_name_or_none
from pendesk.store import specs


class ListSpecs(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class SpecRow(Output):
    pid: str
    ref_code: str | None
    goal_id: str | None
    title: str
    summary: str
    build: str | None
    actions: int
    actions_done: int
    revision: int


class Specs(Output):
    specs: list[SpecRow]
    next_cursor: str | None = None


def run(call: Call, args: ListSpecs) -> Specs:
    project = find_project(call, args.project_id)
    matches = specs.page(call.tx, project.id, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(matches, PAGE_ROWS, lambda spec: spec.id)
    progress = specs.total_and_done_actions_by_spec_id(call.tx, [spec.id for spec in page])
    rows = [_spec_row(project, spec, *progress.get(spec.id, (0, 0))) for spec in page]
    return Specs(specs=rows, next_cursor=next_cursor)


def _spec_row(project: Project, spec: Spec, action_count: int, done_count: int) -> SpecRow:
    return SpecRow(
        pid=spec.id,
        ref_code=text_ref_code(project.key, TextKind.SPEC, spec.ref_number),
        goal_id=spec.goal_id,
        title=spec.title,
        summary=spec.summary[:SUMMARY_LISTED_CHARS],
        build=build_name_or_none(spec.build_number),
        actions=action_count,
        actions_done=done_count,
        revision=spec.revision,
    )


OPERATION = Operation(
    name="list_specs",
    title="List specs",
    description=(
        "The specs of a project, drafts too, oldest first; summaries are cut short. build is the newest published "
        "one, null for a draft; actions and actionsDone count those of the active plan. "
        "get_spec_draft shows everything about one. Refused: 404 no such project."
    ),
    input=ListSpecs,
    output=Specs,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
