"""The flow of a project as guests see it: the same automatic layout, from nothing but what the mirror has anyway.

A mirror may come from another server, so nothing in it is trusted: a cycle is drawn without an order.
"""

from typing import NamedTuple

from pendesk.domain.edge import find_any_cycle, predecessor_and_successor
from pendesk.domain.layout import Point, lay_out_graph
from pendesk.domain.limits import GRAPH_NODES
from pendesk.operations.sharing.mirror_json import Part, ShownProject


class ShownSpot(Part):
    ref: str
    x: float
    y: float


class ShownBend(Part):
    x: float
    y: float


class ShownArrow(Part):
    """before, after: the order that follows from the label, if it has one. past: what comes first is done."""

    before: str
    after: str
    ordered: bool
    past: bool
    bends: list[ShownBend]


class ShownFlow(Part):
    nodes: list[ShownSpot]
    edges: list[ShownArrow]


class _Arrow(NamedTuple):
    before: str
    after: str
    ordered: bool


def lay_out_flow_graph(project: ShownProject) -> ShownFlow | None:
    """None where nothing is connected: a graph of that would say less than the list."""
    statuses = {step.ref: step.status for step in project.actions[:GRAPH_NODES]}
    arrows = _arrows_between_shown_actions(project, statuses)
    if not arrows:
        return None
    layout = lay_out_graph(tuple(statuses), tuple((arrow.before, arrow.after) for arrow in arrows if arrow.ordered))
    return ShownFlow(
        nodes=[ShownSpot(ref=ref, x=layout.places[ref].x, y=layout.places[ref].y) for ref in statuses],
        edges=[_shown_arrow(arrow, statuses, layout.bends.get((arrow.before, arrow.after), [])) for arrow in arrows],
    )


def _arrows_between_shown_actions(project: ShownProject, status_by_ref: dict[str, str]) -> list[_Arrow]:
    arrows = []
    for link in project.edges:
        if link.from_ref in status_by_ref and link.to_ref in status_by_ref and link.from_ref != link.to_ref:
            before, after = predecessor_and_successor(link.label, link.from_ref, link.to_ref)
            arrows.append(_Arrow(before or link.from_ref, after or link.to_ref, before is not None))
    later: dict[str, list[str]] = {ref: [] for ref in status_by_ref}
    for arrow in arrows:
        if arrow.ordered:
            later[arrow.before].append(arrow.after)
    return arrows if find_any_cycle(later) is None else [arrow._replace(ordered=False) for arrow in arrows]


def _shown_arrow(arrow: _Arrow, status_by_ref: dict[str, str], bends: list[Point]) -> ShownArrow:
    return ShownArrow(
        before=arrow.before,
        after=arrow.after,
        ordered=arrow.ordered,
        past=status_by_ref[arrow.before] == "done",
        bends=[ShownBend(x=bend.x, y=bend.y) for bend in bends],
    )
