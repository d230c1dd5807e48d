"""Each transition of a claim: the records afterwards, and the event with the ids that the fold needs."""

import pytest

from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import UNKNOWN_ORIGIN, CallOrigin, Relation
from pendesk.domain.claim import ClaimState
from pendesk.domain.claim_transitions import (
    can_reuse_claim,
    claim_action,
    mark_claim_done,
    mark_wont_do,
    release_claim_by_person,
    report_progress,
    resume_expired_lease,
    take_rework,
)
from pendesk.domain.errors import AlreadyClaimed, HeldByAnother, HeldByYourOtherSession, RuleBroken
from pendesk.domain.event_data import event_data_to_wire
from pendesk.domain.limits import Limits
from tests.domain.nouns import ME, OTHER, a_claim, a_claimant, a_session, a_taker, an_action, some_facts

LIMITS = Limits(lease_us=6_000, lease_cap_us=20_000)


def test_after_a_restore_fences_begin_beyond_those_that_may_have_been_given():
    for fence, expected in ((4, 101), (100, 101), (101, 102)):
        limits = LIMITS._replace(fence_floor=100)
        claimed = claim_action(some_facts(an_action(fence=fence)), a_claimant(), "claim-9", 100, limits)
        assert (claimed.claim.fence, claimed.action.fence) == (expected, expected)


def test_claiming_takes_the_next_fence_and_begins_the_lease():
    claimed = claim_action(
        some_facts(an_action(fence=4)), a_claimant(taker=a_taker(agent_model="m")), "claim-9", 100, LIMITS
    )
    assert claimed.action == an_action(state=ActionState.IN_PROGRESS, fence=5, claim_id="claim-9", updated_at=100)
    claim = claimed.claim
    assert (claim.user_id, claim.fence, claim.state, claim.agent_model) == (ME, 5, ClaimState.ACTIVE, "m")
    assert (claim.taken_at, claim.expires_at, claim.build_id) == (100, 6_100, "build-1")
    assert claimed.ended_claim is None
    assert (claimed.event.kind, claimed.event.object_id, claimed.event.action_id) == (
        "action.claimed",
        "claim-9",
        "action-1",
    )
    assert event_data_to_wire(claimed.event) == {
        "before": "todo",
        "after": "in_progress",
        "fence": 5,
        "takenFrom": None,
    }


def test_an_expired_claim_of_another_is_lost_by_it():
    expired = a_claim(user_id=OTHER, expires_at=50)
    action = an_action(state=ActionState.IN_PROGRESS, fence=1)
    claimed = claim_action(some_facts(action, expired), a_claimant(), "claim-9", 100, LIMITS)
    assert claimed.ended_claim == expired._replace(state=ClaimState.LOST, ended_at=100)
    assert (event_data_to_wire(claimed.event)["takenFrom"], event_data_to_wire(claimed.event)["lostClaimId"]) == (
        OTHER,
        "claim-1",
    )


def test_a_claim_that_ended_before_is_not_lost_once_more():
    released = a_claim(user_id=OTHER, state=ClaimState.RELEASED)
    assert claim_action(some_facts(claim=released), a_claimant(), "claim-9", 100, LIMITS).ended_claim is None


def test_the_rules_of_claiming_are_checked_in_order():
    held = some_facts(an_action(state=ActionState.IN_PROGRESS), a_claim(user_id=OTHER, expires_at=200))
    with pytest.raises(AlreadyClaimed):
        claim_action(held, a_claimant(published=False, live_claims=3), "claim-9", 100, LIMITS)
    with pytest.raises(RuleBroken) as refused:
        claim_action(some_facts(), a_claimant(published=False, live_claims=3), "claim-9", 100, LIMITS)
    assert refused.value.code == "not_published"
    with pytest.raises(RuleBroken) as refused:
        claim_action(some_facts(), a_claimant(live_claims=3), "claim-9", 100, LIMITS)
    assert refused.value.code == "claim_limit"


@pytest.mark.parametrize(("now", "again"), [(0, True), (19_999, True), (20_000, False)])
def test_claiming_what_one_holds_is_the_same_claim_up_to_its_cap(now, again):
    assert can_reuse_claim(some_facts(claim=a_claim()), None, UNKNOWN_ORIGIN, now, LIMITS) == again
    assert not can_reuse_claim(some_facts(claim=a_claim(user_id=OTHER)), "claim-1", UNKNOWN_ORIGIN, now, LIMITS)
    assert not can_reuse_claim(some_facts(), None, UNKNOWN_ORIGIN, now, LIMITS)


