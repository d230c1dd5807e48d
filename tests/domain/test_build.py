import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.build import brief_revision_hash, check_publishable, diff_briefs_by_field
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import DIFF_BRIEF_STEPS, TEXT_CHARS
from tests.steps import count_steps

texts = st.text(st.sampled_from("ab \n"), max_size=12)
criteria = st.lists(st.builds(lambda text: {"id": text, "text": text}, st.text("xyz", min_size=1)), max_size=4)
briefs = st.dictionaries(st.sampled_from(["spec.summary", "plan.approach"]), texts) | st.dictionaries(
    st.sampled_from(["spec.results", "action.criteria"]), criteria
)


def test_a_plan_whose_actions_all_have_criteria_can_be_published():
    check_publishable(["PEN-1", "PEN-2"], [])


def test_an_empty_plan_cannot_be_published():
    with pytest.raises(RuleBroken) as refused:
        check_publishable([], [])
    assert refused.value.code == "nothing_to_publish"


def test_every_action_without_a_criterion_is_named_at_once():
    with pytest.raises(RuleBroken, match="PEN-2, PEN-4") as refused:
        check_publishable(["PEN-1", "PEN-2", "PEN-3", "PEN-4"], ["PEN-2", "PEN-4"])
    assert refused.value.code == "criteria_missing"
    assert refused.value.details["actions"] == ["PEN-2", "PEN-4"]


@given(texts, texts, texts, texts)
def test_the_same_brief_has_the_same_revision_and_another_text_another(spec, action, other_spec, other_action):
    same = (spec, action) == (other_spec, other_action)
    assert (brief_revision_hash(spec, action) == brief_revision_hash(other_spec, other_action)) == same


def test_text_that_moves_from_the_spec_to_the_action_changes_the_revision():
    assert brief_revision_hash("ab", "c") != brief_revision_hash("a", "bc")


@given(briefs)
def test_nothing_has_changed_between_a_brief_and_itself(brief):
    assert diff_briefs_by_field(brief, brief) == []


@given(briefs, briefs)
def test_every_change_names_a_field_that_differs(before, after):
    for change in diff_briefs_by_field(before, after):
        assert before.get(change["field"]) != after.get(change["field"])
        assert set(change) in ({"field", "diff"}, {"field", "removed"}, {"field", "added"})


def test_texts_are_compared_by_line():
    before = {"spec.summary": "one\ntwo\nthree"}
    after = {"spec.summary": "one\n2\nthree"}
    (change,) = diff_briefs_by_field(before, after)
    assert change["field"] == "spec.summary"
    assert change["diff"].splitlines()[1:] == [" one", "-two", "+2", " three"]


def test_lists_are_compared_by_item():
    assert diff_briefs_by_field({"spec.results": ["a", "b"]}, {"spec.results": ["b", "c"]}) == [
        {"field": "spec.results", "removed": "a"},
        {"field": "spec.results", "added": "c"},
    ]


def test_an_edited_criterion_is_told_by_its_texts():
    before = {"action.criteria": [{"id": "1", "text": "It works", "revision": 1}]}
    after = {"action.criteria": [{"id": "1", "text": "It works twice", "revision": 2}]}
    assert diff_briefs_by_field(before, after) == [
        {"field": "action.criteria", "removed": "It works"},
        {"field": "action.criteria", "added": "It works twice"},
    ]


@pytest.mark.parametrize("line", ["-- a comment", "++ more"])
def test_a_line_that_looks_like_a_diff_header_is_not_lost(line):
    (change,) = diff_briefs_by_field({"spec.summary": ""}, {"spec.summary": line})
    assert f"+{line}" in change["diff"].splitlines()
    (change,) = diff_briefs_by_field({"spec.summary": line}, {"spec.summary": ""})
    assert f"-{line}" in change["diff"].splitlines()


def test_items_that_change_places_or_come_twice_are_a_change():
    assert diff_briefs_by_field({"spec.results": ["a"]}, {"spec.results": ["a", "a"]}) == [
        {"field": "spec.results", "added": "a"}
    ]
    assert diff_briefs_by_field({"spec.results": ["a", "b"]}, {"spec.results": ["b", "a"]}) == [
        {"field": "spec.results", "removed": "a"},
        {"field": "spec.results", "added": "a"},
    ]


def test_a_change_of_the_most_repetitive_text_costs_no_more_than_another():
    def lines(step: int) -> str:
        return "".join(f"{number * step % 101:x}\n" for number in range(TEXT_CHARS // 3))

    before, after = {"action.description": lines(1)}, {"action.description": lines(2)}
    assert count_steps(lambda: diff_briefs_by_field(before, after), 30 * DIFF_BRIEF_STEPS) > 0


def test_a_change_far_from_another_is_a_hunk_of_its_own():
    text = [str(number) for number in range(1, 10)]
    changed = ["one", *text[1:6], "seven", *text[7:]]
    (change,) = diff_briefs_by_field({"plan.approach": "\n".join(text)}, {"plan.approach": "\n".join(changed)})
    assert change["diff"].splitlines() == [
        "@@ -1,2 +1,2 @@", "-1", "+one", " 2",
        "@@ -6,3 +6,3 @@", " 6", "-7", "+seven", " 8",
    ]  # fmt: skip


def test_changes_beside_each_other_share_a_hunk():
    (change,) = diff_briefs_by_field({"plan.approach": "a\nb\nc\nd"}, {"plan.approach": "A\nb\nc\nD"})
    assert change["diff"].splitlines() == ["@@ -1,4 +1,4 @@", "-a", "+A", " b", " c", "-d", "+D"]
