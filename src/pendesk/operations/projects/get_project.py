"""get_project: one project, how many tasks are in each status, its tasks, goals and what agents do in it now."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import TaskStatus, states_of_task_status, task_counts_by_status
from pendesk.domain.limits import LABEL_LISTED_CHARS, RUNS_SHOWN, SUMMARY_LISTED_CHARS, TASKS_PER_PAGE
from pendesk.domain.project import Goal, Project
from pendesk.operations.actions.task_results import TaskRow, task_row
from pendesk.operations.agent_answers import is_agent_call, truncate_for_agent_or_read_rest
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import GoalResult, ProjectResult, goal_result, project_result
from pendesk.operations.runs.list_agent_runs import NEWEST
from pendesk.operations.runs.run_results import RunResult, agent_runs_to_output
from pendesk.operations.truncate import RestField
from pendesk.store import actions, projects, runs


class GetProject(Input):
    project_id: ProjectId
    status: Annotated[TaskStatus, Meta(description="Only these.")] | None = None
    cursor: PageCursor | None = None
    rest: RestField | None = None


class WholeProject(ProjectResult):
    """agentRuns: the newest few. tasks: in the order they were made; nextCursor has the next page of them.
    keepsActivity: false where what agents do is not saved.
    """

    counts: dict[str, int]
    tasks: list[TaskRow]
    goals: list[GoalResult]
    agent_runs: list[RunResult]
    next_cursor: str | None = None
    keeps_activity: bool = True
    refuse_overlap: bool = False


def run(call: Call, args: GetProject) -> WholeProject:
    project = find_project(call, args.project_id)
    summary = project_result(project)
    tasks, next_cursor = _task_page_and_next_cursor(call, project, args)
    answer = WholeProject(
        **{name: getattr(summary, name) for name in summary.__struct_fields__},
        counts=task_counts_by_status(projects.action_counts_by_state(call.tx, project.id)),
        tasks=tasks,
        goals=[_goal_result_shortened_for_agent(call, goal) for goal in projects.goals_of(call.tx, project.id)],
        agent_runs=_newest_agent_runs_without_result(call, project),
        next_cursor=next_cursor,
        keeps_activity=project.does_keep_activity,
        refuse_overlap=bool(project.refuse_overlap),
    )
    if args.cursor is not None and is_agent_call(call):
        # Whoever asks for the next page has read the rest.
        answer.description, answer.goals, answer.agent_runs = "", [], []
    return _set_cursor_if_tasks_truncated(
        truncate_for_agent_or_read_rest(call, answer, args.rest, description="", tasks=[], goals=[], agent_runs=[])
    )


def _set_cursor_if_tasks_truncated(answer: WholeProject) -> WholeProject:
    """Tasks that did not fit are those of the next page: there is one way to go through them."""
    place = next((entry for entry in answer.cut if entry.startswith("tasks:")), None)
    if place is not None and answer.tasks:
        answer.cut.remove(place)
        answer.next_cursor = answer.tasks[-1].pid
    return answer


def _task_page_and_next_cursor(call: Call, project: Project, args: GetProject) -> tuple[list[TaskRow], str | None]:
    states = states_of_task_status(args.status) if args.status is not None else None
    rows = actions.page(call.tx, project.id, states, parse_cursor_after_id(args.cursor), TASKS_PER_PAGE + 1)
    page, next_cursor = page_and_next_cursor(rows, TASKS_PER_PAGE, lambda action: action.id)
    short = (action._replace(label=action.label[:LABEL_LISTED_CHARS]) for action in page)
    return [task_row(action, project.key) for action in short], next_cursor


def _newest_agent_runs_without_result(call: Call, project: Project) -> list[RunResult]:
    """Without what the agents themselves said came of it: that is for people to read (list_agent_runs)."""
    newest = runs.page(call.tx, project.id, NEWEST, RUNS_SHOWN)
    return agent_runs_to_output(call, [run._replace(result=None) for run in newest])


def _goal_result_shortened_for_agent(call: Call, goal: Goal) -> GoalResult:
    result = goal_result(goal)
    if is_agent_call(call):
        result.description = result.description[:SUMMARY_LISTED_CHARS]
    return result


OPERATION = Operation(
    name="get_project",
    title="Read a project",
    description=(
        "One project: counts of tasks by status, its tasks without their texts (get_task has one "
        "whole), goals, newest agent runs."
    ),
    input=GetProject,
    output=WholeProject,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