@pytest.mark.parametrize("relation", [Relation.UNKNOWN, Relation.OTHER_SESSION])
def test_only_a_call_that_proves_to_be_a_repeat_gets_the_claim_of_a_session_that_may_be_another(relation):
    facts = some_facts(claim=a_claim(tool_use_id="toolu_1"), relation=relation)
    assert not can_reuse_claim(facts, None, UNKNOWN_ORIGIN, 0, LIMITS)
    assert not can_reuse_claim(facts, None, CallOrigin(tool_use_id="toolu_2"), 0, LIMITS)
    assert can_reuse_claim(facts, None, CallOrigin(tool_use_id="toolu_1"), 0, LIMITS)
    assert can_reuse_claim(facts, "claim-1", UNKNOWN_ORIGIN, 0, LIMITS)


def test_another_thread_of_the_same_session_does_not_get_the_same_claim():
    facts = some_facts(claim=a_claim(thread_id="thread-1"))
    assert can_reuse_claim(facts, None, CallOrigin(thread="thread-1"), 0, LIMITS)
    assert not can_reuse_claim(facts, None, CallOrigin(thread="thread-2"), 0, LIMITS)
    assert not can_reuse_claim(facts, None, UNKNOWN_ORIGIN, 0, LIMITS)


def test_a_claim_is_held_by_the_session_that_took_it():
    taker = a_taker(session_id="session-1", origin=CallOrigin(thread="thread-1", tool_use_id="toolu_1"))
    claim = claim_action(some_facts(), a_claimant(taker=taker), "claim-9", 100, LIMITS).claim
    assert (claim.session_id, claim.thread_id, claim.tool_use_id) == ("session-1", "thread-1", "toolu_1")


def test_taking_over_ends_the_live_claim_and_is_said_in_the_event():
    action, held = an_action(state=ActionState.IN_PROGRESS, fence=1), a_claim(expires_at=200)
    facts = some_facts(action, held, relation=Relation.OTHER_SESSION)
    claimed = claim_action(facts, a_claimant(taker=a_taker(take_over=True)), "claim-9", 100, LIMITS)
    assert claimed.ended_claim == held._replace(state=ClaimState.LOST, ended_at=100)
    assert (claimed.claim.fence, event_data_to_wire(claimed.event)["takenOver"]) == (2, True)


# Requested changes


def rework(claim=None, **facts):
    action = an_action(state=ActionState.CHANGES_REQUESTED, fence=1, claim_id="claim-1")
    return some_facts(action, claim or a_claim(state=ClaimState.SUBMITTED, ended_at=50), **facts)


@pytest.mark.parametrize("relation", [Relation.SAME, Relation.UNKNOWN])
def test_the_session_that_submitted_has_its_claim_back_and_the_state_stays(relation):
    taken = take_rework(rework(relation=relation), a_taker(), "claim-9", 100, LIMITS)
    assert (taken.claim.id, taken.claim.fence, taken.claim.state) == ("claim-1", 1, ClaimState.ACTIVE)
    assert (taken.claim.expires_at, taken.claim.ended_at, taken.ended_claim) == (6_100, None, None)
    assert taken.action.state == ActionState.CHANGES_REQUESTED
    wire = event_data_to_wire(taken.event)
    assert (wire["before"], wire["after"]) == ("changes_requested", "changes_requested")


def test_another_session_of_the_submitters_user_gets_a_claim_of_its_own():
    taken = take_rework(rework(relation=Relation.OTHER_SESSION), a_taker(session_id="s-2"), "claim-9", 100, LIMITS)
    assert (taken.claim.id, taken.claim.fence, taken.claim.session_id) == ("claim-9", 2, "s-2")
    assert taken.action.claim_id == "claim-9"


def test_a_second_session_is_refused_while_the_first_works_on_the_changes():
    held = a_claim(expires_at=200)
    with pytest.raises(HeldByYourOtherSession):
        take_rework(rework(held, relation=Relation.OTHER_SESSION), a_taker(), "claim-9", 100, LIMITS)
    lost = take_rework(rework(held, relation=Relation.OTHER_SESSION), a_taker(), "claim-9", 200, LIMITS)
    assert lost.ended_claim == held._replace(state=ClaimState.LOST, ended_at=200)


def test_requested_changes_are_not_for_another_user():
    with pytest.raises(HeldByAnother, match="unless a person hands it to another agent"):
        take_rework(rework(relation=Relation.OTHER_USER), a_taker(), "claim-9", 100, LIMITS)


def test_a_person_hands_requested_changes_to_another_agent():
    released = release_claim_by_person(rework(), 100, None)
    assert (released.action.state, released.claim.state) == (ActionState.TODO, ClaimState.RELEASED)


