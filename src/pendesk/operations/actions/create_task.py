"""create_task: a plain task of a project, the same record as an action."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, TaskStatus, check_initial_state
from pendesk.operations.actions.action_fields import AssigneeField, DueField, LabelsField
from pendesk.operations.actions.create_action import CreateAction
from pendesk.operations.actions.create_action import run as create_action
from pendesk.operations.actions.task_results import Task, task_from_planned
from pendesk.operations.actions.update_action import UpdateAction
from pendesk.operations.actions.update_action import run as update_action
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.fields import Coordinate, IdempotencyKey, Markdown, Priority, ProjectId, Title
from pendesk.operations.operation import Call, Input, Kind, Operation


class CreateTask(Input):
    project_id: ProjectId
    label: Title
    status: Annotated[
        TaskStatus, Meta(description="backlog: an idea. scope: needs design. todo: ready. done: past work.")
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
    check_initial_state(ActionState(args.status))
    # What is done was ready once: it gets there by the same move, and the log says so.
    is_done = args.status == TaskStatus.DONE
    task = create_action(
        call,
        CreateAction(
            project_id=args.project_id,
            label=args.label,
            state=(TaskStatus.TODO if is_done else args.status).value,  # type: ignore[arg-type]
            description=args.description,
            x=args.x,
            y=args.y,
            priority=args.priority,
            assignee=args.assignee,
            due=args.due,
            labels=args.labels,
        ),
    )
    if is_done:
        task = update_action(call, UpdateAction(action_id=task.pid, state=ActionState.DONE))
    return task_from_planned(task)


OPERATION = Operation(
    name="create_task",
    title="Create a task",
    description=(
        "Add one task to a project; for a whole plan use scaffold_project_from_plan. Order it with create_edge next. "
        "Building agents can claim a todo task at once. Refused: 422 in_progress or in_review, which only work "
        "brings: create it as todo."
    ),
    input=CreateTask,
    output=Task,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
