"""What is said to whoever may not have an action: who holds it, and what to do next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.agent_session import Relation
from pendesk.domain.claim import HeldClaim, is_writable_by_caller
from pendesk.domain.claim_refusals import (
    Alternatives,
    check_claim_limit,
    check_not_held_by_other,
    duration_words,
    not_held_refusal,
)
from pendesk.domain.errors import AlreadyClaimed, ClaimLost, HeldByAnother, HeldByYourOtherSession, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.limits import HOUR_US, MINUTE_US, Limits
from tests.domain.nouns import OTHER, a_claim, a_session, an_action, some_facts

LIMITS = Limits()
LATE = Event("report.late", "action-1")
NOW = 12 * MINUTE_US


def check_not_held(facts, now=NOW, *, take_over=False, free=("PEN-13", "PEN-14")):
    check_not_held_by_other(facts, take_over, now, LIMITS, lambda: list(free))


def test_a_live_claim_of_another_stands_in_the_way_and_is_named():
    with pytest.raises(AlreadyClaimed, match="Ada") as refused:
        check_not_held(some_facts(claim=a_claim(user_id=OTHER, expires_at=100)), 99)
    assert refused.value.details["claimedBy"] == OTHER


@pytest.mark.parametrize(
    "claim",
    [
        None,
        a_claim(user_id=OTHER, expires_at=50),
        a_claim(user_id=OTHER, state="released"),
        a_claim(user_id=OTHER, state="lost"),
        a_claim(user_id=OTHER, state="dropped"),
    ],
)
def test_an_expired_and_an_ended_claim_do_not_stand_in_the_way(claim):
    check_not_held(some_facts(claim=claim), 50)


@given(live=st.integers(0, 10), limit=st.integers(1, 10))
def test_a_user_may_claim_while_fewer_claims_than_the_limit_are_live(live, limit):
    limits = LIMITS._replace(live_claims_per_user=limit)
    if live < limit:
        check_claim_limit(live, limits, lambda: [HeldClaim("PEN-3", "Codex #2")])
        return
    with pytest.raises(RuleBroken) as refused:
        check_claim_limit(live, limits, lambda: [HeldClaim("PEN-3", "Codex #2")])
    assert refused.value.code == "claim_limit"
    assert "PEN-3 (Codex #2)" in refused.value.message
    assert refused.value.details["held"] == [{"ref": "PEN-3", "holder": "Codex #2"}]


# Who may write


def may_write(claim, claim_id=None, *, state="in_progress", held_before=True, **facts):
    action_facts = some_facts(an_action(state=state, fence=7), claim, **facts)
    if is_writable_by_caller(action_facts, claim_id):
        return claim
    raise not_held_refusal(
        action_facts, claim_id, held_before, LATE, NOW, Alternatives(lambda: ["PEN-4"], lambda: None)
    )


@pytest.mark.parametrize("claim_id", [None, "claim-1"])
def test_the_holder_may_write_with_and_without_the_claims_id(claim_id):
    claim = a_claim()
    assert may_write(claim, claim_id) is claim


def test_an_expired_claim_that_nobody_took_is_still_the_holders():
    claim = a_claim(expires_at=-1)
    assert may_write(claim) is claim


@pytest.mark.parametrize("claim_id", [None, "claim-0"])
def test_a_former_holder_is_told_who_holds_it_now_and_what_they_sent_is_kept(claim_id):
    with pytest.raises(ClaimLost, match="held by Ada now") as refused:
        may_write(a_claim(user_id=OTHER), claim_id)
    assert refused.value.late_report is LATE
    assert refused.value.details == {"holder": "Ada", "claimedBy": OTHER, "fence": 7}


def test_the_holder_who_names_an_old_claim_of_theirs_is_refused():
    with pytest.raises(ClaimLost):
        may_write(a_claim(), "claim-0")


def test_naming_a_released_claim_is_a_lost_claim_although_nobody_holds_the_action():
    with pytest.raises(ClaimLost, match="nobody holds it now") as refused:
        may_write(a_claim(state="released"), "claim-1", state="todo")
    assert refused.value.details["holder"] is None


def test_who_never_held_the_action_is_told_that_another_holds_it():
    with pytest.raises(HeldByAnother, match="Ada"):
        may_write(a_claim(user_id=OTHER), held_before=False)


@pytest.mark.parametrize("claim_id", [None, "claim-1"])
def test_the_submitter_of_work_in_review_is_pointed_to_resubmit(claim_id):
    with pytest.raises(RuleBroken, match="resubmit_for_review") as refused:
        may_write(a_claim(state="submitted"), claim_id, state="in_review")
    assert refused.value.code == "in_review"


@pytest.mark.parametrize("claim", [None, a_claim(state="released"), a_claim(state="dropped")])
def test_who_holds_nothing_is_told_to_claim_first(claim):
    with pytest.raises(RuleBroken, match="claim_action") as refused:
        may_write(claim, state="todo")
    assert refused.value.code == "not_claimed"


# Between the sessions of one user


def held_by_session(relation, **session):
    claim = a_claim(session_id="session-1", expires_at=HOUR_US, agent_model="gpt-5.5")
    return some_facts(claim=claim, relation=relation, holder_session=a_session(**session))


def refused_claim(relation, *, free=("PEN-13",), **session):
    with pytest.raises(HeldByYourOtherSession) as refused:
        check_not_held(held_by_session(relation, **session), free=free)
    return refused.value


def test_another_session_of_the_same_user_is_named_with_its_age_and_what_to_claim_instead():
    refusal = refused_claim(Relation.OTHER_SESSION, number=2, last_seen_at=9 * MINUTE_US)
    assert refusal.code == "held_by_your_other_session"
    assert refusal.message == (
        "PEN-12 is held by Codex on ada-laptop #2, another session of yours, claimed 12 min ago, last sign of life "
        "3 min ago. Claim PEN-13 instead."
    )
    assert refusal.details["agent"] == "Codex on ada-laptop #2"
    assert (refusal.details["model"], refusal.details["instead"]) == ("gpt-5.5", ["PEN-13"])
    assert {"since", "lastSign"} <= set(refusal.details)


def test_where_nothing_tells_two_terminals_apart_the_refusal_says_both_ways_to_go_on():
    refusal = refused_claim(Relation.UNKNOWN, last_seen_at=NOW)
    assert refusal.message == (
        "PEN-12 was claimed 12 min ago by you or another terminal of yours. If it was this conversation, go on with "
        "get_action_brief. If not, claim PEN-13 instead."
    )


@pytest.mark.parametrize("silent", [{"last_seen_at": 7 * MINUTE_US}, {"last_seen_at": NOW, "ended_at": NOW}])
def test_taking_over_is_named_once_the_other_session_was_silent_or_has_ended(silent):
    assert "take_over: true" in refused_claim(Relation.OTHER_SESSION, **silent).message
    assert "take_over" not in refused_claim(Relation.OTHER_SESSION, last_seen_at=8 * MINUTE_US).message


def test_a_session_is_taken_over_from_where_the_caller_says_so_but_never_from_another_user():
    check_not_held(held_by_session(Relation.OTHER_SESSION), take_over=True)
    check_not_held(held_by_session(Relation.UNKNOWN), take_over=True)
    with pytest.raises(AlreadyClaimed):
        check_not_held(some_facts(claim=a_claim(user_id=OTHER, expires_at=HOUR_US)), take_over=True)


def test_another_thread_of_the_same_session_is_told_which_sub_agent_has_it():
    facts = some_facts(claim=a_claim(thread_id="01a1-sub-agent-7", expires_at=HOUR_US))
    with pytest.raises(HeldByYourOtherSession, match="your sub-agent -agent-7"):
        check_not_held(facts)
    with pytest.raises(HeldByYourOtherSession, match="the agent that you work for"):
        check_not_held(facts._replace(claim=a_claim(expires_at=HOUR_US)))


def test_an_empty_list_of_what_to_claim_instead_is_said():
    assert "You can claim nothing else now" in refused_claim(Relation.OTHER_SESSION, free=()).message


def test_another_session_may_not_write_unless_it_has_the_claims_id():
    facts = {"relation": Relation.OTHER_SESSION, "holder_session": a_session(last_seen_at=0)}
    with pytest.raises(HeldByYourOtherSession, match="was not recorded") as refused:
        may_write(a_claim(expires_at=HOUR_US), held_before=False, **facts)
    assert "take_over" not in refused.value.message
    assert may_write(a_claim(), "claim-1", held_before=False, **facts)


def test_a_session_that_was_taken_over_from_has_lost_its_claim_and_what_it_sent_is_kept():
    facts = {"relation": Relation.OTHER_SESSION, "holder_session": a_session(number=3)}
    with pytest.raises(ClaimLost, match="held by Codex on ada-laptop #3 now") as refused:
        may_write(a_claim(), held_before=True, **facts)
    assert refused.value.late_report is LATE


def test_where_nothing_tells_two_terminals_apart_both_may_write():
    assert may_write(a_claim(), held_before=False, relation=Relation.UNKNOWN, holder_session=a_session())


@pytest.mark.parametrize(
    ("microseconds", "words"),
    [(0, "less than a minute"), (MINUTE_US, "1 min"), (119 * MINUTE_US, "119 min"), (50 * HOUR_US, "50 h")],
)
def test_a_duration_is_said_in_minutes_and_then_in_hours(microseconds, words):
    assert duration_words(microseconds) == words
