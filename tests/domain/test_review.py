import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import RuleBroken
from pendesk.domain.evidence import EvidenceState
from pendesk.domain.review import (
    CriterionVerdict,
    Verdict,
    check_review_items_are_open,
    check_verdict_fits_criteria,
)
from tests.domain.nouns import an_item

CONFIRMED, REJECTED = CriterionVerdict
MET, CLAIMED, FAILING = EvidenceState.CONFIRMED, EvidenceState.CLAIMED, EvidenceState.FAILING
idents = st.sampled_from(["c1", "c2", "c3"])


@given(
    verdicts=st.dictionaries(idents, st.sampled_from(CriterionVerdict)),
    criteria=st.dictionaries(idents, st.sampled_from(EvidenceState)),
)
def test_approving_needs_every_criterion_confirmed_now_or_earlier(verdicts, criteria):
    known = set(verdicts) <= set(criteria)
    after = {ident: verdicts.get(ident) or state for ident, state in criteria.items()}
    if known and all(word == "confirmed" for word in after.values()):
        check_verdict_fits_criteria(Verdict.APPROVED, verdicts, criteria)
        return
    with pytest.raises(RuleBroken) as refused:
        check_verdict_fits_criteria(Verdict.APPROVED, verdicts, criteria)
    assert refused.value.code == ("criteria_not_confirmed" if known else "unknown_criterion")


def test_changes_may_be_requested_with_any_verdicts():
    check_verdict_fits_criteria(Verdict.CHANGES_REQUESTED, {"c1": REJECTED}, {"c1": CLAIMED, "c2": FAILING})
    check_verdict_fits_criteria(Verdict.CHANGES_REQUESTED, {}, {"c1": MET})


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_on_a_criterion_of_another_action_is_refused_by_name(verdict):
    with pytest.raises(RuleBroken, match="c9") as refused:
        check_verdict_fits_criteria(verdict, {"c9": CONFIRMED}, {"c1": CLAIMED})
    assert refused.value.details["criteria"] == ["c9"]


def test_a_refused_approval_says_which_are_rejected_and_which_have_no_verdict():
    with pytest.raises(RuleBroken) as refused:
        check_verdict_fits_criteria(Verdict.APPROVED, {"c1": REJECTED}, {"c1": CLAIMED, "c2": FAILING, "c3": MET})
    assert refused.value.details == {"rejected": ["c1"], "missing": ["c2"]}


@pytest.mark.parametrize("answered", [[], ["i2"], ["i1", "i2", "i3"]])
def test_items_of_a_review_may_be_left_without_a_disposition(answered):
    check_review_items_are_open([an_item("i1"), an_item("i2"), an_item("i3")], answered)


def test_a_disposition_of_an_item_that_is_not_open_is_refused_by_name():
    with pytest.raises(RuleBroken, match="i9") as refused:
        check_review_items_are_open([an_item("i1")], ["i1", "i9"])
    assert refused.value.code == "unknown_review_item"
