"""Where the tasks of a project stand when nobody has placed them: in layers, what comes first to the left.

The usual four steps: layers by the longest way, an order in each layer with few crossings (medians and transposes),
then heights, then the parts that hang together below each other. Nothing but ids and edges decides, so a change of
status moves no task. Edges are (comes first, comes after) and have no cycle. An edge needs a bend
in every layer that it passes: where there are very many long ones, the longest go straight, and the layout is made
without them.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pendesk.domain.limits import LAYOUT_LINKS_PER_NODE, LAYOUTS_CACHED

LAYER_PITCH = 288
ROW_PITCH = 96
BEND_PITCH = 32  # an edge that passes a layer needs less room than a task
PART_GAP = 64
LOOSE_COLUMNS = 4
SWEEPS = 12
HEIGHT_SWEEPS = 6
# The first sweeps straighten out most: a large part gets fewer, so that a picture costs a fraction of a second.
FEWEST_SWEEPS = 3
SWEPT_LINKS = 12_000

Edge = tuple[str, str]


class Point(NamedTuple):
    x: float
    y: float


class Layout(NamedTuple):
    """Every task's upper left corner; and for an edge that passes layers, the corners it goes by."""

    places: dict[str, Point]
    bends: dict[Edge, list[Point]]


@lru_cache(maxsize=LAYOUTS_CACHED)
def lay_out_graph(ids: tuple[str, ...], edges: tuple[Edge, ...]) -> Layout:
    """The same input gives the same picture; the order of `ids` (say, by age) decides where nothing else does."""
    result = Layout({}, {})
    age = {pid: number for number, pid in enumerate(ids)}
    inner_edges = {edge for edge in edges if edge[0] in age and edge[1] in age}
    edges = tuple(sorted(inner_edges, key=lambda edge: (age[edge[0]], age[edge[1]])))
    parts = _connected_components(ids, edges)
    part_of = {pid: number for number, part in enumerate(parts) for pid in part}
    edges_of: dict[int, list[Edge]] = {}
    for edge in edges:
        edges_of.setdefault(part_of[edge[0]], []).append(edge)
    top = 0.0
    for number, part_edges in sorted(edges_of.items()):
        top = _lay_out_component_and_get_bottom_y(result, parts[number], part_edges, top) + PART_GAP
    for number, (loose,) in enumerate(part for part in parts if len(part) == 1):
        row, column = divmod(number, LOOSE_COLUMNS)
        result.places[loose] = Point(column * LAYER_PITCH, top + row * ROW_PITCH)
    return result


def without_cycles(edges: Iterable[Edge]) -> list[Edge]:
    """Of these, in their order, each that closes no cycle with those before it."""
    after: dict[str, list[str]] = {}
    kept = []
    for first, later in edges:
        if not _leads_to(after, later, first):
            after.setdefault(first, []).append(later)
            kept.append((first, later))
    return kept


def _leads_to(after: dict[str, list[str]], start: str, end: str) -> bool:
    met, stack = {start}, [start]
    while stack:
        current = stack.pop()
        if current == end:
            return True
        new = [later for later in after.get(current, ()) if later not in met]
        met.update(new)
        stack += new
    return False


def _connected_components(ids: Sequence[str], edges: Iterable[Edge]) -> list[list[str]]:
    """What hangs together, each in the order of `ids`; the part of the first id first."""
    near: dict[str, list[str]] = {pid: [] for pid in ids}
    for first, after in edges:
        near[first].append(after)
        near[after].append(first)
    part_of: dict[str, int] = {}
    for start in ids:
        stack = [] if start in part_of else [start]
        number = len(part_of)  # a new number, since at least one was added to the last part
        while stack:
            current = stack.pop()
            if current not in part_of:
                part_of[current] = number
                stack += near[current]
    parts: dict[int, list[str]] = {}
    for pid in ids:
        parts.setdefault(part_of[pid], []).append(pid)
    return list(parts.values())


