"""list_projects: what this workspace works on."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS, SUMMARY_LISTED_CHARS
from pendesk.domain.project import Project
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_within_token_limit, parse_cursor_after_id
from pendesk.store import projects


class ListProjects(Input):
    cursor: PageCursor | None = None


class ProjectRow(Output):
    pid: str
    key: str
    name: str
    description: str
    state: str


class Projects(Output):
    projects: list[ProjectRow]
    next_cursor: str | None = None


def run(call: Call, args: ListProjects) -> Projects:
    rows = projects.page(call.tx, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_within_token_limit(call, rows, _project_row, lambda project: project.id)
    return Projects(projects=page, next_cursor=next_cursor)


def _project_row(project: Project) -> ProjectRow:
    return ProjectRow(
        pid=project.id,
        key=project.key,
        name=project.name,
        description=project.description[:SUMMARY_LISTED_CHARS],
        state=project.state,
    )


OPERATION = Operation(
    name="list_projects",
    title="List projects",
    description=(
        "The projects of this workspace, oldest first. Call it first to find where work belongs; get_project shows "
        "one whole."
    ),
    input=ListProjects,
    output=Projects,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
