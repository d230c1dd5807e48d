"""A project as a graph: which edges are drawn, and where each task stands. The canvas and the flow are the same one."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple, Protocol

from pendesk.domain.edge import Edge
from pendesk.domain.layout import Layout, Point, lay_out_graph
from pendesk.domain.limits import GRAPH_EDGES
from pendesk.operations.operation import Call
from pendesk.store import edges


class PositionedTask(Protocol):
    """A task with its place, where somebody gave it one."""

    @property
    def id(self) -> str: ...
    @property
    def x(self) -> float | None: ...
    @property
    def y(self) -> float | None: ...


class Position(NamedTuple):
    """placed: somebody put it there; else the place is the automatic one."""

    x: float
    y: float
    placed: bool


class Graph(NamedTuple):
    """edges: those with both ends among the tasks that are shown, as many as can be drawn. order: (comes first, comes
    after) of them.
    """

    position_by_id: dict[str, Position]
    edges: list[Edge]
    order: tuple[tuple[str, str], ...]
    layout: Layout

    def edge_bends(self, before_id: str, after_id: str) -> list[Point]:
        """Where that edge goes by other tasks; none where one of its ends was moved by hand."""
        moved = self.position_by_id[before_id].placed or self.position_by_id[after_id].placed
        return [] if moved else self.layout.bends.get((before_id, after_id), [])


def load_task_graph_with_layout(call: Call, tasks_to_draw: Iterable[PositionedTask]) -> Graph:
    tasks = {task.id: task for task in tasks_to_draw}
    among = (edge for edge in edges.outgoing_of_actions(call.tx, list(tasks)) if edge.to_action_id in tasks)
    drawn = list(islice(among, GRAPH_EDGES))
    order = tuple((edge.before_id, edge.after_id) for edge in drawn if edge.before_id and edge.after_id)
    layout = lay_out_graph(tuple(tasks), order)
    return Graph(
        {pid: _manual_or_automatic_position(task, layout.places[pid]) for pid, task in tasks.items()},
        drawn,
        order,
        layout,
    )


def _manual_or_automatic_position(task: PositionedTask, automatic_point: Point) -> Position:
    if task.x is None or task.y is None:
        return Position(automatic_point.x, automatic_point.y, placed=False)
    return Position(task.x, task.y, placed=True)
