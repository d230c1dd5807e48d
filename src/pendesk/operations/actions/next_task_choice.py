"""Which task a caller comes to next in a project: their own, or one that they can take, as availability says.

An agent asks before every task, so nothing is looked up for each of the open ones: what decides about most of them is
read by the spec, and the rule is domain/availability.py's here as everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

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
from pendesk.domain.next_task import Choice, OpenTask, Reason, TaskGraph, decided_by, next_task_outcome_code
from pendesk.domain.project import Project
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.actions.next_task_advice import CRITERIA, DRAFT, NO_SLOT, why_none
from pendesk.operations.availability import overlapped_by_others, related_actions
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria, next_tasks
from pendesk.store import availability as standings
from pendesk.store.edges import NO_LIMIT
from pendesk.store.next_tasks import OpenWork

_TAKEABLE = frozenset({Availability.FREE, Availability.CHANGES_REQUESTED})


@dataclass(slots=True)
class TaskChoices:
    """`availability` is that of every candidate, by id; `not_takeable` counts why the caller cannot have the others.
    `blocked` are those that only wait for others. Who holds a task goes on with it: `own_task_id` is the first of them.
    """

    graph: TaskGraph
    has_tasks: bool
    own_task_id: str | None = None
    availability: dict[str, Availability] = field(default_factory=dict)
    overlapping_ids: set[str] = field(default_factory=set)
    takeable_ids: set[str] = field(default_factory=set)
    rework_ids: set[str] = field(default_factory=set)
    not_takeable: Counter[str] = field(default_factory=Counter)
    blocked: list[OpenTask] = field(default_factory=list)

    def choose(self) -> Choice | None:
        """Changes that were requested of the caller come before anything new."""
        return self.graph.choose_next_task(self.rework_ids or self.takeable_ids, self.overlapping_ids)

    def add(self, state: Availability, reason: NotReadyReason | None, task_ids: list[str]) -> None:
        self.availability.update(dict.fromkeys(task_ids, state))
        if state in _TAKEABLE:
            self.takeable_ids.update(task_ids)
        else:
            self.not_takeable[reason or state] += len(task_ids)

    def refuse(self, task_id: str) -> None:
        self.takeable_ids.discard(task_id)
        self.rework_ids.discard(task_id)

    def why_none(self, call: Call) -> tuple[Reason, str]:
        outcome = next_task_outcome_code(self.has_tasks, self.graph)
        counts = self.not_takeable + Counter({Availability.BLOCKED.value: len(self.blocked)})
        return outcome, why_none(call, outcome, counts)


def load_task_choices(call: Call, project: Project) -> TaskChoices:
    work = _load_open_work(call, project)
    graph = TaskGraph(work.tasks, work.pairs, caller_identity(call))
    choices = TaskChoices(graph, has_tasks=bool(work.tasks) or actions.has_project_any(call.tx, project.id))
    _Standings(call, project, graph).fill(choices)
    _sort_out(call, choices, has_slot=work.live_leases < call.limits.live_claims_per_user)
    return choices


def _load_open_work(call: Call, project: Project) -> OpenWork:
    user_id = call.actor.user_id
    work = next_tasks.open_of_project(call.tx, project.id, user_id, NEXT_TASK_OPEN_ON_LOOP + 1)
    if len(work.tasks) <= NEXT_TASK_OPEN_ON_LOOP:
        return work
    call.require_worker_thread()
    return next_tasks.open_of_project(call.tx, project.id, user_id, NO_LIMIT)


class _Standings:
    """How the open tasks of a project stand to the caller."""

    def __init__(self, call: Call, project: Project, graph: TaskGraph) -> None:
        self._call = call
        self._project = project
        self._graph = graph
        in_spec = [task for task in graph.tasks.values() if task.spec_id is not None]
        self._spec_ids, published_ids = standings.participated_spec_ids_and_published_action_ids(
            call.tx, {task.spec_id for task in in_spec if task.spec_id}, call.actor.user_id
        )
        self._unpublished_ids = {task.id for task in in_spec} - published_ids

    def fill(self, choices: TaskChoices) -> None:
        user_id, candidates = self._call.actor.user_id, self._graph.candidates
        own = [task for task in candidates if task.claim_user_id == user_id]
        if own:
            self._fill_own(choices, own)
        for state, reason, ids in self._judge([task for task in candidates if task.claim_user_id != user_id]):
            choices.add(state, reason, ids)
        self._mark_overlaps(choices, [task for task in candidates if task.declares_paths or task.fence])
        for state, reason, ids in self._judge(self._graph.blocked_tasks(), waits=True):
            if state == Availability.BLOCKED:
                choices.blocked = list(map(self._graph.tasks.__getitem__, ids))
            else:
                # What is not published, say, cannot begin either way, and that is what is said of it.
                choices.not_takeable[reason or state] += len(ids)

    def _fill_own(self, choices: TaskChoices, own: list[OpenTask]) -> None:
        """Which of their sessions has it takes more to know."""
        related = related_actions(self._call, [task.id for task in own])
        for task in own:
            state = related[task.id].availability
            choices.add(state, related[task.id].reason, [task.id])
            if state == Availability.MINE and choices.own_task_id is None:
                choices.own_task_id = task.id
            if state == Availability.CHANGES_REQUESTED:
                choices.rework_ids.add(task.id)

    def _judge(
        self, tasks: list[OpenTask], *, waits: bool = False
    ) -> Iterator[tuple[Availability, NotReadyReason | None, list[str]]]:
        """Of those that are not the caller's. Many have the same facts: the rule is asked once for all of those."""
        groups: dict[tuple[tuple[Any, ...], bool], list[str]] = defaultdict(list)
        for task in tasks:
            groups[decided_by(task), task.id in self._unpublished_ids].append(task.id)
        by_outcome: dict[tuple[Availability, NotReadyReason | None], list[str]] = defaultdict(list)
        for ids in groups.values():
            facts = self._facts(self._graph.tasks[ids[0]], waits=waits)
            state = availability(facts)
            reason = not_ready_reason(facts) if state == Availability.NOT_READY else None
            by_outcome[state, reason] += ids
        return ((state, reason, ids) for (state, reason), ids in by_outcome.items())

    def _facts(self, task: OpenTask, *, waits: bool) -> AvailabilityFacts:
        held = task.claim_state == ClaimState.ACTIVE
        return AvailabilityFacts(
            task.state,
            self._project.is_active,
            task.id not in self._unpublished_ids,
            task.spec_id is None or task.spec_id in self._spec_ids,
            waits,
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
                choices.refuse(ident)
                choices.not_takeable[Availability.BLOCKED] += 1


def _sort_out(call: Call, choices: TaskChoices, *, has_slot: bool) -> None:
    """What could be taken, but not by this caller."""
    scopes, candidates = call.actor.scopes, choices.graph.candidates
    drafts = {task.id for task in candidates if task.draft_kind} if Scope.SPECS_WRITE not in scopes else set[str]()
    # Who only reads is shown all of them.
    takes_criteria = Scope.BUILDS_WRITE in scopes or Scope.DESK_WRITE not in scopes
    takeable = [] if takes_criteria and has_slot else sorted(choices.takeable_ids)
    with_criteria = criteria.action_ids_with_criteria(call.tx, takeable)
    for ident in choices.takeable_ids & (drafts | with_criteria):
        if ident in drafts:
            reason = DRAFT
        elif not takes_criteria:
            reason = CRITERIA
        elif ident not in choices.rework_ids:
            reason = NO_SLOT
        else:
            continue
        choices.refuse(ident)
        choices.not_takeable[reason] += 1
