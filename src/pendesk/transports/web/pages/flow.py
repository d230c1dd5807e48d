"""GET /p/{key}/flow: the dependency graph of a project. The server draws it, so that it is there before any script."""

from typing import Any

from pendesk.domain.limits import FLOW_CLUSTERS
from pendesk.operations.overview.flow_clusters import FlowCluster
from pendesk.transports.web.parts.flow_drawing import (
    HEIGHT,
    LINE_WIDTH,
    WIDTH,
    drawing_size,
    edge_svg_path,
    wrap_label,
)
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    flow = await view.call(
        "get_flow",
        project_id=view.path_param("key"),
        spec_id=view.query_param("spec"),
        done=view.query_param("done"),
        group=view.query_param("group"),
    )
    nodes = {node.card.pid: node for node in flow.nodes}
    right, bottom = drawing_size([*flow.nodes, *flow.clusters])
    return {
        "flow": flow,
        "node": {"width": WIDTH, "height": HEIGHT},
        "right": right,
        "bottom": bottom,
        "refs": {node.card.pid: node.card.ref_code for node in flow.nodes},
        "paths": {edge.pid: edge_svg_path(nodes[edge.before], edge.bends, nodes[edge.after]) for edge in flow.edges},
        "lines": {node.card.pid: wrap_label(node.card.label) for node in flow.nodes},
        "most_clusters": FLOW_CLUSTERS,
        **_drawn_clusters(flow),
    }


def _drawn_clusters(flow: Any) -> dict[str, Any]:
    clusters = {cluster.spec_id: cluster for cluster in flow.clusters}
    return {
        "cluster_lines": [
            (edge_svg_path(clusters[edge.before], edge.bends, clusters[edge.after]), edge)
            for edge in flow.cluster_edges
        ],
        "cluster_titles": {_ident(cluster): "".join(wrap_label(cluster.title, lines=1)) for cluster in flow.clusters},
        "cluster_bars": {_ident(cluster): _progress_bar(cluster) for cluster in flow.clusters},
    }


def _ident(cluster: FlowCluster) -> str:
    return cluster.spec_id or "none"


def _progress_bar(cluster: FlowCluster) -> list[tuple[str, int, int]]:
    """What is done, then what is open by its state, the furthest first: state, x and width of each part."""
    parts, x = [], (WIDTH - LINE_WIDTH) // 2
    counts = {"done": cluster.done, **dict(reversed(cluster.open.items()))}
    total = max(1, sum(counts.values()))
    for state, count in counts.items():
        width = round(LINE_WIDTH * count / total)
        if width:
            parts.append((state, x, width))
        x += width
    return parts


PAGE = Page("/p/{key}/flow", "flow.html", load, follows_log=True)
