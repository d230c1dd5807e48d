import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.criterion import ORDER
from pendesk.domain.errors import RuleBroken
from pendesk.domain.review import check_dispositions, check_verdicts
from tests.domain.nouns import an_item

idents = st.sampled_from(["c1", "c2", "c3"])


@given(
    verdicts=st.dictionaries(idents, st.sampled_from(["confirmed", "rejected"])),
    criteria=st.dictionaries(idents, st.sampled_from(ORDER)),
)
def test_approving_needs_every_criterion_confirmed_now_or_earlier(verdicts, criteria):
    known = set(verdicts) <= set(criteria)
    after = {ident: verdicts.get(ident) or status for ident, status in criteria.items()}
    if known and all(word == "confirmed" for word in after.values()):
        check_verdicts("approved", verdicts, criteria)
        return
    with pytest.raises(RuleBroken) as refused:
        check_verdicts("approved", verdicts, criteria)
    assert refused.value.code == ("criteria_not_confirmed" if known else "unknown_criterion")


def test_changes_may_be_requested_with_any_verdicts():
    check_verdicts("changes_requested", {"c1": "rejected"}, {"c1": "validated", "c2": "pending"})
    check_verdicts("changes_requested", {}, {"c1": "confirmed"})


@pytest.mark.parametrize("verdict", ["approved", "changes_requested"])
def test_a_verdict_on_a_criterion_of_another_action_is_refused_by_name(verdict):
    with pytest.raises(RuleBroken, match="c9") as refused:
        check_verdicts(verdict, {"c9": "confirmed"}, {"c1": "validated"})
    assert refused.value.details["criteria"] == ["c9"]


def test_a_refused_approval_says_which_are_rejected_and_which_have_no_verdict():
    with pytest.raises(RuleBroken) as refused:
        check_verdicts("approved", {"c1": "rejected"}, {"c1": "validated", "c2": "seen", "c3": "confirmed"})
    assert refused.value.details == {"rejected": ["c1"], "missing": ["c2"]}


def test_each_item_of_a_review_needs_a_disposition():
    items = [an_item("i1"), an_item("i2"), an_item("i3")]
    check_dispositions(items, {"i1", "i2", "i3"})
    with pytest.raises(RuleBroken) as refused:
        check_dispositions(items, {"i2"})
    assert refused.value.code == "dispositions_missing"
    assert [item["id"] for item in refused.value.details["items"]] == ["i1", "i3"]


def test_a_review_without_items_needs_no_disposition():
    check_dispositions([], set())