class _Node:
    """A task, or the bend of an edge in a layer that it passes (`id` is None)."""

    __slots__ = ("after", "before", "id", "layer", "position", "y")

    def __init__(self, id_: str | None, layer: int) -> None:
        self.id = id_
        self.layer = layer
        self.before: list[_Node] = []
        self.after: list[_Node] = []
        self.position = 0
        self.y = 0.0

    @property
    def row_height(self) -> int:
        return ROW_PITCH if self.id is not None else BEND_PITCH


def _lay_out_component_and_get_bottom_y(
    result: Layout, ids: Sequence[str], edges: Sequence[Edge], top_y: float
) -> float:
    """Lay out one part below `top_y`; its lower end is given back."""
    layer_of = _assign_layers(ids, edges)
    layers: list[list[_Node]] = [[] for _ in range(max(layer_of.values()) + 1)]
    nodes = {pid: _Node(pid, layer_of[pid]) for pid in ids}
    for node in nodes.values():
        layers[node.layer].append(node)
    shortest = _shortest_edges_within_total_span(edges, layer_of, LAYOUT_LINKS_PER_NODE * len(ids))
    chains = {edge: _connect_and_return_bend_nodes(nodes, layers, edge) for edge in shortest}
    _set_positions_within_layers(layers)
    _reduce_crossings(layers)
    _assign_y(layers)
    lowest = min(node.y for layer in layers for node in layer)
    shift = top_y - lowest
    for pid, node in nodes.items():
        result.places[pid] = _top_left(node, shift)
    for edge, chain in chains.items():
        if chain:
            result.bends[edge] = [_top_left(bend, shift) for bend in chain]
    return max(node.y + node.row_height for layer in layers for node in layer) + shift


def _top_left(node: _Node, y_shift: float) -> Point:
    return Point(node.layer * LAYER_PITCH, round(node.y + y_shift))


