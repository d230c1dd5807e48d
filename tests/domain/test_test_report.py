"""Which criteria a test is about."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.test_report import (
    CriterionAliases,
    ReportedTest,
    build_criterion_aliases,
    check_patterns_within_wildcard_limit,
    tally_by_criterion_with_unmatched,
)
from tests.patience import patience
from tests.refusals import refused

ONE = "019f3b2a-7c1d-7e42-8abc-0123456789ab"
TWO = "019f3b2a-7c1d-7e43-9abc-0123456789ab"
FOREIGN = "019f3b2a-7c1d-7e44-9abc-0123456789ab"


def names() -> CriterionAliases:
    return build_criterion_aliases([(ONE, None, TWO), (TWO, ONE, FOREIGN)], "HRB", 12)


def about(words: str, mapping: dict[str, str] | None = None) -> set[str]:
    found, _ = tally_by_criterion_with_unmatched([ReportedTest(words, words, "passed")], names(), mapping or {})
    return set(found)


def test_ids_whole_or_as_much_as_is_theirs_alone():
    for words in (ONE, ONE.upper(), ONE.replace("-", "_"), f"test_{ONE.replace('-', '')}", ONE[:18], ONE[:18] + " x"):
        assert about(words) == {ONE}
    assert about(f"test_{ONE.replace('-', '')[:16]}_accepts") == {ONE}
    assert about(f"{ONE} and {TWO}") == {ONE, TWO}
    for words in (ONE[:8], ONE[:13], ONE[:17], FOREIGN, FOREIGN.replace("-", "_"), FOREIGN[:18], "x" + ONE, ONE + "0"):
        assert about(words) == set()


def test_the_beginning_of_an_id_that_stands_alone_has_eight_characters_or_more():
    alone = build_criterion_aliases([(ONE, "018f0000-0000-7000-8000-000000000000", None)], "HRB", 12)
    for length, expected in ((7, 0), (8, 1), (13, 1)):
        found, _ = tally_by_criterion_with_unmatched([ReportedTest("a", ONE[:length], "passed")], alone, {})
        assert len(found) == expected


def test_places():
    for words in ("AC-1", "test_ac_1_x", "ac1", "[AC 1] shows", "HRB-12 AC-1", "test_hrb_12_ac_1", "HRB-3 HRB-12 AC-1"):
        assert about(words) == {ONE}
    assert about("AC-1 AC-2") == {ONE, TWO}
    for words in ("AC-3", "AC-0", "AC-", "AC-12", "AC-1x", "MAC-1", "HRB-3 AC-1", "test_hrb_3_ac_1"):
        assert about(words) == set()


def test_mapping():
    mapping = {"exact": ONE, "pre*": TWO, "*post": ONE, "a*b*c": TWO, "[x]": ONE, "*": TWO}
    cases = {"exact": ONE, "prefix": TWO, "the post": ONE, "a-b-c": TWO, "abc": TWO, "[x]": ONE, "x": TWO, "acb": TWO}
    for name, expected in cases.items():
        assert about(name, mapping) == {expected}
    del mapping["*"]
    for name in ("exactly", "xpre", "post!", "acb", "x", ".x."):
        assert about(name, mapping) == set()


def test_a_criterion_with_one_failure_has_failed_and_a_skipped_test_says_nothing():
    tests = [
        ReportedTest("a", "AC-1", "passed"),
        ReportedTest("b", "AC-1", "failed"),
        ReportedTest("c", "AC-2", "skipped"),
        ReportedTest("d", "d", "failed"),
    ]
    found, unmapped = tally_by_criterion_with_unmatched(tests, names(), {})
    assert {key: one.outcome for key, one in found.items()} == {ONE: "failed"}
    assert found[ONE].summary("junit") == "1 of 2 tests failed in the junit report: b"
    assert [test.name for test in unmapped] == ["d"]


def test_hostile_names_and_patterns_cost_little():
    tests = [ReportedTest("a" * 300, f"{ONE[:8]} " * 33, "passed")] * 3_000
    mapping = {"*a" * 3 + f"*{n}": ONE for n in range(50)}
    check_patterns_within_wildcard_limit(mapping)
    with patience():
        assert tally_by_criterion_with_unmatched(tests, names(), mapping)[0] == {}


def test_a_pattern_has_few_stars():
    with refused(BadField):
        check_patterns_within_wildcard_limit({"*a*b*c*d*": ONE})


@given(st.text(), st.dictionaries(st.text(min_size=1), st.just(ONE), max_size=5))
def test_any_name_and_pattern_is_taken(words, mapping):
    assert about(words, mapping) <= {ONE, TWO}


@given(st.text(alphabet="ab*.\\("), st.text(alphabet="ab.\\("))
def test_a_pattern_fits_what_a_simple_matcher_fits(pattern, name):
    def fits(rest: str, text: str) -> bool:
        if not rest:
            return not text
        if rest[0] == "*":
            return any(fits(rest[1:], text[start:]) for start in range(len(text) + 1))
        return bool(text) and text[0] == rest[0] and fits(rest[1:], text[1:])

    pattern = pattern[:8]
    if pattern:
        assert (about(name, {pattern: ONE}) == {ONE}) == fits(pattern, name)
