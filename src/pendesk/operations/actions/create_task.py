"""create_task: a plain task of a project, the same record as an action."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import NOT_READY, ActionState, TaskStatus
from pendesk.operations.actions.action_fields import AssigneeField, DueField, LabelsField
from pendesk.operations.actions.create_action import CreateAction
from pendesk.operations.actions.create_action import run as create_action
from pendesk.operations.actions.task_results import Task, task_from_planned
from pendesk.operations.actions.update_action import UpdateAction, update_action
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.fields import Coordinate, IdempotencyKey, Markdown, Priority, ProjectId, Title
from pendesk.operations.operation import Call, Input, Kind, Operation

CREATED_AS_WONT_DO = "Created as won't do."


class CreateTask(Input):
    project_id: ProjectId
    label: Title
    status: Annotated[
        TaskStatus, Meta(description="backlog: an idea. scope: needs design. todo: ready. in_progress: yours now.")
    ] = TaskStatus.TODO
    description: Markdown = ""
    x: Coordinate | None = None
    y: Coordinate | None = None
    priority: Priority = 0
    assignee: AssigneeField | None = None
    due: DueField | None = None
    labels: LabelsField | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateTask) -> Task:
    return truncate_echoed_field_for_agent(call, create_task(call, args), "description")


def create_task(call: Call, args: CreateTask) -> Task:
    # Another status is reached from todo by the same move as later, and the log says so.
    state = ActionState(args.status)
    is_moved = state not in (ActionState.TODO, *NOT_READY)
    task = create_action(
        call,
        CreateAction(
            project_id=args.project_id,
            label=args.label,
            state=(ActionState.TODO if is_moved else state).value,  # type: ignore[arg-type]
            description=args.description,
            x=args.x,
            y=args.y,
            priority=args.priority,
            assignee=args.assignee,
            due=args.due,
            labels=args.labels,
        ),
    )
    if is_moved:
        reason = CREATED_AS_WONT_DO if state == ActionState.WONT_DO else None
        task = update_action(call, UpdateAction(action_id=task.pid, state=state, reason=reason))
    return task_from_planned(task)


OPERATION = Operation(
    name="create_task",
    title="Create a task",
    description=(
        "Add one task to a project; for a whole plan use scaffold_project_from_plan. Order it with create_edge next. "
        "Agents can take a todo task at once."
    ),
    input=CreateTask,
    output=Task,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
