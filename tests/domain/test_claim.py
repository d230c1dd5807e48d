import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.action import ActionState
from pendesk.domain.claim import (
    Prerequisite,
    check_below_max_duration,
    check_claim_limit,
    check_claimable,
    check_not_held_by_other,
    claim_liveness,
    has_live_lease,
    has_reached_max_duration,
    is_renewal_due,
    lease_expiry,
    require_writable_claim,
)
from pendesk.domain.claim_transitions import renew_lease
from pendesk.domain.errors import AlreadyClaimed, ClaimLost, HeldByAnother, NotParticipant, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.limits import Limits
from tests.domain.nouns import ME, OTHER, a_claim, a_claimant, an_action, some_facts

LIMITS = Limits(lease_us=6_000, lease_cap_us=20_000)
LATE = Event("report.late", "action-1")
moments = st.integers(0, 100_000)


# The lease


@pytest.mark.parametrize(
    ("now", "beat"), [(0, "live"), (49, "live"), (50, "quiet"), (99, "quiet"), (100, "expired"), (5_000, "expired")]
)
def test_a_claim_is_live_then_quiet_at_half_its_life_then_expired(now, beat):
    assert claim_liveness(a_claim(renewed_at=0, expires_at=100), now) == beat


def test_a_claim_is_live_until_the_moment_it_expires():
    claim = a_claim(expires_at=100)
    assert has_live_lease(claim, 99)
    assert not has_live_lease(claim, 100)


@pytest.mark.parametrize("state", ["submitted", "released", "lost", "dropped", "done"])
def test_a_claim_that_has_ended_is_not_live(state):
    assert not has_live_lease(a_claim(state=state), 0)


def test_no_claim_is_not_live():
    assert not has_live_lease(None, 0)


@given(taken=moments, wait=moments)
def test_a_lease_never_outlives_its_cap(taken, wait):
    now = taken + wait
    assert lease_expiry(taken, now, LIMITS) <= taken + LIMITS.lease_cap_us
    assert lease_expiry(taken, now, LIMITS) <= now + LIMITS.lease_us


@given(taken=moments, waits=st.lists(moments, min_size=1, max_size=5))
def test_a_renewal_never_shortens_a_lease(taken, waits):
    claim = a_claim(taken_at=taken, renewed_at=taken, expires_at=lease_expiry(taken, taken, LIMITS))
    now = taken
    for wait in waits:
        now += wait
        renewed = renew_lease(claim, now, LIMITS)
        assert renewed.expires_at >= claim.expires_at
        assert renewed.fence == claim.fence
        assert renewed.id == claim.id
        claim = renewed


@given(taken=moments, wait=moments)
def test_a_capped_claim_cannot_be_revived_by_renewing_it(taken, wait):
    claim = a_claim(taken_at=taken)
    now = taken + LIMITS.lease_cap_us + wait
    assert has_reached_max_duration(claim, now, LIMITS)
    assert not has_live_lease(renew_lease(claim, now, LIMITS), now)


def test_a_renewal_is_due_when_a_sixtieth_of_the_lease_has_gone():
    claim = a_claim(renewed_at=1_000)
    assert not is_renewal_due(claim, 1_099, LIMITS)
    assert is_renewal_due(claim, 1_100, LIMITS)


def test_a_claim_at_its_cap_is_refused_and_told_to_claim_again():
    claim = a_claim(taken_at=0)
    check_below_max_duration(claim, "PEN-12", LIMITS.lease_cap_us - 1, LIMITS)
    with pytest.raises(RuleBroken, match="claim_action") as refused:
        check_below_max_duration(claim, "PEN-12", LIMITS.lease_cap_us, LIMITS)
    assert refused.value.code == "claim_expired"


# What can be claimed


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
    waiting = [Prerequisite(f"PEN-{number}", "First", ActionState.TODO) for number in range(1, 9)]
    with pytest.raises(RuleBroken, match=r"PEN-1 \(not-started\)") as refused:
        claimable(prerequisites=waiting)
    assert refused.value.code == "prerequisites_open"
    assert refused.value.details["waitingOn"] == [each.ref for each in waiting]


def test_a_live_claim_of_another_stands_in_the_way_and_is_named():
    with pytest.raises(AlreadyClaimed, match="Ada") as refused:
        check_not_held_by_other(some_facts(claim=a_claim(user_id=OTHER, expires_at=100)), ME, 99)
    assert refused.value.details["claimedBy"] == OTHER


@pytest.mark.parametrize(
    "claim",
    [
        None,
        a_claim(user_id=OTHER, expires_at=50),
        a_claim(user_id=OTHER, state="released"),
        a_claim(user_id=OTHER, state="lost"),
        a_claim(user_id=OTHER, state="dropped"),
        a_claim(user_id=ME),
    ],
)
def test_an_expired_an_ended_and_ones_own_claim_do_not_stand_in_the_way(claim):
    check_not_held_by_other(some_facts(claim=claim), ME, 50)


@given(live=st.integers(0, 10), limit=st.integers(1, 10))
def test_a_user_may_claim_while_fewer_claims_than_the_limit_are_live(live, limit):
    limits = LIMITS._replace(live_claims_per_user=limit)
    if live < limit:
        check_claim_limit(live, limits)
        return
    with pytest.raises(RuleBroken) as refused:
        check_claim_limit(live, limits)
    assert refused.value.code == "claim_limit"


# Who may write


def may_write(claim, claim_id=None, *, state="in_progress", held_before=True):
    return require_writable_claim(some_facts(an_action(state=state, fence=7), claim), ME, claim_id, held_before, LATE)


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
    assert refused.value.late is LATE
    assert refused.value.details == {"holder": "Ada", "claimedBy": OTHER, "fence": 7}


def test_the_holder_who_names_an_old_claim_of_theirs_is_refused():
    with pytest.raises(ClaimLost):
        may_write(a_claim(), "claim-0")


def test_naming_a_released_claim_is_a_lost_claim_although_nobody_holds_the_action():
    with pytest.raises(ClaimLost, match="Nobody holds it now") as refused:
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
