import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.report import check_criteria_belong_to_action, parse_full_sha

idents = st.lists(st.sampled_from(["c1", "c2", "c3"]))


@pytest.mark.parametrize("length", [40, 64])
def test_a_full_sha_is_taken_in_lower_case(length):
    assert parse_full_sha("AbC1"[:4] * (length // 4)) == "abc1" * (length // 4)


def test_blanks_around_a_sha_do_not_matter():
    assert parse_full_sha(f" {'a' * 40}\n") == "a" * 40


@pytest.mark.parametrize("text", ["", "abc1234", "a" * 39, "a" * 41, "a" * 63, "g" * 40, "a" * 39 + "\u0661", "HEAD"])
def test_what_is_not_a_full_sha_is_refused_by_its_field(text):
    with pytest.raises(BadField, match="git rev-parse") as refused:
        parse_full_sha(text)
    assert refused.value.details["field"] == "sha"


@given(idents, st.sets(st.sampled_from(["c1", "c2", "c3"])))
def test_every_unknown_criterion_is_named(wanted, known):
    unknown = [each for each in wanted if each not in known]
    if not unknown:
        check_criteria_belong_to_action(wanted, dict.fromkeys(known, "It holds."))
        return
    with pytest.raises(RuleBroken) as refused:
        check_criteria_belong_to_action(wanted, dict.fromkeys(known, "It holds."))
    assert refused.value.code == "unknown_criterion"
    assert refused.value.details["criteria"] == unknown
