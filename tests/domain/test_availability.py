"""One rule says whether a caller can have an action."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import Relation
from pendesk.domain.availability import (
    Availability,
    AvailabilityFacts,
    availability,
    not_ready_reason,
    order_for_agents,
    start_with_by_id,
)
from pendesk.domain.limits import START_WITH_REFS

FREE = AvailabilityFacts(
    state=ActionState.TODO,
    project_active=True,
    published=True,
    participant=True,
    waits=False,
    relation=None,
    held=False,
    live=False,
)
LIVE = FREE._replace(state=ActionState.IN_PROGRESS, held=True, live=True)
EXPIRED = LIVE._replace(live=False)
REWORK = FREE._replace(state=ActionState.CHANGES_REQUESTED)


def test_a_published_todo_action_that_waits_for_nothing_is_free():
    assert availability(FREE) == Availability.FREE


@pytest.mark.parametrize("relation", [Relation.UNKNOWN, Relation.OTHER_SESSION, Relation.OTHER_USER])
def test_what_another_holds_is_held_and_free_once_its_lease_has_expired(relation):
    assert availability(LIVE._replace(relation=relation)) == Availability.HELD
    assert availability(EXPIRED._replace(relation=relation)) == Availability.FREE


def test_what_the_caller_holds_is_theirs_also_after_its_lease_has_expired():
    assert availability(LIVE._replace(relation=Relation.SAME)) == Availability.MINE
    assert availability(EXPIRED._replace(relation=Relation.SAME)) == Availability.MINE


@pytest.mark.parametrize("relation", [Relation.SAME, Relation.UNKNOWN, Relation.OTHER_SESSION])
def test_requested_changes_are_open_to_every_session_of_who_submitted(relation):
    assert availability(REWORK._replace(relation=relation)) == Availability.CHANGES_REQUESTED
    assert availability(REWORK._replace(relation=Relation.OTHER_USER)) == Availability.IN_REVIEW


def test_rework_that_a_session_has_claimed_is_held():
    claimed = REWORK._replace(held=True, live=True)
    assert availability(claimed._replace(relation=Relation.OTHER_SESSION)) == Availability.HELD
    assert availability(claimed._replace(relation=Relation.SAME)) == Availability.MINE


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"project_active": False}, "project_not_active"),
        ({"state": ActionState.BACKLOG, "published": False}, "backlog"),
        ({"state": ActionState.SCOPE, "published": False}, "scope"),
        ({"published": False}, "unpublished"),
    ],
)
def test_what_is_not_ready_says_why_also_where_it_waits(facts, reason):
    waiting = FREE._replace(waits=True, **facts)
    assert availability(waiting) == Availability.NOT_READY
    assert not_ready_reason(waiting) == reason


def test_what_waits_is_blocked_also_to_who_takes_no_part():
    stranger = FREE._replace(participant=False)
    assert (availability(stranger), not_ready_reason(stranger)) == (Availability.NOT_READY, "not_a_participant")
    assert availability(stranger._replace(waits=True)) == Availability.BLOCKED


def test_nothing_closed_is_ever_blocked_held_or_mine():
    closed = [ActionState.DONE, ActionState.WONT_DO]
    for state, waits, live, relation in product(closed, (True, False), (True, False), [None, *Relation]):
        facts = FREE._replace(state=state, waits=waits, held=live, live=live, relation=relation)
        assert availability(facts).value == state.value


def test_only_what_waits_and_could_be_claimed_otherwise_is_blocked():
    assert availability(FREE._replace(waits=True)) == Availability.BLOCKED
    assert availability(LIVE._replace(waits=True, relation=Relation.OTHER_USER)) == Availability.HELD
    assert availability(FREE._replace(waits=True, state=ActionState.IN_REVIEW)) == Availability.IN_REVIEW


def test_agents_are_shown_their_own_first_then_rework_then_what_was_left_behind():
    order = [
        (Availability.MINE, False),
        (Availability.CHANGES_REQUESTED, False),
        (Availability.FREE, True),
        (Availability.FREE, False),
        (Availability.BLOCKED, False),
    ]
    ranks = [order_for_agents(state, has_hand_over) for state, has_hand_over in order]
    assert ranks == sorted(set(ranks))


def test_what_is_blocked_is_followed_down_to_what_can_begin():
    below = {"d": ["c", "x"], "c": ["b"], "b": ["a", "held"], "x": []}
    states = dict.fromkeys("dcb", Availability.BLOCKED) | {
        "a": Availability.FREE,
        "held": Availability.HELD,
        "x": Availability.WONT_DO,
    }
    assert start_with_by_id(below, states)["d"] == ["a"]
    assert start_with_by_id(below, states | {"held": Availability.MINE})["d"] == ["a", "held"]


def test_a_circle_has_no_end_to_begin_with():
    blocked = dict.fromkeys("ab", Availability.BLOCKED)
    assert start_with_by_id({"a": ["b"], "b": ["a"]}, blocked)["a"] == []


class Counted(dict[str, list[str]]):
    lookups = 0

    def get(self, key, default=None):
        self.lookups += 1
        return super().get(key, default)


def lookups_of_chain(length):
    chain = Counted({f"{number:04}": [f"{number - 1:04}"] for number in range(1, length)})
    states = dict.fromkeys(chain, Availability.BLOCKED) | {"0000": Availability.FREE}
    assert all(starts == ["0000"] for starts in start_with_by_id(chain, states).values())
    return chain.lookups


def test_a_chain_of_twice_the_length_is_walked_in_twice_the_steps():
    assert lookups_of_chain(400) <= 2 * lookups_of_chain(200) + 2


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefgh"), max_size=4)), st.data())
def test_what_to_start_with_is_what_a_walk_from_each_finds(prerequisites, data):
    # Only earlier letters come first: no circle.
    below = {ident: [first for first in ids if first < ident] for ident, ids in prerequisites.items()}
    kinds = st.sampled_from([Availability.BLOCKED, Availability.FREE, Availability.MINE, Availability.HELD])
    states = {ident: data.draw(kinds) for ident in "abcdefgh"}

    def ends(ident):
        reached: set[str] = set()
        for first in below.get(ident, []):
            reached |= ends(first) if states[first] == Availability.BLOCKED else {first}
        return reached

    for ident, starts in start_with_by_id(below, states).items():
        startable = [first for first in ends(ident) if states[first] in (Availability.FREE, Availability.MINE)]
        assert (
            starts == sorted(startable, key=lambda first: (states[first] != Availability.FREE, first))[:START_WITH_REFS]
        )