def _assign_layers(ids: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """By the longest way from the left; then what has nothing before it moves up to what comes after it."""
    after: dict[str, list[str]] = {pid: [] for pid in ids}
    unplaced_before = dict.fromkeys(ids, 0)
    for first, later in edges:
        after[first].append(later)
        unplaced_before[later] += 1
    starts = [pid for pid in ids if not unplaced_before[pid]]
    layer = dict.fromkeys(ids, 0)
    ready = list(starts)
    for task in ready:
        for later in after[task]:
            layer[later] = max(layer[later], layer[task] + 1)
            unplaced_before[later] -= 1
            if not unplaced_before[later]:
                ready.append(later)
    for start in starts:
        layer[start] = min(layer[later] for later in after[start]) - 1
    return layer


def _shortest_edges_within_total_span(
    edges: Sequence[Edge], layer_by_id: dict[str, int], max_total_span: int
) -> list[Edge]:
    """As many edges as the links allow, in the order in which they came."""
    spans = {edge: layer_by_id[edge[1]] - layer_by_id[edge[0]] for edge in edges}
    chosen: set[Edge] = set()
    for edge in sorted(edges, key=spans.__getitem__):
        max_total_span -= spans[edge]
        if max_total_span < 0:
            break
        chosen.add(edge)
    return [edge for edge in edges if edge in chosen]


def _connect_and_return_bend_nodes(nodes: dict[str, _Node], layers: list[list[_Node]], edge: Edge) -> list[_Node]:
    """Tie the two ends, by a bend in every layer between them."""
    node, end = nodes[edge[0]], nodes[edge[1]]
    bends = [_Node(None, layer) for layer in range(node.layer + 1, end.layer)]
    for bend in bends:
        layers[bend.layer].append(bend)
    for following in [*bends, end]:
        node.after.append(following)
        following.before.append(node)
        node = following
    return bends


def _set_positions_within_layers(layers: Iterable[list[_Node]]) -> None:
    for layer in layers:
        for position, node in enumerate(layer):
            node.position = position


def _reduce_crossings(layers: list[list[_Node]]) -> None:
    """Sweep right and left, each time by the median of the neighbours; the order with the fewest crossings stays."""
    best, fewest = [list(layer) for layer in layers], _count_crossings(layers)
    links = sum(len(node.after) + 1 for layer in layers for node in layer)
    sweeps = min(SWEEPS, max(FEWEST_SWEEPS, SWEPT_LINKS // links))
    for sweep in range(sweeps):
        if not fewest:
            break
        forward = sweep % 2 == 0
        for layer in layers if forward else reversed(layers):
            _sort_by_median_of_neighbours(layer, forward)
        for layer in layers:
            _swap_to_reduce_crossings(layer)
        crossings = _count_crossings(layers)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    for layer, order in zip(layers, best, strict=True):
        layer[:] = order
    _set_positions_within_layers(layers)


def _sort_by_median_of_neighbours(layer: list[_Node], by_previous_layer: bool) -> None:
    """Those without a neighbour on that side keep their place."""
    movable = [node for node in layer if (node.before if by_previous_layer else node.after)]
    ordered = iter(sorted(movable, key=lambda node: _median_position(node.before if by_previous_layer else node.after)))
    moving = set(map(id, movable))
    layer[:] = [next(ordered) if id(node) in moving else node for node in layer]
    _set_positions_within_layers([layer])


def _median_position(neighbours: list[_Node]) -> float:
    positions = sorted(node.position for node in neighbours)
    middle = len(positions) // 2
    return positions[middle] if len(positions) % 2 else (positions[middle - 1] + positions[middle]) / 2


def _swap_to_reduce_crossings(layer: list[_Node]) -> None:
    """Two neighbours change places where fewer edges cross then."""
    for at in range(len(layer) - 1):
        upper, lower = layer[at], layer[at + 1]
        gain = _crossings_saved_by_swap(upper.before, lower.before) + _crossings_saved_by_swap(upper.after, lower.after)
        if gain > 0:
            layer[at], layer[at + 1] = lower, upper
            upper.position, lower.position = lower.position, upper.position


def _crossings_saved_by_swap(upper_neighbours: list[_Node], lower_neighbours: list[_Node]) -> int:
    """How many crossings fewer there are with the lower one on top."""
    below = sorted(node.position for node in lower_neighbours)
    places = [node.position for node in upper_neighbours]
    return sum(bisect_left(below, place) + bisect_right(below, place) - len(below) for place in places)


def _count_crossings(layers: list[list[_Node]]) -> int:
    """Pairs of edges that cross: for each layer, how many ends met before lie further down."""
    total = 0
    for layer in layers:
        met: list[int] = []
        for node in layer:
            ends = [following.position for following in node.after]
            total += sum(len(met) - bisect_right(met, end) for end in ends)
            for end in ends:
                insort(met, end)
    return total


def _assign_y(layers: list[list[_Node]]) -> None:
    """Each layer as near to its neighbours' heights as its order and the room of each allow; there and back."""
    for layer in layers:
        _place_without_overlap(layer, [0.0] * len(layer))
    for sweep in range(HEIGHT_SWEEPS):
        forward = sweep % 2 == 0
        for layer in layers if forward else reversed(layers):
            _place_without_overlap(layer, [_y_centered_on_neighbours(node, forward) for node in layer])


def _y_centered_on_neighbours(node: _Node, prefer_predecessors: bool) -> float:
    neighbours = (node.before or node.after) if prefer_predecessors else (node.after or node.before)
    middles = [neighbour.y + neighbour.row_height / 2 for neighbour in neighbours]
    return sum(middles) / len(middles) - node.row_height / 2 if middles else node.y


def _place_without_overlap(layer: list[_Node], target_ys: list[float]) -> None:
    """The heights nearest to the targets (least squares) in which nobody overlaps: neighbours that would are
    pooled and share the mean.
    """
    blocks: list[tuple[float, int]] = []  # (sum of what its members want of its first, members)
    offsets = [0.0]
    for node in layer:
        offsets.append(offsets[-1] + node.row_height)
    for offset, target in zip(offsets, target_ys, strict=False):
        total, count = target - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / count:
            above, members = blocks.pop()
            total, count = total + above, count + members
        blocks.append((total, count))
    at = 0
    for total, count in blocks:
        for node in layer[at : at + count]:
            node.y = total / count + offsets[at]
            at += 1
