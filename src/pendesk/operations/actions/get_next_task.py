"""get_next_task: what to work on now in a project, why, and how to take it; or taken in the same call."""

from collections import Counter
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope, check_permission
from pendesk.domain.action import ActionState, ref_code
from pendesk.domain.availability import Availability
from pendesk.domain.errors import Conflict
from pendesk.domain.limits import (
    BLOCKED_SHOWN,
    LABEL_LISTED_CHARS,
    NEXT_TASK_CANDIDATES,
    NEXT_TASK_CHARS,
    WAITING_ON_SHOWN,
)
from pendesk.domain.next_task import OpenTask, TaskGraph, explain_choice, next_task_outcome_code
from pendesk.domain.prerequisite import undecided_note
from pendesk.domain.project import Project
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_result, caller_identity
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.next_task_advice import how_to_go_on, how_to_take, why_none
from pendesk.operations.actions.task_results import TaskRow, task_row
from pendesk.operations.actions.update_action import UpdateAction
from pendesk.operations.actions.update_action import run as update_action
from pendesk.operations.availability import RelatedAction, related_actions
from pendesk.operations.building.claim_action import ClaimAction
from pendesk.operations.building.claim_action import run as claim_action
from pendesk.operations.fields import IdempotencyKey, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.operations.truncate import MARK
from pendesk.store import actions, criteria, edges, people, projects


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


class Candidates(NamedTuple):
    """What could be taken, by id, and what of it the caller can have; `refused` says why not the others."""

    related: dict[str, RelatedAction]
    takeable_ids: set[str]
    with_criteria_ids: set[str]
    refused: Counter[str]


def run(call: Call, args: GetNextTask) -> NextTask:
    if args.take:
        check_permission(call.actor, Scope.DESK_WRITE, Role.MEMBER)
        if Scope.BUILDS_WRITE in call.actor.scopes:
            people.lock_member(call.tx, call.actor.user_id)  # before any action, as everywhere
    project = find_project(call, args.project_id)
    tasks = actions.open_of_project(call.tx, project.id)
    if len(tasks) > NEXT_TASK_CANDIDATES:
        call.require_worker_thread()
    pairs = edges.before_after_id_pairs_among_actions(call.tx, project.id, {task.id for task in tasks})
    graph = TaskGraph(tasks, pairs, caller_identity(call))
    candidates = _load_candidates(call, graph)
    return _held_already(call, project, graph, candidates) or _choose(call, project, graph, candidates, args.take)


def _load_candidates(call: Call, graph: TaskGraph) -> Candidates:
    ids = [task.id for task in graph.candidates()[:NEXT_TASK_CANDIDATES]]
    related = related_actions(call, ids)
    with_criteria = criteria.action_ids_with_criteria(call.tx, ids)
    takes_criteria = Scope.BUILDS_WRITE in call.actor.scopes or Scope.DESK_WRITE not in call.actor.scopes
    takeable, refused = set(), Counter[str]()
    for ident, action in related.items():
        if action.availability not in (Availability.FREE, Availability.CHANGES_REQUESTED):
            refused[action.reason or action.availability] += 1
        elif ident in with_criteria and not takes_criteria:
            refused["criteria"] += 1
        else:
            takeable.add(ident)
    return Candidates(related, takeable, with_criteria, refused)


def _held_already(call: Call, project: Project, graph: TaskGraph, candidates: Candidates) -> NextTask | None:
    """Who holds a task goes on with it; a repeated take gives the same one."""
    own = [ident for ident, action in candidates.related.items() if action.availability == Availability.MINE]
    if not own:
        return None
    has_criteria = own[0] in candidates.with_criteria_ids
    return _answer(call, project, graph, own[0], "You hold it already.", how_to_go_on(call, has_criteria))


def _choose(call: Call, project: Project, graph: TaskGraph, candidates: Candidates, take: bool) -> NextTask:
    takeable = set(candidates.takeable_ids)
    while (choice := graph.choose_next_task(_requested_changes(candidates, takeable) or takeable)) is not None:
        task_id, has_criteria = choice.task.id, choice.task.id in candidates.with_criteria_ids
        if not take:
            return _answer(call, project, graph, task_id, explain_choice(choice), how_to_take(call, has_criteria))
        if _take(call, task_id, has_criteria):
            step = how_to_go_on(call, has_criteria)
            return _answer(call, project, graph, task_id, explain_choice(choice), step, taken=True)
        takeable.discard(task_id)
    outcome = next_task_outcome_code(bool(projects.action_counts_by_state(call.tx, project.id)), graph)
    refused = candidates.refused + Counter({Availability.BLOCKED.value: graph.blocked_count()})
    return _answer(call, project, graph, None, why_none(call, outcome, refused), None, reason=outcome)


def _requested_changes(candidates: Candidates, ids: set[str]) -> set[str]:
    """Of the caller, before anything new."""
    return {ident for ident in ids if candidates.related[ident].availability == Availability.CHANGES_REQUESTED}


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
    graph: TaskGraph,
    task_id: str | None,
    why: str,
    next_step: str | None,
    reason: str = "ok",
    taken: bool = False,
) -> NextTask:
    return NextTask(
        task=_next_task_row(call, task_id) if task_id is not None else None,
        reason=reason,
        why=why,
        next_step=next_step,
        blocked=[_blocked_task(project, graph, task) for task in graph.nearest_blocked(BLOCKED_SHOWN)],
        blocked_count=graph.blocked_count(),
        taken=taken,
    )


def _next_task_row(call: Call, task_id: str) -> NextTaskRow:
    facts = find_action(call, task_id)
    row, text = task_row(facts.action, facts.project_key), facts.action.description
    return NextTaskRow(
        **{name: getattr(row, name) for name in row.__struct_fields__},
        description=text if len(text) <= NEXT_TASK_CHARS else text[:NEXT_TASK_CHARS] + MARK,
        criteria=len(criteria.of_action(call.tx, task_id)),
        assignee=assignee_result(call, facts.action.assignee, with_pid=False),
        due=facts.action.due_on,
    )


def _blocked_task(project: Project, graph: TaskGraph, task: OpenTask) -> BlockedTask:
    waiting_on = graph.open_prerequisites(task)
    # What a person has accepted is not among the tasks.
    notes = filter(None, (undecided_note(first.state, None) for first in waiting_on))
    return BlockedTask(
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label[:LABEL_LISTED_CHARS],
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
