"""Which task comes next: of those that can begin now the first in the order of work (domain/assignee.py), and of equals
the one that frees most work.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, Literal, NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.assignee import Assignee, Assignment, CallerIdentity, WorkOrder, assignment_to_caller, work_order
from pendesk.domain.limits import TIED_TASKS_COMPARED, TIED_TASKS_WALKED_EDGES
from pendesk.domain.priority import priority_level

Reason = Literal["ok", "no_tasks", "no_todo_tasks", "all_blocked"]


# Requested changes are for who submitted, and what is in progress may be free again: availability decides.
_TAKEABLE = frozenset({ActionState.TODO, ActionState.IN_PROGRESS, ActionState.CHANGES_REQUESTED})
# Looked up once: a member of an enum costs as much as the comparison, and all that is open is compared.
_TODO, _WONT_DO = ActionState.TODO, ActionState.WONT_DO


class OpenTask(NamedTuple):
    """A task that holds back what waits for it. What is resolved holds nothing back, so nobody needs to load it.

    The claim is that of one in progress, or with changes requested. `draft_kind`: of what it asks a draft for.
    """

    id: str
    ref_number: int
    label: str
    priority: int = 0
    assignee_user_id: str | None = None
    assignee_agent_id: str | None = None
    due_on: str | None = None
    state: ActionState = ActionState.TODO
    spec_id: str | None = None
    claim_user_id: str | None = None
    claim_state: str | None = None
    expires_at: int | None = None
    fence: int = 0
    declares_paths: int = 0
    draft_kind: str | None = None


# Most tasks have in common with many others what orders them, and what decides who can have them: each is worked out
# once for all that have it in common. These are the fields from priority to due_on, and from state to expires_at.
ordered_by, decided_by = itemgetter(3, 4, 5, 6), itemgetter(7, 8, 9, 10, 11)
_BY_AGE = attrgetter("ref_number")


class Choice(NamedTuple):
    """`longest_chain` is the longest line of tasks that wait behind it, `dependents` how many wait in all."""

    task: OpenTask
    longest_chain: int
    dependents: int
    ready_count: int
    assignment: Assignment = Assignment.TO_NOBODY


class TaskGraph:
    """The tasks of one project that are not resolved, and what comes before what among them."""

    def __init__(
        self, tasks: list[OpenTask], edges: Iterable[tuple[str, ...]], caller: CallerIdentity | None = None
    ) -> None:
        """`edges` are (comes first, comes after); those with an end that is resolved are passed over."""
        self._caller = caller or CallerIdentity("")
        self.tasks = {task.id: task for task in tasks}
        self._dropped_ids = {task.id for task in tasks if task.state == _WONT_DO}
        self._work_orders: dict[tuple[Any, ...], WorkOrder] = {}
        self._after: dict[str, list[str]] = {}
        self._before: dict[str, list[str]] = {}
        for first, after in edges:
            if first in self.tasks and after in self.tasks:
                self._after.setdefault(first, []).append(after)
                self._before.setdefault(after, []).append(first)

    def blocked_tasks(self) -> list[OpenTask]:
        """Those in todo that wait for others."""
        tasks = map(self.tasks.__getitem__, self._before)
        return [task for task in tasks if task.state == _TODO]

    def nearest_to_begin(self, blocked: list[OpenTask], limit: int) -> list[OpenTask]:
        """The ones that wait for the fewest come first."""
        before, order = self._before, self._work_order
        return sorted(blocked, key=lambda task: (len(set(before[task.id])), order(task), task.ref_number))[:limit]

    def waits(self, task_id: str) -> bool:
        return task_id in self._before

    def open_prerequisites(self, task: OpenTask) -> list[OpenTask]:
        """As for a claim: what was dropped holds back until a person accepts it."""
        return [self.tasks[task_id] for task_id in dict.fromkeys(self._before.get(task.id, []))]

    def has_task_in_todo_state(self) -> bool:
        return any(task.state == _TODO for task in self.tasks.values())

    @cached_property
    def candidates(self) -> list[OpenTask]:
        """What may be taken: those that wait for nothing and nobody may have, in the order of work."""
        return [task for group in self._candidates_by_order for task in group]

    @cached_property
    def _candidates_by_order(self) -> list[list[OpenTask]]:
        """Those that are equal in the order of work together, the oldest first."""
        groups: dict[tuple[Any, ...], list[OpenTask]] = defaultdict(list)
        for task in self.tasks.values():
            if task.state in _TAKEABLE and task.id not in self._before:
                groups[ordered_by(task)].append(task)
        by_order: dict[WorkOrder, list[OpenTask]] = defaultdict(list)
        for group in groups.values():
            by_order[self._work_order(group[0])] += group
        return [sorted(by_order[order], key=_BY_AGE) for order in sorted(by_order)]

    def _work_order(self, task: OpenTask) -> WorkOrder:
        key = ordered_by(task)
        order = self._work_orders.get(key)
        if order is None:
            order = self._work_orders[key] = work_order(self._assignment(task), task.priority, task.due_on)
        return order

    def _assignment(self, task: OpenTask) -> Assignment:
        return assignment_to_caller(Assignee(task.assignee_user_id, task.assignee_agent_id), self._caller)

    def choose_next_task(self, takeable_ids: Collection[str], overlapping_ids: Collection[str] = ()) -> Choice | None:
        """By the order of work, then by the longest chain behind it, then by how many wait in all, then by age.

        `overlapping_ids`: those that touch files at work.
        """
        ready = [[task for task in group if task.id in takeable_ids] for group in self._candidates_by_order]
        urgent = next(filter(None, ready), None)
        if urgent is None:
            return None
        if overlapping_ids:
            urgent = self._most_urgent([task for group in ready for task in group], overlapping_ids)
        chains = self._dependent_chain_length_by_id()
        lengths = [chains.get(task.id, 0) for task in urgent]
        longest = max(lengths)
        # Counting all that waits costs a walk for each, so only the oldest of many equals are compared.
        tied = [task for task, length in zip(urgent, lengths, strict=True) if length == longest][:TIED_TASKS_COMPARED]
        dependents, best = self._with_most_dependents(tied) if longest else (0, tied[0])
        return Choice(best, longest, dependents, sum(map(len, ready)), self._assignment(best))

    def _most_urgent(self, ready: list[OpenTask], overlapping_ids: Collection[str]) -> list[OpenTask]:
        """Where some overlap with work: then that counts more than when they are due."""
        orders = [
            work_order(self._assignment(task), task.priority, task.due_on, overlaps=task.id in overlapping_ids)
            for task in ready
        ]
        first = min(orders)
        return [task for task, order in zip(ready, orders, strict=True) if order == first]

    def critical_path_task_ids(self) -> list[str]:
        """The longest line of tasks that wait for each other: what decides when all is done. None waits: no line."""
        chains = self._dependent_chain_length_by_id()
        starts = [task_id for task_id in self.tasks if task_id not in self._before and self._is_not_dropped(task_id)]
        current = max(starts, key=lambda task_id: chains.get(task_id, 0), default=None)
        path: list[str] = []
        while current is not None and chains.get(current, 0):
            path.append(current)
            current = max(
                self._after[current], key=lambda task_id: chains.get(task_id, 0) + self._is_not_dropped(task_id)
            )
        return [*path, current] if path and current is not None else []

    def _is_not_dropped(self, task_id: str) -> bool:
        return task_id not in self._dropped_ids

    def _dependent_chain_length_by_id(self) -> dict[str, int]:
        """Task -> the number of tasks in the longest line behind it. From the ends backwards, each edge once; what has
        nothing behind it is left out.
        """
        chains: dict[str, int] = {}
        before, left = self._before, {task_id: len(after) for task_id, after in self._after.items()}
        done = [task_id for task_id in before if task_id not in left]
        while done:
            current = done.pop()
            length = chains.get(current, 0) + (current not in self._dropped_ids)
            for first in before[current]:
                if chains.get(first, 0) < length:
                    chains[first] = length
                left[first] -= 1
                if not left[first] and first in before:
                    done.append(first)
        return chains

    def _with_most_dependents(self, tasks: list[OpenTask]) -> tuple[int, OpenTask]:
        """And how many wait for it, however far; of equals the oldest. The first of them is counted always, the others
        until too many edges were walked.
        """
        counted: list[tuple[int, int, OpenTask]] = []
        walked = 0
        for task in tasks:
            if walked > TIED_TASKS_WALKED_EDGES:
                break
            behind, edges = self._dependents_and_edges_walked(task.id)
            walked += edges
            counted.append((len(behind - self._dropped_ids), -task.ref_number, task))
        count, _, task = max(counted)
        return count, task

    def _dependents_and_edges_walked(self, task_id: str) -> tuple[set[str], int]:
        after = self._after[task_id]
        seen, edges = set(after), len(after)
        stack = seen & self._after.keys()
        while stack:
            after = self._after[stack.pop()]
            edges += len(after)
            unseen = set(after) - seen
            seen |= unseen
            stack |= unseen & self._after.keys()
        return seen, edges


def explain_choice(choice: Choice) -> str:
    """In words, for the agent and for whoever asks it."""
    if choice.ready_count == 1:
        return f"It is the only task that can begin now{_ASSIGNED_ALONE[choice.assignment]}."
    reasons = [*_ASSIGNED[choice.assignment], _urgency(choice.task)]
    reasons += [f"due {choice.task.due_on}"] if choice.task.due_on else []
    reasons += _what_waits(choice)
    return f"Of {choice.ready_count} tasks that can begin now: {'; '.join(reasons)}."


_ASSIGNED: dict[Assignment, list[str]] = {
    Assignment.TO_CALLER: ["assigned to you"],
    Assignment.TO_NOBODY: [],
    Assignment.TO_OTHER: ["assigned to another, as all of them"],
}
_ASSIGNED_ALONE = {
    Assignment.TO_CALLER: "; it is assigned to you",
    Assignment.TO_NOBODY: "",
    Assignment.TO_OTHER: "; it is assigned to another, which stops nobody",
}


def _urgency(task: OpenTask) -> str:
    level = priority_level(task.priority)
    return f"{level} priority" if level != "none" else "none of them is more urgent"


def _what_waits(choice: Choice) -> list[str]:
    if not choice.dependents:
        return ["nothing waits for it", "the oldest of those"]
    count = choice.dependents
    return ["1 task waits for it" if count == 1 else f"{count} tasks wait for it, {choice.longest_chain} in a row"]


def next_task_outcome_code(has_tasks: bool, graph: TaskGraph) -> Reason:
    """Where none can be taken."""
    if not has_tasks:
        return "no_tasks"
    return "all_blocked" if graph.has_task_in_todo_state() else "no_todo_tasks"
