"""list_agent_runs: what agents did in a project, the newest first."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.limits import PAGE_ROWS
from pendesk.ids import parse_id
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor
from pendesk.operations.projects.find import find_project
from pendesk.operations.runs.run_results import RunResult, agent_runs_to_output
from pendesk.store import runs

NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff"  # every id is smaller


class ListAgentRuns(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class AgentRuns(Output):
    runs: list[RunResult]
    next_cursor: str | None = None


def run(call: Call, args: ListAgentRuns) -> AgentRuns:
    project = find_project(call, args.project_id)
    rows = runs.page(call.tx, project.id, _parse_cursor_before_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda row: row.id)
    return AgentRuns(runs=agent_runs_to_output(call, page), next_cursor=next_cursor)


def _parse_cursor_before_id(cursor: str | None) -> str:
    before = NEWEST if cursor is None else parse_id(cursor)
    if before is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return before


OPERATION = Operation(
    name="list_agent_runs",
    title="List agent runs",
    description=(
        "The agent runs of a project, the newest first: who, on what, with which model, how it ended, tokens and "
        "cost. One that is open but silent for 30 minutes is stale. Refused: 404 no such project."
    ),
    input=ListAgentRuns,
    output=AgentRuns,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
