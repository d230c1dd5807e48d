"""What nobody holds: who may claim it, and what is said to whoever may not."""

import pytest

from pendesk.domain.availability import Availability, Wait
from pendesk.domain.claimable import check_claimable
from pendesk.domain.errors import NotParticipant, RuleBroken
from tests.domain.nouns import a_claimant, an_action, some_facts


def claimable(action=None, project_state="active", **claimant):
    check_claimable(some_facts(action, project_state=project_state), a_claimant(**claimant))


def test_a_published_todo_action_without_open_prerequisites_can_be_claimed_by_a_participant():
    claimable()


def test_an_action_in_progress_can_be_claimed_where_its_lease_lets_it():
    claimable(an_action(state="in_progress"))


@pytest.mark.parametrize("state", ["draft", "paused", "complete", "archived"])
def test_nothing_can_be_claimed_in_a_project_that_is_not_active(state):
    with pytest.raises(RuleBroken) as refused:
        claimable(project_state=state)
    assert refused.value.code == "project_not_active"


def test_who_does_not_take_part_cannot_claim():
    with pytest.raises(NotParticipant):
        claimable(participant=False)


@pytest.mark.parametrize("state", ["backlog", "scope", "in_review", "done", "wont_do"])
def test_only_todo_and_in_progress_can_be_claimed(state):
    with pytest.raises(RuleBroken) as refused:
        claimable(an_action(state=state))
    assert refused.value.code == "not_claimable"


def test_what_is_not_published_cannot_be_claimed():
    with pytest.raises(RuleBroken) as refused:
        claimable(published=False)
    assert refused.value.code == "not_published"


def test_open_prerequisites_are_named():
    waits = [Wait(f"PEN-{number}", Availability.IN_REVIEW, []) for number in range(1, 9)]
    with pytest.raises(RuleBroken, match=r"PEN-1 \(in-review\).*Claim PEN-13 instead") as refused:
        claimable(waits=waits)
    assert refused.value.code == "prerequisites_open"
    assert refused.value.details["waitingOn"] == [wait.ref for wait in waits]


def test_what_can_be_claimed_now_is_named_first():
    held = Wait("PEN-1", Availability.HELD, [])
    with pytest.raises(RuleBroken, match="Claim PEN-2 first"):
        claimable(waits=[held, Wait("PEN-2", Availability.FREE, [])])
    with pytest.raises(RuleBroken, match=r"PEN-3 \(blocked: start with PEN-4\)\. Claim PEN-4 first"):
        claimable(waits=[Wait("PEN-3", Availability.BLOCKED, ["PEN-4"], is_start_free=True)])
    with pytest.raises(RuleBroken, match=r"PEN-3 \(blocked\)\. Claim PEN-13 instead"):
        claimable(waits=[Wait("PEN-3", Availability.BLOCKED, [])])


def test_who_holds_what_it_waits_for_is_told_to_finish_that():
    with pytest.raises(RuleBroken, match=r"PEN-1 \(yours\)\. Finish PEN-1 first, which you hold"):
        claimable(waits=[Wait("PEN-1", Availability.MINE, [])])
    with pytest.raises(RuleBroken, match="Finish PEN-4 first, which you hold"):
        claimable(waits=[Wait("PEN-3", Availability.BLOCKED, ["PEN-4"])])
