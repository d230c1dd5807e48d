"""Plans that cannot be made: every fault at once, each at its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.action import TaskStatus
from pendesk.domain.edge import predecessor_and_successor
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import ACTION_EDGES, FAULTS_SHOWN
from pendesk.domain.plan_errors import Fault, PlannedEdge, find_plan_faults, invalid_plan_error, raise_if_plan_faults
from tests.refusals import refused


def faults(keys, edges=(), links=(), states=None):
    drawn = [PlannedEdge(edge[0], edge[1], edge[2] if len(edge) == 3 else "blocks") for edge in edges]
    return find_plan_faults(list(keys), states or ["todo"] * len(keys), drawn, list(links), is_agent=True)


def fields(found):
    return [fault.field for fault in found]


def test_a_good_plan_has_none():
    assert faults("abc", [("a", "b"), ("c", "b", "depends_on"), ("a", "c", "supports")], ["a", None]) == []
    raise_if_plan_faults([])


def test_every_fault_is_told_at_once():
    result = faults(
        ["a", "b", "a"],
        [("a", "x"), ("a", "b"), ("b", "a"), ("b", "b")],
        ["nobody"],
        ["todo", "in_progress", "todo"],
    )
    assert sorted(fields(result)) == [
        "documents[0].link_to",
        "edges[0].to",
        "edges[2]",
        "edges[3].to",
        "tasks[1].status",
        "tasks[2].key",
    ]
    with refused(RuleBroken, "bad_plan") as caught:
        raise_if_plan_faults(result)
    assert len(caught.refusal.details["faults"]) == 6
    assert caught.refusal.message.startswith("The plan has 6 faults, and nothing was created. tasks[2].key: ")


def test_a_cycle_is_named():
    (fault,) = faults("abc", [("a", "b"), ("b", "c"), ("a", "c", "depends_on")])
    assert fault.field == "edges[2]"
    assert "c -> a -> b -> c" in fault.problem


def test_parts_that_are_broken_in_themselves_are_passed_over():
    assert faults([None, "a"], [(None, "a"), ("a", None), ("a", "a", None)], [None], [None, None]) == [
        Fault("edges[2].to", "a task cannot be connected with itself.")
    ]


def test_too_many_edges_at_one_task():
    keys = [str(number) for number in range(ACTION_EDGES + 2)]
    assert fields(faults(keys, [("0", key) for key in keys[1:]])) == ["edges"]
    # The same edge again is the same edge.
    assert faults("ab", [("a", "b")] * (ACTION_EDGES + 1)) == []


def test_what_is_told_is_bounded():
    refusal = invalid_plan_error([Fault(f"tasks[{number}].key", "x" * 100) for number in range(500)])
    assert len(refusal.details["faults"]) == FAULTS_SHOWN
    assert len(refusal.message) < 1000


LABELS = st.sampled_from(["blocks", "depends_on", "feeds", "supports"])
EDGES = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), LABELS), max_size=10)


@given(EDGES)
def test_without_the_edges_at_fault_there_is_no_cycle(edges):
    bad = {int(field.split("[")[1].split("]")[0]) for field in fields(faults("abcd", edges))}
    items = [edge for index, edge in enumerate(edges) if index not in bad]
    assert faults("abcd", items) == []
    pairs = {pair for source, target, label in items if (pair := predecessor_and_successor(label, source, target))[0]}
    for _ in range(4):  # take away what nothing comes before; a cycle would never get empty
        pairs = {(first, after) for first, after in pairs if any(b == first for _, b in pairs)}
    assert not pairs


def test_an_agent_begins_nothing_that_waits_for_something_else():
    states = ["todo", "in_progress", "in_review", "done", "backlog"]
    edges = [("a", "b"), ("c", "a", "depends_on"), ("a", "d"), ("a", "e"), ("b", "c", "supports")]
    assert faults("abcde", edges, states=states) == [
        Fault("tasks[1].status", "in_progress, but it waits for 'a'; create it as todo."),
        Fault("tasks[2].status", "in_review, but it waits for 'a'; create it as todo."),
    ]
    drawn = [PlannedEdge("a", "b", "blocks")]
    assert find_plan_faults(["a", "b"], ["todo", "in_progress"], drawn, [], is_agent=False) == []


@pytest.mark.parametrize("state", [*TaskStatus, "nonsense"])
def test_states_that_a_new_task_may_have(state):
    assert faults("a", states=[state]) == []
