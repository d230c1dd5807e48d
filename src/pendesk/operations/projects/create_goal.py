"""create_goal: an outcome that groups specs of a project."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.limits import PROJECT_GOALS
from pendesk.domain.project import Goal, check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.fields import IdempotencyKey, Label, ProjectId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.projects.results import GoalResult, goal_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import projects


class CreateGoal(Input):
    project_id: ProjectId
    title: Label
    description: Text = ""
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateGoal) -> GoalResult:
    project = find_and_lock_project(call, args.project_id)
    goals = projects.goals_of(call.tx, project.id)
    check_count_below_limit(len(goals), PROJECT_GOALS, f"goals in {project.key}", "Edit one of them instead.")
    goal = Goal(
        id=new_id(),
        project_id=project.id,
        title=args.title,
        description=args.description,
        position=1 + max((goal.position for goal in goals), default=0),
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
    )
    projects.add_goal(call.tx, goal)
    edits.save_first_revision(call, goal.id, revision_content.goal_content(goal))
    call.record(Event("goal.created", goal.id, project.id, data=TitledData(title=goal.title)))
    return goal_result(goal)


OPERATION = Operation(
    name="create_goal",
    title="Create a goal",
    description=(
        "Add an outcome that groups specs of a project; give its pid as goal_id to create_spec or update_spec. "
        "Refused: 404 no such project, 422 it has too many goals."
    ),
    input=CreateGoal,
    output=GoalResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
