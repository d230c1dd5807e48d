"""get_next_task: what to work on now in a project, why, and how to take it; or taken in the same call."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope, check_permission
from pendesk.domain.action import ActionState, ref_code, status_of_task
from pendesk.domain.errors import Conflict
from pendesk.domain.limits import (
    BLOCKED_LABEL_CHARS,
    BLOCKED_SHOWN,
    NEXT_TASK_CHARS,
    WAITING_ON_SHOWN,
)
from pendesk.domain.next_task import Choice, OpenTask, TaskGraph, explain_choice
from pendesk.domain.prerequisite import undecided_note
from pendesk.domain.priority import priority_level
from pendesk.domain.project import Project
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_result
from pendesk.operations.actions.next_task_advice import how_to_go_on, how_to_take
from pendesk.operations.actions.next_task_choice import TaskChoices, load_task_choices
from pendesk.operations.actions.task_results import TaskRow
from pendesk.operations.actions.update_action import UpdateAction, update_action
from pendesk.operations.building.claim_action import ClaimAction
from pendesk.operations.building.claim_action import run as claim_action
from pendesk.operations.fields import IdempotencyKey, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.operations.proposals.drafting_next_step import drafting_next_step
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import MARK
from pendesk.store import criteria, next_tasks, people, reviews
from pendesk.store.next_tasks import ShownTask

WHOLE_TEXT = "get_task has its whole text."
REQUESTED = "A reviewer requested changes."
NOTHING_TO_TAKE = "Tell your user why, and stop: nothing here is for you now."


class GetNextTask(Input):
    project_id: ProjectId
    take: Annotated[bool, Meta(description="Take it in this call: you hold it, in_progress.")] = False
    idempotency_key: IdempotencyKey | None = None


class NextTaskRow(TaskRow, kw_only=True):
    """description: how it begins. criteria: how many there are."""

    description: str
    criteria: int = 0
    assignee: AssigneeResult | None = None
    due: str | None = None


class BlockedTask(Output):
    """waiting_on: the first few of those that hold it back. note: where a person decides."""

    ref_code: str
    label: str
    waiting_on: list[str] = msgspec.field(name="waiting_on")
    note: str | None = None


class NextTask(Output):
    task: NextTaskRow | None
    reason: str
    why: str
    blocked: list[BlockedTask]
    blocked_count: int
    next_step: str | None = msgspec.field(default=None, name="next_step")
    taken: bool = False
    news: list[NewsItem] = []


def run(call: Call, args: GetNextTask) -> NextTask:
    if args.take:
        check_permission(call.actor, Scope.DESK_WRITE, Role.MEMBER)
        if Scope.BUILDS_WRITE in call.actor.scopes:
            people.lock_member(call.tx, call.actor.user_id)  # before any action, as everywhere
    project = find_project(call, args.project_id)
    choices = load_task_choices(call, project)
    if choices.own_task_id is not None:
        # A repeated take gives the same one.
        own = next_tasks.shown(call.tx, choices.own_task_id)
        return _answer(call, project, choices, own, "You hold it already.", how_to_go_on(bool(own.criteria)))
    return _take_next(call, project, choices) if args.take else _show_next(call, project, choices)


def _show_next(call: Call, project: Project, choices: TaskChoices) -> NextTask:
    choice = choices.choose()
    if choice is None:
        return _none(call, project, choices)
    task = next_tasks.shown(call.tx, choice.task.id)
    return _answer(call, project, choices, task, _why(call, choices, choice), how_to_take(call, bool(task.criteria)))


def _take_next(call: Call, project: Project, choices: TaskChoices) -> NextTask:
    while (choice := choices.choose()) is not None:
        has_criteria = bool(criteria.action_ids_with_criteria(call.tx, [choice.task.id]))
        why = _why(call, choices, choice)
        if _take(call, choice.task.id, has_criteria):
            taken = next_tasks.shown(call.tx, choice.task.id)
            return _answer(call, project, choices, taken, why, how_to_go_on(has_criteria), taken=True)
        choices.refuse(choice.task.id)
    return _none(call, project, choices)


def _why(call: Call, choices: TaskChoices, choice: Choice) -> str:
    if choice.task.id not in choices.rework_ids:
        return explain_choice(choice)
    request = reviews.newest_request_by_action_id(call.tx, [choice.task.id]).get(choice.task.id)
    return f"{request.reviewer} requested changes: {request.text}"[:NEXT_TASK_CHARS] if request else REQUESTED


def _none(call: Call, project: Project, choices: TaskChoices) -> NextTask:
    outcome, why = choices.why_none(call)
    return _answer(call, project, choices, None, why, NOTHING_TO_TAKE, reason=outcome)


def _take(call: Call, task_id: str, has_criteria: bool) -> bool:
    """False where another was faster."""
    try:
        if has_criteria:
            claim_action(call, ClaimAction(action_pid=task_id))
        else:
            update_action(call, UpdateAction(action_id=task_id, state=ActionState.IN_PROGRESS))
    except Conflict:
        return False
    return True


def _answer(
    call: Call,
    project: Project,
    choices: TaskChoices,
    task: ShownTask | None,
    why: str,
    next_step: str | None,
    reason: str = "ok",
    taken: bool = False,
) -> NextTask:
    if task is not None and task.draft_request is not None:
        next_step = drafting_next_step(task.draft_request)
    if task is not None and next_step is not None and len(task.description) > NEXT_TASK_CHARS:
        next_step = f"{WHOLE_TEXT} {next_step}"
    nearest = choices.graph.nearest_to_begin(choices.blocked, BLOCKED_SHOWN)
    return NextTask(
        task=_next_task_row(call, project, task) if task is not None else None,
        reason=reason,
        why=why,
        next_step=next_step,
        blocked=[_blocked_task(project, choices.graph, blocked) for blocked in nearest],
        blocked_count=len(choices.blocked),
        taken=taken,
    )


def _next_task_row(call: Call, project: Project, task: ShownTask) -> NextTaskRow:
    text = task.description
    return NextTaskRow(
        pid=task.id,
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label,
        status=status_of_task(ActionState(task.state)),
        priority=priority_level(task.priority),
        description=text if len(text) <= NEXT_TASK_CHARS else text[:NEXT_TASK_CHARS] + MARK,
        criteria=task.criteria,
        assignee=assignee_result(call, task.assignee, with_pid=False),
        due=task.due_on,
    )


def _blocked_task(project: Project, graph: TaskGraph, task: OpenTask) -> BlockedTask:
    waiting_on = graph.open_prerequisites(task)
    # What a person has accepted is not among the tasks.
    notes = filter(None, (undecided_note(first.state, None) for first in waiting_on))
    return BlockedTask(
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label[:BLOCKED_LABEL_CHARS],
        waiting_on=[ref_code(project.key, first.ref_number) for first in waiting_on[:WAITING_ON_SHOWN]],
        note=next(notes, None),
    )


OPERATION = Operation(
    name="get_next_task",
    title="What to do next",
    description=(
        "The task to take now: your own first, then what can begin, the most urgent first. Call it before you start "
        "and after each task, with take: true if you mean to do it. Gives task or null, why, next_step, and the "
        "blocked ones nearest to begin."
    ),
    input=GetNextTask,
    output=NextTask,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
