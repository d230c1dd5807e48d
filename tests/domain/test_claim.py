import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.claim import (
    ClaimKind,
    check_below_max_duration,
    claim_expiry,
    claim_liveness,
    has_live_lease,
    has_reached_max_duration,
    is_renewal_due,
    sign_age,
)
from pendesk.domain.claim_transitions import renew_lease
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import Limits
from tests.domain.nouns import a_claim

LIMITS = Limits(lease_us=6_000, lease_cap_us=20_000)
moments = st.integers(0, 100_000)


# The lease


@pytest.mark.parametrize(
    ("now", "beat"), [(0, "live"), (49, "live"), (50, "quiet"), (99, "quiet"), (100, "expired"), (5_000, "expired")]
)
def test_a_claim_is_live_then_quiet_at_half_its_life_then_expired(now, beat):
    assert claim_liveness(a_claim(renewed_at=0, expires_at=100), now) == beat


@pytest.mark.parametrize(("silence", "age"), [(0, "fresh"), (19, "fresh"), (20, "aging"), (49, "aging"), (50, "stale")])
def test_its_last_sign_of_life_ages_as_the_installation_has_it(silence, age):
    assert sign_age(7, 7 + silence, Limits(working_neutral_us=20, working_amber_us=50)) == age


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
    assert claim_expiry(ClaimKind.LEASE, taken, now, LIMITS) <= taken + LIMITS.lease_cap_us
    assert claim_expiry(ClaimKind.LEASE, taken, now, LIMITS) <= now + LIMITS.lease_us


@given(taken=moments, waits=st.lists(moments, min_size=1, max_size=5))
def test_a_renewal_never_shortens_a_lease(taken, waits):
    claim = a_claim(taken_at=taken, renewed_at=taken, expires_at=claim_expiry(ClaimKind.LEASE, taken, taken, LIMITS))
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
