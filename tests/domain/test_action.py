import pytest

from pendesk.domain.action import (
    MOVES,
    ActionState,
    TaskCaller,
    check_person_may_change_state,
    ref_code,
    status_for_agents,
)
from pendesk.domain.errors import RuleBroken
from tests.domain.nouns import an_action

STATES = list(ActionState)
NOBODY = TaskCaller(holds=lambda: False, may_claim=lambda: False)


def refusal_of(state, target, *, criteria=1, reason="because"):
    try:
        check_person_may_change_state(an_action(state=state), target, criteria, reason, NOBODY)
    except RuleBroken as refused:
        return refused.code
    return None


def test_a_ref_code_is_the_projects_key_and_the_actions_number():
    assert ref_code("PEN", 12) == "PEN-12"


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("todo", "not-started"),
        ("in_progress", "started"),
        ("in_review", "in-review"),
        ("done", "complete"),
        ("wont_do", "wont-do"),
    ],
)
def test_the_building_tools_have_their_own_word_for_a_state(state, word):
    assert status_for_agents(state) == word


def test_every_state_has_its_moves():
    assert set(MOVES) == set(STATES)
    assert {target for targets in MOVES.values() for target in targets} <= set(STATES)


@pytest.mark.parametrize("target", STATES)
@pytest.mark.parametrize("state", STATES)
def test_a_person_may_make_exactly_the_moves_of_the_table(state, target):
    held = state in ("in_progress", "in_review", "changes_requested")
    refused = "needs_review" if target == "done" and not held else "invalid_transition"
    assert refusal_of(state, target) == (None if target in MOVES[state] else refused)


@pytest.mark.parametrize("target", STATES)
@pytest.mark.parametrize("state", ["in_progress", "in_review"])
def test_what_is_in_an_agents_hands_is_not_moved_by_hand(state, target):
    assert refusal_of(state, target) == "invalid_transition"


def test_only_a_review_makes_an_action_with_criteria_done():
    assert refusal_of("todo", "done") == "needs_review"


@pytest.mark.parametrize("reason", [None, ""])
def test_dropping_an_action_needs_a_reason(reason):
    assert refusal_of("todo", "wont_do", reason=reason) == "reason_needed"
    assert refusal_of("todo", "wont_do", reason="Not wanted any more") is None


def test_done_and_dropped_actions_may_be_reopened():
    assert refusal_of("done", "todo") is None
    assert refusal_of("wont_do", "todo") is None
