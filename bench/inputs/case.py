"""One input for one parser: `prepare` makes it in a size and gives back what is measured."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Case(NamedTuple):
    """`size` is the largest that the product lets in, in characters, bytes, rows or nodes, as `what` says."""

    parser: str
    what: str
    size: int
    prepare: Callable[[int], Callable[[], Any]]


def case(parser: str, what: str, size: int, parse: Callable[..., Any], *make: Callable[[int], Any]) -> Case:
    """`parse` is called with what each of `make` gives for the size."""

    def prepare(size: int) -> Callable[[], Any]:
        made = [each(size) for each in make]
        return lambda: parse(*made)

    return Case(parser, what, size, prepare)


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """As many of a unit as fit into a number of characters."""
    return lambda size: before + unit * ((size - len(before) - len(after)) // len(unit)) + after
