"""update_task: a task's texts, place and status, by the rules that hold for every action."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, TaskStatus
from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.prerequisite import undecided_next_step
from pendesk.operations.actions.action_fields import AssigneeField, DueField, LabelsField
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.release_dependents import open_dependent_refs
from pendesk.operations.actions.task_results import Task, task_from_planned
from pendesk.operations.actions.update_action import UpdateAction, update_action
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
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
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation


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
    idempotency_key: IdempotencyKey | None = None


_NOT_A_CHANGE = {"task_id", "reason", "expected_revision", "idempotency_key"}


def run(call: Call, args: UpdateTask) -> Task:
    _check_changes_something(call, args)
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
    if args.status is not None:
        acknowledge_messages(call, args.reason or f"Set {updated.ref_code} to {args.status}.")
    task = task_from_planned(updated)
    task.advisory = updated.advisory
    if args.status == TaskStatus.WONT_DO:
        task.next_step = undecided_next_step(open_dependent_refs(call, updated.pid))
    return truncate_echoed_field_for_agent(call, task, "description")


def _check_changes_something(call: Call, args: UpdateTask) -> None:
    if all(getattr(args, name) is None for name in set(args.__struct_fields__) - _NOT_A_CHANGE):
        find_action(call, args.task_id)  # what is not there comes first
        raise RuleBroken(
            "Nothing is to change: give status, or another field to set.",
            code="nothing_to_change",
            advice=(Advice("To read the task, call get_task.", ("get_task",)),),
        )


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
