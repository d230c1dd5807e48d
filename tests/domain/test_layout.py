"""Where tasks stand when nobody placed them."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.layout import (
    BEND_PITCH,
    LAYER_PITCH,
    LOOSE_COLUMNS,
    ROW_PITCH,
    Layout,
    Point,
    lay_out_graph,
    without_cycles,
)
from pendesk.domain.limits import ACTION_EDGES, GRAPH_NODES, LAYOUT_LINKS_PER_NODE
from tests.steps import count_steps


def overlaps(layout: Layout) -> bool:
    columns: dict[float, list[float]] = {}
    for place in layout.places.values():
        columns.setdefault(place.x, []).append(place.y)
    return any(
        lower - upper < ROW_PITCH - 1  # heights are rounded
        for column in columns.values()
        for upper, lower in zip(sorted(column), sorted(column)[1:], strict=False)
    )


@st.composite
def graphs(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Any graph without a cycle: an edge goes from a smaller number to a larger one."""
    size = draw(st.integers(1, 25))
    pair = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda ends: ends[0] < ends[1])
    matches = draw(st.lists(pair, max_size=40)) if size > 1 else []
    return tuple(map(str, range(size))), tuple((str(first), str(after)) for first, after in matches)


@given(graphs())
def test_every_task_has_a_place_of_its_own_to_the_right_of_what_comes_first(graph):
    ids, edges = graph
    layout = lay_out_graph(ids, edges)
    assert set(layout.places) == set(ids)
    assert not overlaps(layout)
    for first, after in edges:
        assert layout.places[first].x < layout.places[after].x
    for (first, after), bends in layout.bends.items():
        steps = [layout.places[first].x, *(bend.x for bend in bends), layout.places[after].x]
        assert steps == [steps[0] + LAYER_PITCH * step for step in range(len(steps))]


def test_a_chain_is_a_straight_line():
    layout = lay_out_graph(("a", "b", "c"), (("a", "b"), ("b", "c")))
    assert layout == Layout({"a": Point(0, 0), "b": Point(LAYER_PITCH, 0), "c": Point(2 * LAYER_PITCH, 0)}, {})


def test_edges_that_need_not_cross_do_not():
    """Given in an order that crosses everything."""
    edges = tuple((f"a{number}", f"b{9 - number}") for number in range(10))
    ids = ("root", *(f"a{number}" for number in range(10)), *(f"b{number}" for number in range(10)))
    edges += tuple(("root", f"a{number}") for number in range(10))
    places = lay_out_graph(ids, edges).places
    heights = [(places[f"a{number}"].y, places[f"b{9 - number}"].y) for number in range(10)]
    assert sorted(heights) == sorted(heights, key=lambda pair: pair[1])


def test_an_edge_goes_by_the_tasks_that_it_passes():
    layout = lay_out_graph(("a", "b", "c"), (("a", "b"), ("b", "c"), ("a", "c")))
    (bend,) = layout.bends["a", "c"]
    assert bend.x == layout.places["b"].x
    assert bend.y >= layout.places["b"].y + ROW_PITCH - 1 or bend.y + BEND_PITCH <= layout.places["b"].y + 1


def test_a_task_that_nothing_comes_before_stands_next_to_what_waits_for_it():
    edges = (("a", "b"), ("b", "c"), ("late", "c"))
    places = lay_out_graph(("a", "b", "c", "late"), edges).places
    assert places["late"].x == places["b"].x


def test_what_hangs_together_stands_apart_from_the_rest_and_loose_tasks_below():
    loose = tuple(f"loose{number}" for number in range(LOOSE_COLUMNS + 1))
    places = lay_out_graph(("a", *loose, "b", "c", "d"), (("a", "b"), ("c", "d"))).places
    assert places["a"].y < places["c"].y < places["loose0"].y
    assert places["loose0"].x == places[f"loose{LOOSE_COLUMNS}"].x
    assert places[f"loose{LOOSE_COLUMNS}"].y == places["loose0"].y + ROW_PITCH


def test_the_same_tasks_and_edges_give_the_same_picture_in_any_order_of_edges():
    chance = random.Random(7)
    ids = tuple(map(str, range(60)))
    edges = [(str(a), str(b)) for a, b in (sorted(chance.sample(range(60), 2)) for _ in range(90))]
    first = lay_out_graph(ids, tuple(edges))
    chance.shuffle(edges)
    assert lay_out_graph(ids, tuple(edges)) == first


def test_ends_that_are_not_among_the_tasks_are_passed_over():
    assert lay_out_graph(("a",), (("a", "gone"), ("gone", "a"))).places == {"a": Point(0, 0)}
    assert lay_out_graph((), ()).places == {}


def test_a_large_part_is_swept_less_often_and_still_in_order():
    ids = tuple(str(number) for number in range(300))
    edges = tuple((str(item), str(later)) for item in range(300) for later in (item + 7, item + 31) if later < 300)
    places = lay_out_graph(ids, edges).places
    assert all(places[first].x < places[after].x for first, after in edges)
    assert len(set(places.values())) == len(ids)


def crowded(size: int, each: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """One line of tasks, and as many edges over half of it as each of them may have."""
    ids, half = tuple(map(str, range(size))), size // 2
    over = [(str(at), str(at + half - step)) for at in range(half) for step in range(each - 2)]
    return ids, (*pairwise(ids), *over)


def test_edges_that_pass_too_many_tasks_go_straight():
    ids, edges = crowded(GRAPH_NODES, ACTION_EDGES)
    layout = lay_out_graph.__wrapped__(ids, edges)
    assert sum(map(len, layout.bends.values())) <= LAYOUT_LINKS_PER_NODE * GRAPH_NODES
    assert not overlaps(layout)
    assert all(layout.places[first].x < layout.places[after].x for first, after in edges)


def test_the_most_crowded_graph_costs_no_more_than_its_links():
    assert count_steps(lambda: lay_out_graph.__wrapped__(*crowded(GRAPH_NODES, ACTION_EDGES))) < 3_000_000


def test_two_crowded_layers_are_put_in_order_without_comparing_every_pair_of_edges():
    half, draw = GRAPH_NODES // 2, random.Random(1)
    edges = tuple((str(at), str(half + to)) for at in range(half) for to in draw.sample(range(half), ACTION_EDGES))
    assert count_steps(lambda: lay_out_graph.__wrapped__(tuple(map(str, range(GRAPH_NODES))), edges)) < 3_000_000


def test_an_edge_that_would_close_a_cycle_is_left_out():
    assert without_cycles([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c"), ("d", "d")]) == [
        ("a", "b"),
        ("b", "c"),
        ("a", "c"),
    ]
