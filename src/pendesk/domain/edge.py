"""Dependencies between actions: which way a label points, and why a cycle is refused."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from pendesk.domain.action import Action, ref_code
from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.limits import CYCLE_SHOWN
from pendesk.domain.project import Project

EdgeLabel = Literal["blocks", "depends_on", "unblocks", "feeds", "clarifies", "enables", "supports"]

SOURCE_FIRST = frozenset({"blocks", "unblocks", "feeds", "enables"})
TARGET_FIRST = frozenset({"depends_on"})


class Edge(NamedTuple):
    id: str
    project_id: str
    from_action_id: str
    to_action_id: str
    label: str
    style: str | None
    before_id: str | None
    after_id: str | None
    created_by: str
    created_at: int


def predecessor_and_successor(edge_label: str, source: str, target: str) -> tuple[str | None, str | None]:
    """(what comes first, what comes after); (None, None) where the label says nothing about order."""
    if edge_label in SOURCE_FIRST:
        return source, target
    if edge_label in TARGET_FIRST:
        return target, source
    return None, None


def check_distinct_actions_of_project(project: Project, source: Action, target: Action) -> None:
    if source.id == target.id:
        raise RuleBroken(
            f"{ref_code(project.key, source.ref_number)} cannot be connected with itself. Name two different tasks.",
            code="self_edge",
        )
    if source.project_id != project.id or target.project_id != project.id:
        raise RuleBroken(
            f"Both ends must be tasks of {project.key}. Connect tasks of one project only.", code="other_project"
        )


def choose_only_edge(edges: list[Edge]) -> Edge:
    """Of the edges that lead from one task to another, where there is only one."""
    if len(edges) > 1:
        named = ", ".join(f"{edge.label} ({edge.id})" for edge in edges)
        raise RuleBroken(
            f"Several edges lead from the one to the other: {named}. Name one by its edge_id.",
            code="several_edges",
            edges=[{"pid": edge.id, "label": edge.label} for edge in edges],
        )
    return edges[0]


def check_edge_closes_no_cycle(
    predecessor_id: str,
    successor_id: str,
    successors_of: Callable[[str], list[str]],
    refs_of: Callable[[list[str]], list[str]],
) -> None:
    """`refs_of` gives the ref codes of action ids."""
    loop = find_cycle_closed_by_edge(predecessor_id, successor_id, successors_of)
    if loop:
        refs = refs_of(loop)
        named = abbreviate_cycle_for_message(refs)
        edge_in_the_way = " -> ".join(refs[-2:])
        raise RuleBroken(
            f"This would close a cycle: {' -> '.join(named)}. Turn this edge round, or leave it out.",
            code="cycle",
            advice=(
                Advice(f"To have it all the same, remove {edge_in_the_way} first with remove_edge.", ("remove_edge",)),
                Advice(f"To have it all the same, a person removes {edge_in_the_way} first."),
            ),
            cycle=named,
        )


def abbreviate_cycle_for_message(cycle: list[str]) -> list[str]:
    """As much of a way round as a refusal tells: its beginning, and where it ends."""
    return cycle if len(cycle) <= CYCLE_SHOWN else [*cycle[: CYCLE_SHOWN - 1], "...", cycle[-1]]


def find_cycle_closed_by_edge(
    predecessor: str, successor: str, successors_of: Callable[[str], list[str]]
) -> list[str] | None:
    """The cycle that the new edge would close, from `predecessor` around to itself; None where it closes none.

    Breadth first from `successor`, so that the shortest is found; `successors_of` are looked up one action at a time.
    """
    if predecessor == successor:
        return [predecessor, predecessor]
    came_from = {successor: predecessor}
    queue = [successor]
    for current in queue:
        for following in successors_of(current):
            if following == predecessor:
                return _cycle_from_predecessors(came_from, current, predecessor)
            if following not in came_from:
                came_from[following] = current
                queue.append(following)
    return None


def _cycle_from_predecessors(predecessor_by_id: dict[str, str], last: str, first: str) -> list[str]:
    path = [first, last]
    while path[-1] != first:
        path.append(predecessor_by_id[path[-1]])
    return path[::-1]


def find_any_cycle(successors_by_id: dict[str, list[str]]) -> list[str] | None:
    """A way round in a whole graph, from a node back to itself; None where everything can be put in order.

    What waits for nothing is taken away until nothing is left to take: each node and edge is looked at once.
    """
    waiting: dict[str, int] = {}
    for followers in successors_by_id.values():
        for follower in followers:
            waiting[follower] = waiting.get(follower, 0) + 1
    ready = [follower for follower in successors_by_id if follower not in waiting]
    while ready:
        for follower in successors_by_id.get(ready.pop(), ()):
            waiting[follower] -= 1
            if waiting[follower] == 0:
                del waiting[follower]
                ready.append(follower)
    if not waiting:
        return None
    # What still waits lies on a way round or behind one, so going back from it comes round some time.
    before = {follower: node for node in waiting for follower in successors_by_id.get(node, ()) if follower in waiting}
    current = next(iter(waiting))
    passed: dict[str, int] = {}
    while current not in passed:
        passed[current] = len(passed)
        current = before[current]
    return [current, *reversed([node for node, place in passed.items() if place >= passed[current]])]
