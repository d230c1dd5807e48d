"""GET /p/{key}/flow: the dependency graph of a project. The server draws it, so that it is there before any script."""

from typing import Any

from pendesk.domain.action import CLOSED, ActionState
from pendesk.domain.prerequisite import UNDECIDED
from pendesk.transports.web.parts.flow_drawing import HEIGHT, WIDTH, drawing_size, edge_svg_path, wrap_label
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    flow = await view.call("get_flow", project_id=view.path_param("key"))
    nodes = {node.card.pid: node for node in flow.nodes}
    waits: dict[str, list[str]] = {}
    for edge in flow.edges:
        if edge.ordered and not edge.past and nodes[edge.after].card.state not in CLOSED:
            waits.setdefault(edge.after, []).append(_waited_for_label(nodes[edge.before].card))
    right, bottom = drawing_size(flow.nodes)
    return {
        "flow": flow,
        "node": {"width": WIDTH, "height": HEIGHT},
        "right": right,
        "bottom": bottom,
        "paths": {edge.pid: edge_svg_path(nodes[edge.before], edge.bends, nodes[edge.after]) for edge in flow.edges},
        "waits": waits,
        "lines": {node.card.pid: wrap_label(node.card.label) for node in flow.nodes},
    }


def _waited_for_label(card: Any) -> str:
    return f"{card.ref_code} ({UNDECIDED})" if card.state == ActionState.WONT_DO else str(card.ref_code)


PAGE = Page("/p/{key}/flow", "flow.html", load)
