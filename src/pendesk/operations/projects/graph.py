"""A project as a graph: which edges are drawn, and where each task stands. The canvas and the flow are the same one."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple, Protocol

from pendesk.domain.edge import Edge
from pendesk.domain.layout import Layout, Point, lay_out
from pendesk.domain.limits import GRAPH_EDGES
from pendesk.operations.operation import Call
from pendesk.store import edges


class Placed(Protocol):
    """A task with its place, where somebody gave it one."""

    @property
    def id(self) -> str: ...
    @property
    def x(self) -> float | None: ...
    @property
    def y(self) -> float | None: ...


class Spot(NamedTuple):
    """by_hand: somebody put it there; else the place is the automatic one."""

    x: float
    y: float
    by_hand: bool


class Graph(NamedTuple):
    """edges: those with both ends among the tasks that are shown, as many as can be drawn. order: (comes first, comes
    after) of them.
    """

    spots: dict[str, Spot]
    edges: list[Edge]
    order: tuple[tuple[str, str], ...]
    layout: Layout

    def bends(self, first: str, after: str) -> list[Point]:
        """Where that edge goes by other tasks; none where one of its ends was moved by hand."""
        moved = self.spots[first].by_hand or self.spots[after].by_hand
        return [] if moved else self.layout.bends.get((first, after), [])


def graph_of(call: Call, shown: Iterable[Placed]) -> Graph:
    tasks = {one.id: one for one in shown}
    among = (edge for edge in edges.from_actions(call.tx, list(tasks)) if edge.to_action_id in tasks)
    drawn = list(islice(among, GRAPH_EDGES))
    order = tuple((one.before_id, one.after_id) for one in drawn if one.before_id and one.after_id)
    layout = lay_out(tuple(tasks), order)
    return Graph({each: _spot(task, layout.places[each]) for each, task in tasks.items()}, drawn, order, layout)


def _spot(task: Placed, automatic: Point) -> Spot:
    if task.x is None or task.y is None:
        return Spot(automatic.x, automatic.y, by_hand=False)
    return Spot(task.x, task.y, by_hand=True)