def test_resuming_needs_a_free_slot_and_a_life_below_the_cap():
    claim = a_claim(expires_at=100)
    resumed, event = resume_expired_lease(some_facts(claim=claim), claim, 2, list, 1_000, LIMITS)
    assert (resumed.renewed_at, resumed.expires_at, resumed.fence) == (1_000, 7_000, claim.fence)
    assert (event.kind, event.data) == ("action.resumed", {"fence": claim.fence})
    with pytest.raises(RuleBroken):
        resume_expired_lease(some_facts(claim=claim), claim, 3, list, 1_000, LIMITS)
    with pytest.raises(RuleBroken):
        resume_expired_lease(some_facts(claim=claim), claim, 0, list, 20_000, LIMITS)


def test_progress_renews_the_lease_and_is_remembered():
    claim, event = report_progress(an_action(), a_claim(), "Wrote the form.", 1_000, LIMITS)
    assert (claim.last_message, claim.last_message_at, claim.expires_at) == ("Wrote the form.", 1_000, 7_000)
    assert (event.kind, event_data_to_wire(event)) == ("action.progressed", {"message": "Wrote the form."})


def test_a_person_releases_only_what_somebody_holds():
    working = an_action(state=ActionState.IN_PROGRESS)
    released = release_claim_by_person(some_facts(working, a_claim()), 100, "It went quiet.")
    assert (released.action.state, released.claim.state, released.claim.ended_at) == ("todo", "released", 100)
    assert event_data_to_wire(released.event) == {
        "before": "in_progress",
        "after": "todo",
        "holder": ME,
        "reason": "It went quiet.",
        "byPerson": True,
    }
    for claim in (None, a_claim(state=ClaimState.SUBMITTED)):
        with pytest.raises(RuleBroken) as refused:
            release_claim_by_person(some_facts(working, claim), 100, None)
        assert refused.value.code == "not_claimed"


def test_dropping_keeps_the_reason_and_ends_the_claim():
    dropped = mark_wont_do(an_action(state=ActionState.IN_PROGRESS), a_claim(), "Not needed.", 100)
    assert (dropped.action.state, dropped.action.state_reason) == ("wont_do", "Not needed.")
    assert dropped.claim.state == ClaimState.DROPPED
    assert event_data_to_wire(dropped.event)["claimId"] == "claim-1"


def test_the_life_of_a_claim_that_comes_back_for_rework_begins_anew():
    submitted = a_claim(state=ClaimState.SUBMITTED, taken_at=0, ended_at=50)
    taken = take_rework(rework(submitted), a_taker(), "claim-9", 30_000, LIMITS)
    assert (taken.claim.taken_at, taken.claim.expires_at) == (30_000, 36_000)
    assert "takenOver" not in event_data_to_wire(taken.event)


def test_nobody_loses_a_claim_when_another_session_takes_what_was_submitted():
    taken = take_rework(rework(relation=Relation.OTHER_SESSION), a_taker(), "claim-9", 100, LIMITS)
    assert (taken.ended_claim, event_data_to_wire(taken.event)["takenFrom"]) == (None, None)


def test_rework_is_taken_over_from_a_live_session_and_the_event_says_so():
    claim = a_claim(expires_at=200)
    held = rework(claim, relation=Relation.OTHER_SESSION, holder_session=a_session())
    taken = take_rework(held, a_taker(take_over=True), "claim-9", 100, LIMITS._replace(take_over_after_us=50))
    assert (taken.claim.id, taken.ended_claim) == ("claim-9", claim._replace(state=ClaimState.LOST, ended_at=100))
    assert event_data_to_wire(taken.event)["takenOver"] is True


def test_in_a_paused_project_only_the_session_that_has_the_changes_goes_on_with_them():
    going_on = take_rework(rework(a_claim(), project_state="paused"), a_taker(), "claim-9", 150, LIMITS)
    assert going_on.claim.id == "claim-1"
    for facts in (
        rework(),
        rework(relation=Relation.OTHER_SESSION),
        rework(a_claim(), relation=Relation.OTHER_SESSION),
    ):
        with pytest.raises(RuleBroken, match="The project of PEN-12 is paused") as refused:
            take_rework(facts._replace(project_state="paused"), a_taker(), "claim-9", 150, LIMITS)
        assert refused.value.code == "project_not_active"


def test_what_was_dropped_says_when_why_and_who_waits_for_it():
    dropped = mark_wont_do(an_action(state=ActionState.IN_PROGRESS), a_claim(), "Not needed.", 100, ["PEN-13"])
    assert (dropped.action.updated_at, dropped.claim.ended_at) == (100, 100)
    wire = event_data_to_wire(dropped.event)
    assert (wire["before"], wire["after"], wire["reason"]) == ("in_progress", "wont_do", "Not needed.")
    assert "PEN-13" in str(wire["dependents"])


def test_a_claim_whose_work_was_approved_has_ended_then():
    done = mark_claim_done(a_claim(state=ClaimState.SUBMITTED, ended_at=50), 100)
    assert (done.state, done.ended_at) == (ClaimState.DONE, 100)
