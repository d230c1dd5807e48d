"""update_task: a task's texts, place and status, by the rules that hold for every action."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, TaskStatus
from pendesk.domain.prerequisite import undecided_next_step
from pendesk.operations.actions.action_fields import AssigneeField, DueField, LabelsField
from pendesk.operations.actions.release_dependents import open_dependent_refs
from pendesk.operations.actions.task_results import Task, task_from_planned
from pendesk.operations.actions.update_action import UpdateAction, update_action
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.fields import (
    Coordinate,
    ExpectedRevision,
    IdempotencyKey,
    Markdown,
    Message,
    Priority,
    TaskId,
    Title,
)
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.truncate import RestField


class UpdateTask(Input):
    task_id: TaskId
    status: Annotated[TaskStatus, Meta(description="wont_do needs reason.")] | None = None
    label: Title | None = None
    description: Markdown | None = None
    x: Coordinate | None = None
    y: Coordinate | None = None
    reason: Annotated[Message, Meta(description="Why the status changes.")] | None = None
    priority: Priority | None = None
    assignee: AssigneeField | None = None
    due: DueField | None = None
    labels: LabelsField | None = None
    expected_revision: ExpectedRevision | None = None
    rest: RestField | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateTask) -> Task:
    updated = update_action(
        call,
        UpdateAction(
            action_id=args.task_id,
            state=ActionState(args.status) if args.status is not None else None,
            label=args.label,
            description=args.description,
            x=args.x,
            y=args.y,
            reason=args.reason,
            priority=args.priority,
            assignee=args.assignee,
            due=args.due,
            labels=args.labels,
            expected_revision=args.expected_revision,
        ),
    )
    task = task_from_planned(updated)
    task.advisory = updated.advisory
    if args.status == TaskStatus.WONT_DO:
        task.next_step = undecided_next_step(open_dependent_refs(call, updated.pid))
    return truncate_for_agent_or_read_rest(call, task, args.rest, description="")


OPERATION = Operation(
    name="update_task",
    title="Edit or move a task",
    description=(
        "Change a task; leave out what stays. status goes from any to any: in_progress takes it, todo releases or "
        "reopens it, in_review lets a person look (reason: at what). Refused: 409 someone else holds it, or the text "
        "changed since expected_revision (has the present one: merge, send again); 422 it waits for others, or has "
        "criteria: then claims, submissions and reviews move it."
    ),
    input=UpdateTask,
    output=Task,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
