from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.edge import EdgeLabel, find_any_cycle, find_cycle_closed_by_edge, predecessor_and_successor

names = st.sampled_from("abcdefg")
graphs = st.sets(st.tuples(names, names).filter(lambda pair: pair[0] != pair[1]), max_size=20)


def successors_in(pairs):
    return lambda name: sorted(after for first, after in pairs if first == name)


def reachable(pairs, start):
    """The naive closure: follow every order until nothing new is found."""
    found = {start}
    while True:
        more = found | {after for first, after in pairs if first in found}
        if more == found:
            return found
        found = more


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("blocks", ("a", "b")),
        ("unblocks", ("a", "b")),
        ("feeds", ("a", "b")),
        ("enables", ("a", "b")),
        ("depends_on", ("b", "a")),
        ("clarifies", (None, None)),
        ("supports", (None, None)),
    ],
)
def test_a_label_says_which_action_comes_first(label, expected):
    assert predecessor_and_successor(label, "a", "b") == expected


def test_every_label_has_an_expectation_above():
    assert set(get_args(EdgeLabel)) == {
        "blocks",
        "unblocks",
        "feeds",
        "enables",
        "depends_on",
        "clarifies",
        "supports",
    }


def test_an_action_before_itself_is_the_smallest_cycle():
    assert find_cycle_closed_by_edge("a", "a", successors_in(set())) == ["a", "a"]


def test_the_way_around_is_told():
    assert find_cycle_closed_by_edge("a", "b", successors_in({("b", "c"), ("c", "a")})) == ["a", "b", "c", "a"]


@given(graphs, names, names)
def test_a_cycle_is_found_exactly_where_the_naive_closure_has_one(pairs, first, after):
    loop = find_cycle_closed_by_edge(first, after, successors_in(pairs))
    assert (loop is not None) == (first in reachable(pairs, after))


@given(graphs, names, names)
def test_the_cycle_that_is_told_starts_and_ends_at_first_and_follows_real_orders(pairs, first, after):
    loop = find_cycle_closed_by_edge(first, after, successors_in(pairs))
    if loop is None:
        return
    assert loop[0] == loop[-1] == first
    assert loop[1] == after
    assert set(pairwise(loop)) <= pairs | {(first, after)}


@given(graphs, names, names)
def test_each_action_is_looked_up_at_most_once(pairs, first, after):
    looked_up = []
    follow = successors_in(pairs)

    def counted(name):
        looked_up.append(name)
        return follow(name)

    find_cycle_closed_by_edge(first, after, counted)
    assert len(looked_up) == len(set(looked_up))


def test_a_chain_of_ten_thousand_is_no_matter_of_recursion():
    loop = find_cycle_closed_by_edge("0", "1", lambda name: [str((int(name) + 1) % 10_000)])
    assert loop is not None
    assert len(loop) == 10_001


def test_a_graph_without_a_way_round_has_none():
    assert find_any_cycle({"a": ["b", "c"], "b": ["d"], "c": ["d"]}) is None
    assert find_any_cycle({}) is None


def test_a_way_round_is_named_in_its_order_and_what_hangs_on_it_is_left_out():
    loop = find_any_cycle({"z": ["a"], "a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["e"]})
    assert loop is not None
    assert loop[0] == loop[-1]
    assert "->".join(loop) in ("a->b->c->a", "b->c->a->b", "c->a->b->c")
    assert find_any_cycle({"a": ["a"]}) == ["a", "a"]
