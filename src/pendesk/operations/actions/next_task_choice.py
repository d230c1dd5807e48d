"""Which task a caller comes to next in a project: their own, or one that they can take, as availability says.

An agent asks before every task, so nothing is looked up for each of the open ones: what decides about most of them is
read by the spec, and the rule is domain/availability.py's here as everywhere.
"""

from collections import Counter
from dataclasses import dataclass, field

from pendesk.domain.access import Scope
from pendesk.domain.agent_session import Relation
from pendesk.domain.availability import (
    Availability,
    AvailabilityFacts,
    NotReadyReason,
    availability,
    not_ready_reason,
)
from pendesk.domain.claim import ClaimState
from pendesk.domain.limits import NEXT_TASK_OPEN_ON_LOOP, OVERLAP_LOOKED_AT
from pendesk.domain.next_task import Choice, OpenTask, Reason, TaskGraph, next_task_outcome_code
from pendesk.domain.project import Project
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.actions.next_task_advice import CRITERIA, DRAFT, NO_SLOT, why_none
from pendesk.operations.availability import overlapped_by_others, related_actions
from pendesk.operations.operation import Call
from pendesk.store import actions, claims, criteria, edges
from pendesk.store import availability as standings
from pendesk.store.proposals import action_ids_that_ask_for_drafts

_TAKEABLE = frozenset({Availability.FREE, Availability.CHANGES_REQUESTED})


@dataclass(slots=True)
class TaskChoices:
    """`availability` is that of every candidate, by id; `not_takeable` counts why the caller cannot have the others.
    `blocked` are those that only wait for others, the nearest to begin first.
    """

    graph: TaskGraph
    has_tasks: bool
    availability: dict[str, Availability] = field(default_factory=dict)
    overlapping_ids: set[str] = field(default_factory=set)
    takeable_ids: set[str] = field(default_factory=set)
    not_takeable: Counter[str] = field(default_factory=Counter)
    blocked: list[OpenTask] = field(default_factory=list)

    def own_task_id(self) -> str | None:
        """Who holds a task goes on with it."""
        return next((ident for ident, state in self.availability.items() if state == Availability.MINE), None)

    def choose(self) -> Choice | None:
        """Changes that were requested of the caller come before anything new."""
        rework = {ident for ident in self.takeable_ids if self.is_rework(ident)}
        return self.graph.choose_next_task(rework or self.takeable_ids, self.overlapping_ids)

    def is_rework(self, task_id: str) -> bool:
        return self.availability[task_id] == Availability.CHANGES_REQUESTED

    def why_none(self, call: Call) -> tuple[Reason, str]:
        outcome = next_task_outcome_code(self.has_tasks, self.graph)
        counts = self.not_takeable + Counter({Availability.BLOCKED.value: len(self.blocked)})
        return outcome, why_none(call, outcome, counts)


def load_task_choices(call: Call, project: Project) -> TaskChoices:
    if actions.count_open_of_project(call.tx, project.id, NEXT_TASK_OPEN_ON_LOOP + 1) > NEXT_TASK_OPEN_ON_LOOP:
        call.require_worker_thread()
    tasks = actions.open_of_project(call.tx, project.id)
    pairs = edges.before_after_id_pairs_of(call.tx, [task.id for task in tasks]) if tasks else []
    graph = TaskGraph(tasks, pairs, caller_identity(call))
    choices = TaskChoices(graph, has_tasks=bool(tasks) or actions.has_project_any(call.tx, project.id))
    _Standings(call, project, graph).fill(choices)
    _sort_out(call, choices)
    return choices


class _Standings:
    """How the open tasks of a project stand to the caller."""

    def __init__(self, call: Call, project: Project, graph: TaskGraph) -> None:
        self._call = call
        self._project = project
        self._graph = graph
        self._is_active = project.is_active
        spec_ids = {task.spec_id for task in graph.tasks.values() if task.spec_id is not None}
        self._spec_ids, self._published_ids = standings.participated_spec_ids_and_published_action_ids(
            call.tx, spec_ids, call.actor.user_id
        )

    def fill(self, choices: TaskChoices) -> None:
        candidates = self._graph.candidates
        own = [task.id for task in candidates if task.claim_user_id == self._call.actor.user_id]
        related = related_actions(self._call, own)  # which of their sessions has it takes more to know
        for task in candidates:
            action = related.get(task.id)
            state, reason = self._state_and_reason(task) if action is None else (action.availability, action.reason)
            choices.availability[task.id] = state
            if state in _TAKEABLE:
                choices.takeable_ids.add(task.id)
            else:
                choices.not_takeable[reason or state] += 1
        self._mark_overlaps(choices, [task for task in candidates if task.declares_paths or task.fence])
        for task in self._graph.blocked_tasks():
            state, reason = self._state_and_reason(task)
            if state == Availability.BLOCKED:
                choices.blocked.append(task)
            else:
                # What is not published, say, cannot begin either way, and that is what is said of it.
                choices.not_takeable[reason or state] += 1

    def _state_and_reason(self, task: OpenTask) -> tuple[Availability, NotReadyReason | None]:
        facts = self._facts(task)
        state = availability(facts)
        return state, not_ready_reason(facts) if state == Availability.NOT_READY else None

    def _facts(self, task: OpenTask) -> AvailabilityFacts:
        """Of one that is not the caller's."""
        held = task.claim_state == ClaimState.ACTIVE
        return AvailabilityFacts(
            task.state,
            self._is_active,
            task.spec_id is None or task.id in self._published_ids,
            task.spec_id is None or task.spec_id in self._spec_ids,
            self._graph.waits(task.id),
            None if task.claim_user_id is None else Relation.OTHER_USER,
            held,
            held and self._call.now < (task.expires_at or 0),
        )

    def _mark_overlaps(self, choices: TaskChoices, tasks: list[OpenTask]) -> None:
        """As availability does it for a list."""
        refuses = bool(self._project.refuse_overlap)
        free = [task for task in tasks if choices.availability[task.id] == Availability.FREE]
        looked_at = free if refuses else [task for task in free if task.declares_paths][:OVERLAP_LOOKED_AT]
        overlapped = overlapped_by_others(self._call, {task.id: self._project.id for task in looked_at})
        choices.overlapping_ids.update(overlapped)
        if refuses:
            for ident in overlapped:
                choices.availability[ident] = Availability.BLOCKED
                choices.takeable_ids.discard(ident)
                choices.not_takeable[Availability.BLOCKED] += 1


def _sort_out(call: Call, choices: TaskChoices) -> None:
    """What could be taken, but not by this caller."""
    scopes, takeable = call.actor.scopes, sorted(choices.takeable_ids)
    drafts = set() if Scope.SPECS_WRITE in scopes else action_ids_that_ask_for_drafts(call.tx, takeable)
    # Who only reads is shown all of them.
    takes_criteria = Scope.BUILDS_WRITE in scopes or Scope.DESK_WRITE not in scopes
    has_slot = takes_criteria and _has_slot(call)
    with_criteria = set() if has_slot else criteria.action_ids_with_criteria(call.tx, takeable)
    for ident in takeable:
        reason = DRAFT if ident in drafts else None
        if reason is None and ident in with_criteria:
            needs_slot = not choices.is_rework(ident)
            reason = CRITERIA if not takes_criteria else NO_SLOT if needs_slot else None
        if reason is not None:
            choices.takeable_ids.discard(ident)
            choices.not_takeable[reason] += 1


def _has_slot(call: Call) -> bool:
    return claims.count_live_leases_of_user(call.tx, call.actor.user_id) < call.limits.live_claims_per_user
