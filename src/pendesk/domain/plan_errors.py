"""Everything that is wrong with a plan that someone wants a project made from, told at once.

Parts that are broken in themselves (a label that is missing, a number for a text) come as None and are passed over:
they are told of elsewhere, and the rest is judged all the same.
"""

from collections import Counter
from typing import NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.edge import find_cycle_closed_by_edge, predecessor_and_successor
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import ACTION_EDGES, FAULTS_IN_MESSAGE, FAULTS_SHOWN


class Fault(NamedTuple):
    field: str
    problem: str


class PlannedEdge(NamedTuple):
    source: str | None
    target: str | None
    label: str | None


def find_plan_faults(
    task_keys: list[str | None],
    task_states: list[str | None],
    edges: list[PlannedEdge],
    task_keys_linked_by_documents: list[str | None],
    is_agent: bool,
) -> list[Fault]:
    """Keys, states and links are each in the plan's order. An agent begins nothing that waits for something else."""
    return [
        *_duplicate_key_faults(task_keys),
        *_edge_endpoint_faults(set(task_keys), edges),
        *_cycle_faults(set(task_keys), edges),
        *_edge_limit_faults(edges),
        *(_blocked_task_faults(task_keys, task_states, edges) if is_agent else ()),
        *(
            Fault(
                f"documents[{index}].link_to",
                f"there is no task {_quote_truncated(link)}; name the key of one in tasks.",
            )
            for index, link in enumerate(task_keys_linked_by_documents)
            if link is not None and link not in task_keys
        ),
    ]


def raise_if_plan_faults(faults: list[Fault]) -> None:
    if faults:
        raise invalid_plan_error(faults)


def invalid_plan_error(faults: list[Fault]) -> RuleBroken:
    """One refusal for all of them; a program finds them in `faults`."""
    problems = " ".join(f"{field}: {problem}" for field, problem in faults[:FAULTS_IN_MESSAGE])
    count = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
    return RuleBroken(
        f"The plan has {count}, and nothing was created. {problems}"[:900],
        code="bad_plan",
        field=faults[0].field,
        faults=[{"field": field, "problem": problem} for field, problem in faults[:FAULTS_SHOWN]],
    )


def _quote_truncated(text: str) -> str:
    return repr(text[:40])


def _duplicate_key_faults(keys: list[str | None]) -> list[Fault]:
    faults: list[Fault] = []
    earlier_keys: set[str] = set()
    for index, key in enumerate(keys):
        if key is not None and key in earlier_keys:
            faults.append(
                Fault(f"tasks[{index}].key", f"{_quote_truncated(key)} is used twice; give each task its own key.")
            )
        if key is not None:
            earlier_keys.add(key)
    return faults


def _blocked_task_faults(keys: list[str | None], states: list[str | None], edges: list[PlannedEdge]) -> list[Fault]:
    state_by_key = dict(zip(keys, states, strict=True))
    first_open: dict[str, str] = {}
    for source, target, label in edges:
        if source is None or target is None or label is None or not {source, target} <= state_by_key.keys():
            continue
        first, second = predecessor_and_successor(label, source, target)
        if first is not None and second is not None and state_by_key[first] != ActionState.DONE:
            first_open.setdefault(second, first)
    return [
        Fault(
            f"tasks[{index}].status",
            f"{state}, but it waits for {_quote_truncated(first_open[key])}; create it as todo.",
        )
        for index, (key, state) in enumerate(zip(keys, states, strict=True))
        if key in first_open and state in (ActionState.IN_PROGRESS, ActionState.IN_REVIEW)
    ]


def _edge_endpoint_faults(task_keys: set[str | None], edges: list[PlannedEdge]) -> list[Fault]:
    faults: list[Fault] = []
    for index, edge in enumerate(edges):
        for name, end in (("from", edge.source), ("to", edge.target)):
            if end is not None and end not in task_keys:
                field = f"edges[{index}].{name}"
                faults.append(Fault(field, f"there is no task {_quote_truncated(end)}; name the key of one in tasks."))
        if edge.source is not None and edge.source == edge.target:
            faults.append(Fault(f"edges[{index}].to", "a task cannot be connected with itself."))
    return faults


def _cycle_faults(task_keys: set[str | None], edges: list[PlannedEdge]) -> list[Fault]:
    """Edge by edge, as if they were drawn one after the other: the fault lies with the one that closes the loop."""
    faults: list[Fault] = []
    successors: dict[str, list[str]] = {}
    for index, (source, target, label) in enumerate(edges):
        if source is None or target is None or label is None or source == target or not {source, target} <= task_keys:
            continue
        first, second = predecessor_and_successor(label, source, target)
        if first is None or second is None:
            continue
        loop = find_cycle_closed_by_edge(first, second, lambda key: successors.get(key, []))
        if loop is None:
            successors.setdefault(first, []).append(second)
            continue
        path = " -> ".join(key[:40] for key in loop[:10]) + (" -> ..." if len(loop) > 10 else "")
        faults.append(Fault(f"edges[{index}]", f"closes a cycle: {path}; reverse it or leave one of them out."))
    return faults


def _edge_limit_faults(edges: list[PlannedEdge]) -> list[Fault]:
    ends = Counter(end for edge in set(edges) for end in (edge.source, edge.target) if end is not None)
    return [
        Fault("edges", f"{_quote_truncated(key)} has {count} edges, and {ACTION_EDGES} is the limit.")
        for key, count in sorted(ends.items())
        if count > ACTION_EDGES
    ]
