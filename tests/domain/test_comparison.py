"""Two states of a record, field by field."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.comparison import ChangedField, ComparedItem, compare_fields, compare_lists
from pendesk.domain.limits import DIFF_EFFORT_STEPS, DIFF_ITEMS
from pendesk.domain.word_diff import Part
from tests.steps import count_steps

lines = st.lists(st.sampled_from(["It starts", "It starts fast", "It stops", "No crash", ""]))


def test_only_what_differs_is_told_in_the_order_of_the_record():
    before = {"title": "Sign in", "summary": "By password.", "state": "draft"}
    after = {"title": "Sign in", "summary": "By passkey.", "state": "active"}
    result = compare_fields(before, after)
    assert [field.name for field in result] == ["summary", "state"]
    assert result[0].parts == [
        Part("same", "By "),
        Part("removed", "password"),
        Part("added", "passkey"),
        Part("same", "."),
    ]


def test_a_field_that_came_or_went_is_a_text_that_was_empty():
    assert compare_fields({"gone": "x"}, {"new": "y"}) == [
        ChangedField("new", [Part("added", "y")], []),
        ChangedField("gone", [Part("removed", "x")], []),
    ]


def test_an_item_said_differently_is_one_changed_item():
    (same, changed) = compare_lists(["A stays", "It starts in a second"], ["A stays", "It starts in two seconds"])
    assert (same.change, changed.change) == ("same", "changed")


def test_items_that_have_nothing_in_common_went_and_came():
    items = compare_lists(["Passwords are hashed"], ["Nobody waits"])
    assert [item.change for item in items] == ["removed", "added"]


def test_an_item_with_an_id_is_the_same_one_however_it_is_worded():
    old = [{"id": "1", "text": "one"}, {"id": "2", "text": "two"}]
    new = [{"id": "2", "text": "entirely different"}, {"id": "3", "text": "one"}]
    items = compare_lists(old, new)
    assert [item.change for item in items] == ["removed", "changed", "added"]
    assert items[0] == ComparedItem("removed", [Part("removed", "one")])


@given(lines, lines)
def test_both_lists_can_be_read_out_of_it(old, new):
    items = compare_lists(old, new)
    read = [("".join(part.text for part in item.parts if part.change != "added"), item) for item in items]
    assert [text for text, item in read if item.change != "added"] == old
    read = [("".join(part.text for part in item.parts if part.change != "removed"), item) for item in items]
    assert [text for text, item in read if item.change != "removed"] == new


def test_lists_longer_than_anyone_can_write_are_compared_as_far_as_they_are_shown():
    (field,) = compare_fields({"criteria": ["a"] * 100_000}, {"criteria": ["b"] * 100_000})
    assert len(field.items) == 2 * DIFF_ITEMS


def test_all_fields_share_one_effort():
    texts = [" ".join(f"{word}{number}" for number in range(200)) for word in ("old", "new")]
    before, after = ({"results": [f"{text} {number}" for number in range(50)]} for text in texts)
    assert count_steps(lambda: compare_fields(before, after)) < 10 * DIFF_EFFORT_STEPS
