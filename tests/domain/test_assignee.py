"""Who an action is assigned to: whom a name means, and in which order work comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.assignee import (
    UNASSIGNED,
    Assignable,
    Assignee,
    Assignment,
    CallerIdentity,
    assignment_to_caller,
    choose_assignable,
    work_order,
)
from pendesk.domain.errors import BadField

ADA = Assignable(Assignee(user_id="u-ada"), "person", "Ada", "u-ada")
HER_CODEX = Assignable(Assignee(agent_id="g-1"), "agent", "Codex", "u-ada", "Ada")
OTHER_CODEX = Assignable(Assignee(agent_id="g-2"), "agent", "Codex", "u-bea", "Bea")
AGENT = CallerIdentity("u-ada", "g-1")


@pytest.mark.parametrize(
    ("assignee", "caller", "expected"),
    [
        (UNASSIGNED, AGENT, Assignment.TO_NOBODY),
        (HER_CODEX.assignee, AGENT, Assignment.TO_CALLER),
        (ADA.assignee, AGENT, Assignment.TO_CALLER),
        (OTHER_CODEX.assignee, AGENT, Assignment.TO_OTHER),
        (Assignee(user_id="u-bea"), AGENT, Assignment.TO_OTHER),
        (HER_CODEX.assignee, CallerIdentity("u-ada"), Assignment.TO_OTHER),
    ],
)
def test_an_agents_work_is_its_own_and_its_users(assignee, caller, expected):
    assert assignment_to_caller(assignee, caller) == expected


def test_the_order_is_assignment_then_priority_then_the_day():
    in_order = [
        work_order(Assignment.TO_CALLER, 0, None),
        work_order(Assignment.TO_NOBODY, 300, None),
        work_order(Assignment.TO_NOBODY, 100, "2026-01-01"),
        work_order(Assignment.TO_NOBODY, 100, "2026-01-02"),
        work_order(Assignment.TO_NOBODY, 100, None),
        work_order(Assignment.TO_NOBODY, 0, "2020-01-01"),
        work_order(Assignment.TO_OTHER, 300, "2020-01-01"),
    ]
    assert in_order == sorted([*in_order[3:], *in_order[:3]])


def test_one_match_is_meant():
    assert choose_assignable("Ada", [ADA], []) is ADA


def test_none_is_refused_with_names_like_it():
    with pytest.raises(BadField) as caught:
        choose_assignable("Adda", [], ["Ada"])
    assert caught.value.details["field"] == "assignee"
    assert "Name one of: Ada" in caught.value.message


def test_several_are_refused_with_what_tells_them_apart():
    with pytest.raises(BadField) as caught:
        choose_assignable("Codex", [HER_CODEX, OTHER_CODEX], [])
    assert "Codex of Ada (g-1), Codex of Bea (g-2)" in caught.value.message


@given(st.sampled_from(Assignment), st.integers(0, 1000), st.none() | st.dates().map(str))
def test_every_order_can_be_compared(assignment, priority, due_on):
    assert work_order(assignment, priority, due_on) <= work_order(Assignment.TO_OTHER, 0, None)
