"""Dependencies between actions: which way a label points, and why a cycle is refused."""

from collections.abc import Callable
from typing import Literal, NamedTuple

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


def order(label: str, source: str, target: str) -> tuple[str | None, str | None]:
    """(what comes first, what comes after); (None, None) where the label says nothing about order."""
    if label in SOURCE_FIRST:
        return source, target
    if label in TARGET_FIRST:
        return target, source
    return None, None


def find_cycle(first: str, after: str, successors: Callable[[str], list[str]]) -> list[str] | None:
    """The loop that the order first -> after would close, from `first` around to itself; None where it closes none.

    Depth first from `after`; `successors` are looked up one action at a time.
    """
    if first == after:
        return [first, first]
    came_from = {after: first}
    stack = [after]
    while stack:
        here = stack.pop()
        for following in successors(here):
            if following == first:
                return _walk_back(came_from, here, first)
            if following not in came_from:
                came_from[following] = here
                stack.append(following)
    return None


def _walk_back(came_from: dict[str, str], last: str, first: str) -> list[str]:
    path = [first, last]
    while path[-1] != first:
        path.append(came_from[path[-1]])
    return path[::-1]
