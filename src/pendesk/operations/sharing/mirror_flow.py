"""The flow of a project as guests see it: the same automatic layout, from nothing but what the mirror has anyway.

A mirror may come from another server, so nothing in it is trusted: a cycle is drawn without an order.
"""

from typing import NamedTuple

from pendesk.domain.edge import find_any_cycle, predecessor_and_successor
from pendesk.domain.layout import Point, lay_out_graph
from pendesk.domain.limits import GRAPH_NODES
from pendesk.operations.sharing.mirror_json import Part, ShownProject, ShownStep


class ShownSpot(Part):
    ref: str
    x: float
    y: float


class ShownBend(Part):
    x: float
    y: float


class ShownArrow(Part):
    """before, after: the order that follows from the label, if it has one. past: the first holds nothing back."""

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
    steps = {step.ref: step for step in project.actions[:GRAPH_NODES]}
    arrows = _arrows_between_shown_actions(project, steps)
    if not arrows:
        return None
    layout = lay_out_graph(tuple(steps), tuple((arrow.before, arrow.after) for arrow in arrows if arrow.ordered))
    return ShownFlow(
        nodes=[ShownSpot(ref=ref, x=layout.places[ref].x, y=layout.places[ref].y) for ref in steps],
        edges=[
            _shown_arrow(arrow, steps[arrow.before], layout.bends.get((arrow.before, arrow.after), []))
            for arrow in arrows
        ],
    )


def _arrows_between_shown_actions(project: ShownProject, step_by_ref: dict[str, ShownStep]) -> list[_Arrow]:
    arrows = []
    for link in project.edges:
        if link.from_ref in step_by_ref and link.to_ref in step_by_ref and link.from_ref != link.to_ref:
            before, after = predecessor_and_successor(link.label, link.from_ref, link.to_ref)
            arrows.append(_Arrow(before or link.from_ref, after or link.to_ref, before is not None))
    later: dict[str, list[str]] = {ref: [] for ref in step_by_ref}
    for arrow in arrows:
        if arrow.ordered:
            later[arrow.before].append(arrow.after)
    return arrows if find_any_cycle(later) is None else [arrow._replace(ordered=False) for arrow in arrows]


def _shown_arrow(arrow: _Arrow, first: ShownStep, bends: list[Point]) -> ShownArrow:
    return ShownArrow(
        before=arrow.before,
        after=arrow.after,
        ordered=arrow.ordered,
        past=first.status == "done" or first.drop_accepted,
        bends=[ShownBend(x=bend.x, y=bend.y) for bend in bends],
    )
