"""Edits that meet."""

from pendesk.domain.limits import EVENT_LIST_ITEMS, EVENT_TEXT_CHARS
from pendesk.domain.revision import build_edit_event_data, changed_field_names, revision_conflict


def test_a_field_has_changed_where_its_value_differs():
    assert changed_field_names({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": None}) == ["b"]
    assert changed_field_names({}, {"a": ""}) == ["a"]


def test_a_conflict_carries_the_present_value_of_what_changed():
    refusal = revision_conflict(1, 3, "Grace", "2026-01-01", {"title": "a", "body": "b"}, {"title": "a", "body": "c"})
    assert refusal.details["changed"] == {"body": "c"}
    assert refusal.details["currentRevision"] == 3
    assert "Grace" in refusal.message


def test_the_log_cuts_long_texts_and_lists():
    result = build_edit_event_data({"a": "x" * 10_000, "b": []}, {"a": "y", "b": ["z"] * 100})
    assert result["fields"] == ["a", "b"]
    assert result["before"] == {"a": "x" * EVENT_TEXT_CHARS + "…", "b": []}
    assert result["after"] == {"a": "y", "b": ["z"] * EVENT_LIST_ITEMS}
