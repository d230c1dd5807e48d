"""get_next_task: what to work on now in a project, and why."""

import msgspec

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code, status_of_task
from pendesk.domain.claim import ActionFacts
from pendesk.domain.limits import BLOCKED_SHOWN, LABEL_LISTED_CHARS, WAITING_ON_SHOWN
from pendesk.domain.next_task import Choice, OpenTask, TaskGraph, explain_choice, next_task_outcome_code
from pendesk.domain.prerequisite import undecided_note
from pendesk.domain.project import Project
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.task_results import Task, TaskRow, task_result
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.building.claim_guard import refusal_of_claim, with_relation_to_caller
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.proposals.drafting_next_step import drafting_next_step
from pendesk.operations.truncate import RestField, Truncatable
from pendesk.store import actions, criteria, edges, projects


class GetNextTask(Input):
    project_id: ProjectId
    rest: RestField | None = None


class WaitedForTask(TaskRow):
    """note: of what is wont_do, that a person decides."""

    note: str | None = None


class BlockedTask(TaskRow, kw_only=True):
    """waiting_on: the first few of those that hold it back; waitingOnCount counts them all."""

    waiting_on: list[WaitedForTask] = msgspec.field(name="waiting_on")
    waiting_on_count: int


class NextTask(Truncatable):
    task: Task | None
    reason: str
    why: str
    blocked: list[BlockedTask]
    blocked_count: int


# By the outcome: why there is none, and what somebody who may write can do about it.
WHY_NOT = {
    "no_tasks": ("The project has no task yet.", "Create some with create_task or scaffold_project_from_plan."),
    "no_todo_tasks": ("No task is in todo.", "Move one from backlog or scope with update_task when it is ready."),
    "all_blocked": (
        "Every task in todo waits for another; blocked says for which.",
        "Finish those first; a person decides about those that are wont_do.",
    ),
}


def run(call: Call, args: GetNextTask) -> NextTask:
    project = find_project(call, args.project_id)
    tasks = actions.open_of_project(call.tx, project.id)
    order = TaskGraph(
        tasks, edges.before_after_id_pairs_among_actions(call.tx, project.id, {task.id for task in tasks})
    )
    choice = order.choose_next_task()
    word = next_task_outcome_code(bool(projects.action_counts_by_state(call.tx, project.id)), order, choice)
    waiting = [task for task in order.tasks_in_todo_state() if order.open_prerequisites(task)]
    task, why = _chosen_task_and_why(call, choice) if choice is not None else (None, _why_none(call, word))
    answer = NextTask(
        task=task,
        reason=word,
        why=why,
        blocked=[_blocked_task(project, order, task) for task in waiting[:BLOCKED_SHOWN]],
        blocked_count=len(waiting),
    )
    return truncate_for_agent_or_read_rest(call, answer, args.rest, task=None, blocked=[])


def _chosen_task_and_why(call: Call, choice: Choice) -> tuple[Task, str]:
    facts = find_action(call, choice.task.id)
    task = task_result(facts.action, facts.project_key, len(criteria.of_action(call.tx, facts.action.id)))
    return task, f"{explain_choice(choice)} {_how_to_begin(call, facts, task.criteria)}"


def _why_none(call: Call, outcome: str) -> str:
    fact, next_step = WHY_NOT[outcome]
    return f"{fact} {next_step}" if Scope.DESK_WRITE in call.actor.scopes else fact


def _how_to_begin(call: Call, facts: ActionFacts, criteria_count: int) -> str:
    """In the tools that the caller has. It is next even where claiming it would be refused."""
    drafting = drafting_next_step(call, facts.action.id)
    if drafting is not None:
        return drafting
    if not facts.in_active_project:
        return f"The project is {facts.project_state}: nothing in it can be claimed until a person activates it."
    if facts.action.spec_id is not None and facts.build_id is None:
        return "Its spec is not published: it can be claimed once a person publishes it."
    if Scope.BUILDS_WRITE in call.actor.scopes:
        refusal = refusal_of_claim(call, with_relation_to_caller(call, facts))
        return "Take it with claim_action." if refusal is None else refusal.message
    if criteria_count or Scope.DESK_WRITE not in call.actor.scopes:
        return "An agent with a building token claims it."
    return "Report the work on it with start_agent_run, and set it done with update_task at the end."


def _blocked_task(project: Project, graph: TaskGraph, task: OpenTask) -> BlockedTask:
    waiting_on = graph.open_prerequisites(task)
    row = _open_task_row(project, task)
    return BlockedTask(
        pid=row.pid,
        ref_code=row.ref_code,
        label=row.label,
        status=row.status,
        priority=row.priority,
        waiting_on=[_waited_for_task(project, first) for first in waiting_on[:WAITING_ON_SHOWN]],
        waiting_on_count=len(waiting_on),
    )


def _waited_for_task(project: Project, task: OpenTask) -> WaitedForTask:
    row = _open_task_row(project, task)
    return WaitedForTask(
        pid=row.pid,
        ref_code=row.ref_code,
        label=row.label,
        status=row.status,
        priority=row.priority,
        # What a person has accepted is not among the tasks.
        note=undecided_note(task.state, None),
    )


def _open_task_row(project: Project, task: OpenTask) -> TaskRow:
    return TaskRow(
        pid=task.id,
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label[:LABEL_LISTED_CHARS],
        status=status_of_task(task.state),
        priority=task.priority,
    )


OPERATION = Operation(
    name="get_next_task",
    title="What to do next",
    description=(
        "The task to take now: in todo, with its prerequisites done, the most urgent first. Call it before you start "
        "and after each task. Gives task (as update_task shows it) or null, why with how to begin, and what is "
        "blocked."
    ),
    input=GetNextTask,
    output=NextTask,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
