"""Which task comes next: of those that can begin now the first in the order of work (domain/assignee.py), and of equals
the one that frees most work.
"""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Literal, NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.assignee import Assignee, Assignment, CallerIdentity, WorkOrder, assignment_to_caller, work_order
from pendesk.domain.limits import TIED_TASKS_COMPARED, TIED_TASKS_WALKED_EDGES
from pendesk.domain.priority import priority_level

Reason = Literal["ok", "no_tasks", "no_todo_tasks", "all_blocked"]


# Requested changes are for who submitted, and what is in progress may be free again: availability decides.
_TAKEABLE = frozenset({ActionState.TODO, ActionState.IN_PROGRESS, ActionState.CHANGES_REQUESTED})


class OpenTask(NamedTuple):
    """A task that holds back what waits for it. What is resolved holds nothing back, so nobody needs to load it.

    The claim is that of one in progress, or with changes requested.
    """

    id: str
    ref_number: int
    label: str
    state: ActionState
    priority: int
    assignee_user_id: str | None = None
    assignee_agent_id: str | None = None
    due_on: str | None = None
    spec_id: str | None = None
    fence: int = 0
    paths: str = "[]"
    claim_user_id: str | None = None
    claim_state: str | None = None
    expires_at: int | None = None

    @property
    def declares_paths(self) -> bool:
        return self.paths != "[]"


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
        self._orders: dict[str, tuple[WorkOrder, int]] = {}
        self._after: dict[str, list[str]] = {}
        self._before: dict[str, list[str]] = {}
        for first, after in edges:
            if first in self.tasks and after in self.tasks:
                self._after.setdefault(first, []).append(after)
                self._before.setdefault(after, []).append(first)

    def blocked_tasks(self) -> list[OpenTask]:
        """Those in todo that wait for others; the ones that wait for the fewest come first."""
        tasks = (self.tasks[task_id] for task_id in self._before)
        blocked = [task for task in tasks if task.state == ActionState.TODO]
        return sorted(blocked, key=lambda task: (len(set(self._before[task.id])), self._order(task)))

    def waits(self, task_id: str) -> bool:
        return task_id in self._before

    def open_prerequisites(self, task: OpenTask) -> list[OpenTask]:
        """As for a claim: what was dropped holds back until a person accepts it."""
        return [self.tasks[task_id] for task_id in dict.fromkeys(self._before.get(task.id, []))]

    def has_task_in_todo_state(self) -> bool:
        return any(task.state == ActionState.TODO for task in self.tasks.values())

    @cached_property
    def candidates(self) -> list[OpenTask]:
        """What may be taken: those that wait for nothing and nobody may have, in the order of work."""
        ready = [task for task in self.tasks.values() if task.state in _TAKEABLE and task.id not in self._before]
        return sorted(ready, key=self._order)

    def _order(self, task: OpenTask) -> tuple[WorkOrder, int]:
        order = self._orders.get(task.id)
        if order is None:
            order = self._orders[task.id] = (self._work_order(task), task.ref_number)
        return order

    def _work_order(self, task: OpenTask, *, overlaps: bool = False) -> WorkOrder:
        return work_order(self._assignment(task), task.priority, task.due_on, overlaps=overlaps)

    def _assignment(self, task: OpenTask) -> Assignment:
        if task.assignee_user_id is None and task.assignee_agent_id is None:
            return Assignment.TO_NOBODY  # most of them, and many are asked
        return assignment_to_caller(Assignee(task.assignee_user_id, task.assignee_agent_id), self._caller)

    def choose_next_task(self, takeable_ids: Collection[str], overlapping_ids: Collection[str] = ()) -> Choice | None:
        """By the order of work, then by the longest chain behind it, then by how many wait in all, then by age.

        `overlapping_ids`: those that touch files at work.
        """
        ready = [task for task in self.candidates if task.id in takeable_ids]
        if not ready:
            return None
        chains = self._dependent_chain_length_by_id()
        orders = {
            task.id: self._work_order(task, overlaps=True) if task.id in overlapping_ids else self._order(task)[0]
            for task in ready
        }
        first_order = min(orders.values())
        urgent = [task for task in ready if orders[task.id] == first_order]
        longest = max(chains.get(task.id, 0) for task in urgent)
        # Counting all that waits costs a walk for each, so only the oldest of many equals are compared.
        tied = [task for task in urgent if chains.get(task.id, 0) == longest][:TIED_TASKS_COMPARED]
        behind = self._count_dependents(tied) if longest else {tied[0]: 0}
        best = max(behind, key=lambda task: (behind[task], -task.ref_number))
        return Choice(best, longest, behind[best], len(ready), self._assignment(best))

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
        return self.tasks[task_id].state != ActionState.WONT_DO

    def _dependent_chain_length_by_id(self) -> dict[str, int]:
        """Task -> the number of tasks in the longest line behind it. From the ends backwards, each edge once."""
        chains: dict[str, int] = {}
        left = {task_id: len(after) for task_id, after in self._after.items()}
        done = [task_id for task_id in self.tasks if task_id not in left]
        while done:
            current = done.pop()
            length = chains.get(current, 0) + self._is_not_dropped(current)
            for first in self._before.get(current, []):
                chains[first] = max(chains.get(first, 0), length)
                left[first] -= 1
                if not left[first]:
                    done.append(first)
        return chains

    def _count_dependents(self, tasks: list[OpenTask]) -> dict[OpenTask, int]:
        """The first of them always; others until too many edges were walked."""
        counts: dict[OpenTask, int] = {}
        walked = 0
        for task in tasks:
            if walked > TIED_TASKS_WALKED_EDGES:
                break
            seen = self._transitive_dependents_of(task.id)
            walked += sum(len(self._after.get(task_id, ())) for task_id in seen)
            counts[task] = sum(map(self._is_not_dropped, seen))
        return counts

    def _transitive_dependents_of(self, task_id: str) -> set[str]:
        seen: set[str] = set()
        stack = [task_id]
        while stack:
            unseen = set(self._after.get(stack.pop(), ())) - seen
            seen |= unseen
            stack += unseen
        return seen


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
