"""The flow of a project with more actions than can be drawn: its specs, and which of them wait for which."""

from collections import Counter

from pendesk.domain.action import CLOSED, ActionState
from pendesk.domain.layout import Layout, Point, lay_out_graph, without_cycles
from pendesk.domain.limits import FLOW_CLUSTER_EDGES, FLOW_CLUSTERS
from pendesk.operations.operation import Call, Output
from pendesk.store import flow_clusters, specs
from pendesk.store.flow_clusters import SpecEdge


class Bend(Output):
    x: float
    y: float


class FlowCluster(Output):
    """The actions of a spec; without a pid: those of none. open: how many of its open actions are in which state.
    total, done: of its active plan; of what has no spec, only what is open is counted.
    """

    spec_id: str | None
    title: str
    x: float
    y: float
    open: dict[str, int]
    total: int
    done: int


class ClusterEdge(Output):
    """Open actions of the one wait for the other's: how many edges there are, and how many of them are to be done yet.
    An end without a pid is that of the actions without a spec.
    """

    before: str | None
    after: str | None
    count: int
    unresolved: int
    bends: list[Bend]


NO_SPEC = "Actions without a spec"


def load_clusters(call: Call, project_id: str, *, with_closed: bool) -> tuple[list[FlowCluster], list[ClusterEdge]]:
    """What has most to do first; as many as can be drawn."""
    counts = _counts_by_spec_id(call, project_id, with_closed=with_closed)
    shown = sorted(counts, key=lambda spec_id: (-counts[spec_id].total(), spec_id))[:FLOW_CLUSTERS]
    edges = [
        edge
        for edge in flow_clusters.edges_between_specs(call.tx, project_id, FLOW_CLUSTER_EDGES)
        if {edge.before, edge.after} <= set(shown)
    ]
    layout = lay_out_graph(tuple(shown), tuple(without_cycles((edge.before, edge.after) for edge in edges)))
    spec_ids = [spec_id for spec_id in shown if spec_id]
    titles = {spec.id: spec.title for spec in specs.by_ids(call.tx, spec_ids)}
    progress = specs.total_and_done_actions_by_spec_id(call.tx, spec_ids)
    return [
        _to_cluster(spec_id, titles, counts[spec_id], progress.get(spec_id), layout.places[spec_id])
        for spec_id in shown
    ], [_to_edge(edge, layout) for edge in edges]


def _to_cluster(
    spec_id: str, titles: dict[str, str], open_by_state: Counter[str], progress: tuple[int, int] | None, place: Point
) -> FlowCluster:
    total, done = progress or (open_by_state.total(), 0)
    return FlowCluster(
        spec_id=spec_id or None,
        title=titles.get(spec_id, NO_SPEC),
        x=place.x,
        y=place.y,
        open={state.value: open_by_state[state] for state in ActionState if open_by_state[state]},
        total=total,
        done=done,
    )


def _to_edge(edge: SpecEdge, layout: Layout) -> ClusterEdge:
    return ClusterEdge(
        before=edge.before or None,
        after=edge.after or None,
        count=edge.edges,
        unresolved=edge.unresolved,
        bends=[Bend(x=point.x, y=point.y) for point in layout.bends.get((edge.before, edge.after), [])],
    )


def _counts_by_spec_id(call: Call, project_id: str, *, with_closed: bool) -> dict[str, Counter[str]]:
    """Of what is open, by state. A spec that is done has none, and is among them only where it is to be."""
    counts: dict[str, Counter[str]] = {}
    for spec_id, state, count in flow_clusters.counts_by_spec_and_state(call.tx, project_id):
        if state not in CLOSED:
            counts.setdefault(spec_id, Counter())[state] = count
        elif with_closed:
            counts.setdefault(spec_id, Counter())
    return counts
