from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.criterion import (
    LEVEL_RANK,
    ORDER,
    RANK,
    Criterion,
    CriterionStatus,
    advance_criteria_status,
    highest_ranked_evidence,
    more_advanced_status,
)
from tests.domain.nouns import an_action, some_evidence

statuses = st.sampled_from(ORDER)
pieces = st.lists(
    st.builds(
        lambda ident, level, at, stale: some_evidence(id=ident, level=level, given_at=at, stale_reason=stale),
        ident=st.uuids().map(str),
        level=st.sampled_from(list(LEVEL_RANK)),
        at=st.integers(0, 10),
        stale=st.sampled_from([None, "the criterion was edited"]),
    ),
    min_size=1,
    unique_by=lambda one: one.id,
)


def test_the_lifecycle_is_pending_seen_implemented_validated_confirmed():
    assert ORDER == ("pending", "seen", "implemented", "validated", "confirmed")


@given(statuses, statuses)
def test_later_is_one_of_the_two_and_before_neither(present, new):
    result = more_advanced_status(present, new)
    assert result in (present, new)
    assert RANK[result] == max(RANK[present], RANK[new])


@given(statuses, st.lists(statuses))
def test_no_sequence_of_writes_moves_a_criterion_back(status, writes):
    for write in writes:
        moved = more_advanced_status(status, write)
        assert RANK[moved] >= RANK[status]
        status = moved


@given(st.lists(statuses, min_size=1), st.randoms())
def test_the_order_of_writes_does_not_matter(writes, random):
    def after(sequence):
        status = CriterionStatus.PENDING
        for write in sequence:
            status = more_advanced_status(status, write)
        return status

    shuffled = list(writes)
    random.shuffle(shuffled)
    assert after(writes) == after(shuffled)


def test_no_evidence_has_no_best():
    assert highest_ranked_evidence([]) is None


@given(pieces)
def test_fresh_evidence_goes_before_stale_of_any_level(found):
    best = highest_ranked_evidence(found)
    fresh = [one for one in found if one.stale_reason is None]
    assert best in (fresh or found)


@given(pieces)
def test_among_the_fresh_the_highest_level_wins_and_then_the_newest(found):
    best = highest_ranked_evidence(found)
    assert best is not None
    peers = [one for one in found if (one.stale_reason is None) == (best.stale_reason is None)]
    assert LEVEL_RANK[best.level] == max(LEVEL_RANK[one.level] for one in peers)
    assert best.given_at == max(one.given_at for one in peers if one.level == best.level)


@given(st.lists(statuses, max_size=5), statuses)
def test_advancing_moves_those_behind_and_the_event_names_them(present, status):
    criteria = [
        Criterion(f"c{place}", "action-1", place, "It works", each, 1, None) for place, each in enumerate(present)
    ]
    behind = [criterion for criterion in criteria if RANK[criterion.status] < RANK[status]]
    advanced = advance_criteria_status(an_action(), criteria, status)
    if not behind:
        assert advanced is None
        return
    assert advanced is not None
    assert advanced.criteria == [criterion._replace(status=status) for criterion in behind]
    assert advanced.event.kind == "criterion.advanced"
    named = [{"criterionId": criterion.id, "before": criterion.status} for criterion in behind]
    assert advanced.event.data == {"criteria": named, "after": status}
