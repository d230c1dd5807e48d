"""One input for one parser: `prepare` generates it in a size and returns the call that is measured."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Case(NamedTuple):
    """`size` is the largest that the product accepts, in characters, bytes, rows or nodes, as `description` says."""

    parser: str
    description: str
    size: int
    prepare: Callable[[int], Callable[[], Any]]


def case(
    parser: str, description: str, size: int, parse: Callable[..., Any], *generators: Callable[[int], Any]
) -> Case:
    """`parse` is called with what every function of `generators` returns for the size."""

    def prepare(size: int) -> Callable[[], Any]:
        inputs = [generate(size) for generate in generators]
        return lambda: parse(*inputs)

    return Case(parser, description, size, prepare)


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """As many of a unit as fit into a number of characters."""
    return lambda size: before + unit * ((size - len(before) - len(after)) // len(unit)) + after
