"""Labels of actions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.label import acceptable_labels, normalize_labels
from pendesk.domain.limits import ACTION_LABELS, LABEL_NAME_CHARS


def test_labels_are_lower_case_without_doubles_and_in_order():
    assert normalize_labels(["UI", " bug ", "ui", "needs   design", ""]) == ["bug", "needs design", "ui"]


def test_a_typed_list_is_split_at_its_commas():
    assert normalize_labels(["bug, ui ,,docs"]) == ["bug", "docs", "ui"]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (['say "hi"'], "leave out quotes"),
        (["back\\slash"], "leave out quotes"),
        (["x" * (LABEL_NAME_CHARS + 1)], "too long"),
        ([f"label {number}" for number in range(ACTION_LABELS + 1)], "too many"),
    ],
)
def test_what_cannot_be_a_label_is_refused(names, problem):
    with pytest.raises(BadField, match=problem):
        normalize_labels(names)


@given(st.lists(st.text(max_size=60), max_size=20))
def test_of_names_from_elsewhere_what_can_be_labels_is_taken(names):
    labels = acceptable_labels(names)
    assert normalize_labels(labels) == labels
