"""A task is an action in the words of the planning tools."""

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.action import Action, ActionState, ref_code, status_of_task
from pendesk.domain.priority import priority_level
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_result, labels_of
from pendesk.operations.actions.results import PlannedAction
from pendesk.operations.operation import Call, Output
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import Truncatable


class TaskRow(Output):
    pid: str
    ref_code: str
    label: str
    status: str
    priority: str = "none"


class Task(Truncatable):
    """criteria: how many there are; a task that has some becomes done by a person's review only."""

    pid: str
    ref_code: str
    project_id: str
    label: str
    status: str
    description: str
    revision: int
    updated_at: str
    status_reason: str | None = None
    spec_id: str | None = None
    priority: int = 0
    criteria: int = 0
    x: float | None = None
    y: float | None = None
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None
    news: list[NewsItem] = []
    next_step: str | None = msgspec.field(default=None, name="next_step")


def task_row(task: Action, project_key: str) -> TaskRow:
    return TaskRow(
        pid=task.id,
        ref_code=ref_code(project_key, task.ref_number),
        label=task.label,
        status=status_of_task(task.state),
        priority=priority_level(task.priority),
    )


def task_from_planned(planned: PlannedAction) -> Task:
    return Task(
        pid=planned.pid,
        ref_code=planned.ref_code,
        project_id=planned.project_id,
        label=planned.label,
        status=status_of_task(ActionState(planned.state)),
        description=planned.description,
        revision=planned.revision,
        updated_at=planned.updated_at,
        status_reason=planned.state_reason,
        spec_id=planned.spec_id,
        priority=planned.priority,
        criteria=len(planned.criteria),
        x=planned.x,
        y=planned.y,
        priority_name=planned.priority_name,
        assignee=_without_pid(planned.assignee),
        due=planned.due,
        labels=planned.labels,
    )


def _without_pid(assignee: AssigneeResult | None) -> AssigneeResult | None:
    """Agents name people and agents by their names."""
    return AssigneeResult(name=assignee.name, kind=assignee.kind) if assignee else None


def task_result(call: Call, task: Action, project_key: str, criteria_count: int) -> Task:
    return Task(
        pid=task.id,
        ref_code=ref_code(project_key, task.ref_number),
        project_id=task.project_id,
        label=task.label,
        status=status_of_task(task.state),
        description=task.description,
        revision=task.revision,
        updated_at=to_iso(task.updated_at),
        status_reason=task.state_reason,
        spec_id=task.spec_id,
        priority=task.priority,
        criteria=criteria_count,
        x=task.x,
        y=task.y,
        priority_name=priority_level(task.priority),
        assignee=assignee_result(call, task.assignee, with_pid=False),
        due=task.due_on,
        labels=labels_of(task.labels),
    )
