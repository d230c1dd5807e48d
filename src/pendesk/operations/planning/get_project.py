"""get_project: one project, with its goals and how many actions are in each state."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.planning.find import find_project
from pendesk.operations.planning.results import GoalResult, ProjectResult, goal_result, project_result
from pendesk.store import projects


class GetProject(Input):
    project_id: ProjectId


class WholeProject(ProjectResult):
    counts: dict[str, int]
    goals: list[GoalResult]


def run(call: Call, asked: GetProject) -> WholeProject:
    project = find_project(call, asked.project_id)
    told = project_result(project)
    return WholeProject(
        **{name: getattr(told, name) for name in told.__struct_fields__},
        counts=projects.counts_by_state(call.tx, project.id),
        goals=[goal_result(goal) for goal in projects.goals_of(call.tx, project.id)],
    )


OPERATION = Operation(
    name="get_project",
    title="Read a project",
    description=(
        "One project: its description, goals, and how many of its tasks are in each status. list_actions has the "
        "tasks, list_specs the specs. Refused: 404 no such project."
    ),
    input=GetProject,
    output=WholeProject,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
