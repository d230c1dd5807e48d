"""GET /p/{key}/flow: the dependency graph of a project. The server draws it, so that it is there before any script."""

from typing import Any

from pendesk.transports.web.parts.flow_drawing import HEIGHT, WIDTH, drawing_size, edge_svg_path, wrap_label
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    flow = await view.call("get_flow", project_id=view.path_param("key"))
    nodes = {node.card.pid: node for node in flow.nodes}
    right, bottom = drawing_size(flow.nodes)
    return {
        "flow": flow,
        "node": {"width": WIDTH, "height": HEIGHT},
        "right": right,
        "bottom": bottom,
        "paths": {edge.pid: edge_svg_path(nodes[edge.before], edge.bends, nodes[edge.after]) for edge in flow.edges},
        "lines": {node.card.pid: wrap_label(node.card.label) for node in flow.nodes},
    }


PAGE = Page("/p/{key}/flow", "flow.html", load, follows_log=True)
