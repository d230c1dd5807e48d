"""Which task a caller comes to next in a project: their own, or one that they can take, as availability says."""

from collections import Counter
from dataclasses import dataclass

from pendesk.domain.access import Scope
from pendesk.domain.availability import Availability
from pendesk.domain.limits import NEXT_TASK_CANDIDATES
from pendesk.domain.next_task import Choice, OpenTask, Reason, TaskGraph, next_task_outcome_code
from pendesk.domain.project import Project
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.actions.next_task_advice import CRITERIA, DRAFT, NO_SLOT, why_none
from pendesk.operations.availability import RelatedAction, related_actions
from pendesk.operations.operation import Call
from pendesk.store import actions, claims, criteria, edges, projects
from pendesk.store.proposals import action_ids_that_ask_for_drafts

_TAKEABLE = (Availability.FREE, Availability.CHANGES_REQUESTED)


@dataclass(slots=True)
class TaskChoices:
    """`related` are those that may be taken, by id; `not_takeable` counts why the caller cannot have the others.
    `blocked` are those that only wait for others, the nearest to begin first.
    """

    graph: TaskGraph
    has_tasks: bool
    related: dict[str, RelatedAction]
    with_criteria_ids: set[str]
    takeable_ids: set[str]
    not_takeable: Counter[str]
    blocked: list[OpenTask]

    def has_criteria(self, task_id: str) -> bool:
        return task_id in self.with_criteria_ids

    def own_task_id(self) -> str | None:
        """Who holds a task goes on with it."""
        own = (ident for ident, action in self.related.items() if action.availability == Availability.MINE)
        return next(own, None)

    def choose(self) -> Choice | None:
        """Changes that were requested of the caller come before anything new."""
        rework = {ident for ident in self.takeable_ids if self._is(ident, Availability.CHANGES_REQUESTED)}
        overlapping = {ident for ident, action in self.related.items() if action.overlapped_ids}
        return self.graph.choose_next_task(rework or self.takeable_ids, overlapping)

    def why_none(self, call: Call) -> tuple[Reason, str]:
        outcome = next_task_outcome_code(self.has_tasks, self.graph)
        counts = self.not_takeable + Counter({Availability.BLOCKED.value: len(self.blocked)})
        return outcome, why_none(call, outcome, counts)

    def _is(self, task_id: str, availability: Availability) -> bool:
        return self.related[task_id].availability == availability


def load_task_choices(call: Call, project: Project) -> TaskChoices:
    counts = projects.action_counts_by_state(call.tx, project.id)
    if sum(counts.values()) > NEXT_TASK_CANDIDATES:
        call.require_worker_thread()
    tasks = actions.open_of_project(call.tx, project.id)
    pairs = edges.before_after_id_pairs_among_actions(call.tx, project.id, {task.id for task in tasks})
    graph = TaskGraph(tasks, pairs, caller_identity(call))
    ids = [task.id for task in graph.candidates()[:NEXT_TASK_CANDIDATES]]
    choices = TaskChoices(
        graph=graph,
        has_tasks=bool(counts),
        related=related_actions(call, ids),
        with_criteria_ids=criteria.action_ids_with_criteria(call.tx, ids),
        takeable_ids=set(),
        not_takeable=Counter(),
        blocked=[],
    )
    _sort_out(call, choices)
    _sort_out_blocked(call, choices)
    return choices


def _sort_out(call: Call, choices: TaskChoices) -> None:
    scopes = call.actor.scopes
    # Who only reads is shown all of them.
    takes_criteria = Scope.BUILDS_WRITE in scopes or Scope.DESK_WRITE not in scopes
    has_slot = _has_slot(call)
    drafts = set() if Scope.SPECS_WRITE in scopes else action_ids_that_ask_for_drafts(call.tx, [*choices.related])
    for ident, action in choices.related.items():
        if action.availability not in _TAKEABLE:
            choices.not_takeable[action.reason or action.availability] += 1
        elif ident in drafts:
            choices.not_takeable[DRAFT] += 1
        elif choices.has_criteria(ident) and not takes_criteria:
            choices.not_takeable[CRITERIA] += 1
        elif choices.has_criteria(ident) and not has_slot and action.availability == Availability.FREE:
            choices.not_takeable[NO_SLOT] += 1
        else:
            choices.takeable_ids.add(ident)


def _sort_out_blocked(call: Call, choices: TaskChoices) -> None:
    """What is not published, say, cannot begin either way, and that is what is said of it."""
    blocked = choices.graph.blocked_tasks()
    related = related_actions(call, [task.id for task in blocked[:NEXT_TASK_CANDIDATES]])
    for task in blocked:
        action = related.get(task.id)
        if action is None or action.availability == Availability.BLOCKED:
            choices.blocked.append(task)
        else:
            choices.not_takeable[action.reason or action.availability] += 1


def _has_slot(call: Call) -> bool:
    return claims.count_live_leases_of_user(call.tx, call.actor.user_id) < call.limits.live_claims_per_user
