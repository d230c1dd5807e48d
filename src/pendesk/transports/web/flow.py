"""GET /p/{key}/flow: the dependency graph of a project. The server draws it, so that it is there before any script."""

from textwrap import wrap
from typing import Any

from pendesk.domain.layout import BEND_PITCH
from pendesk.transports.web.view import Page, View

WIDTH, HEIGHT = 232, 76
LINE_CHARS, LINES = 31, 2  # of a label, in 13 pixel letters; what is wider all the same is cut at the card's edge


async def load(view: View) -> dict[str, Any]:
    flow = await view.call("get_flow", project_id=view.named("key"))
    places = {node.card.pid: (node.x, node.y) for node in flow.nodes}
    waits: dict[str, list[str]] = {}
    refs = {node.card.pid: node.card.ref_code for node in flow.nodes}
    for edge in flow.edges:
        if edge.ordered and not edge.past:
            waits.setdefault(edge.after, []).append(refs[edge.before])
    return {
        "flow": flow,
        "node": {"width": WIDTH, "height": HEIGHT},
        "right": max((node.x + WIDTH for node in flow.nodes), default=0),
        "bottom": max((node.y + HEIGHT for node in flow.nodes), default=0),
        "paths": {edge.pid: _path(edge, places) for edge in flow.edges},
        "waits": waits,
        "lines": {
            node.card.pid: wrap(node.card.label, LINE_CHARS, max_lines=LINES, placeholder="…") for node in flow.nodes
        },
    }


def _path(edge: Any, places: dict[str, tuple[float, float]]) -> str:
    """A smooth line from the right of what comes first to the left of what comes after, by its bends."""
    (from_x, from_y), (to_x, to_y) = places[edge.before], places[edge.after]
    x, y = from_x + WIDTH, from_y + HEIGHT / 2
    drawn = f"M{x:g} {y:g}"
    for bend in edge.bends:
        middle = bend.y + BEND_PITCH / 2
        drawn += _curve(x, y, bend.x, middle) + f" L{bend.x + WIDTH:g} {middle:g}"
        x, y = bend.x + WIDTH, middle
    return drawn + _curve(x, y, to_x, to_y + HEIGHT / 2)


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    reach = max(32, abs(to_x - x) / 2)
    return f" C{x + reach:g} {y:g} {to_x - reach:g} {to_y:g} {to_x:g} {to_y:g}"


PAGE = Page("/p/{key}/flow", "flow.html", load)
