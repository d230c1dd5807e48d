"""How a laid-out graph becomes lines and a size, for the flow page and for guests."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Protocol

from pendesk.domain.layout import BEND_PITCH

WIDTH, HEIGHT = 232, 76  # of a node
LINE_CHARS, LINES = 31, 2  # of a label, in 13 pixel letters; what is wider all the same is cut at the card's edge


class Point(Protocol):
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


def wrap_label(label: str) -> list[str]:
    return wrap(label, LINE_CHARS, max_lines=LINES, placeholder="…")


def drawing_size(node_positions: Iterable[Point]) -> tuple[float, float]:
    """How far right and down the picture goes."""
    corners = [(spot.x + WIDTH, spot.y + HEIGHT) for spot in node_positions]
    return max((x for x, _ in corners), default=0), max((y for _, y in corners), default=0)


def edge_svg_path(start: Point, bends: Iterable[Point], end: Point) -> str:
    """A smooth line from the right of what comes first to the left of what comes after, by its bends."""
    x, y = start.x + WIDTH, start.y + HEIGHT / 2
    drawn = f"M{x:g} {y:g}"
    for bend in bends:
        middle = bend.y + BEND_PITCH / 2
        drawn += _svg_curve(x, y, bend.x, middle) + f" L{bend.x + WIDTH:g} {middle:g}"
        x, y = bend.x + WIDTH, middle
    return drawn + _svg_curve(x, y, end.x, end.y + HEIGHT / 2)


def _svg_curve(x: float, y: float, to_x: float, to_y: float) -> str:
    reach = max(32, abs(to_x - x) / 2)
    return f" C{x + reach:g} {y:g} {to_x - reach:g} {to_y:g} {to_x:g} {to_y:g}"
