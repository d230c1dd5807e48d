"""How a laid-out graph becomes lines and a size, for the flow page and for guests."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Protocol

from pendesk.domain.layout import BEND_PITCH

WIDTH, HEIGHT = 232, 76  # of a node
LINE_WIDTH, LINES = WIDTH - 24, 2  # of a label
# How wide letters are in the app's font at 14 pixels, a little more rather than less: a label must not leave its card.
_WIDTHS = dict.fromkeys("fijlrtI.,:;'!|()[]- ", 4.5) | dict.fromkeys("mwMW@%…", 13.0)
_LOWER, _OTHER_LATIN, _ANY = 8.2, 9.8, 14.5


class Point(Protocol):
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


def wrap_label(label: str, lines: int = LINES) -> list[str]:
    """Line by line, as many as there may be; what does not fit ends in an ellipsis."""
    wrapped: list[str] = []
    words = label.split()
    while words and len(wrapped) < lines - 1:
        count = max(1, sum(width <= LINE_WIDTH for width in accumulate(_text_width(f"{word} ") for word in words)))
        wrapped.append(_cut_to_line(" ".join(words[:count])))
        words = words[count:]
    return [*wrapped, _cut_to_line(" ".join(words))] if words else wrapped


def _cut_to_line(text: str) -> str:
    if _text_width(text) <= LINE_WIDTH:
        return text
    room = LINE_WIDTH - _WIDTHS["…"]
    return text[: sum(width <= room for width in accumulate(map(_letter_width, text)))].rstrip() + "…"


def _text_width(text: str) -> float:
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if letter.isascii():
        return _LOWER if letter.islower() or letter.isdigit() else _OTHER_LATIN
    return _OTHER_LATIN if letter < "\u0250" else _ANY


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
