"""Statuses by the words that other tools use."""

import pytest

from pendesk.domain.action import ActionState, ProgressStatus, TaskStatus
from pendesk.domain.run import RunOutcome


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("in_progress in-progress started In-Progress", TaskStatus.IN_PROGRESS),
        ("done complete completed DONE", TaskStatus.DONE),
        ("in_review in-review", TaskStatus.IN_REVIEW),
        ("todo to-do not-started not_started", TaskStatus.TODO),
        ("wont_do wont-do cancelled canceled", TaskStatus.WONT_DO),
    ],
)
def test_a_synonym_is_read_as_the_status(words, status):
    for word in words.split():
        assert TaskStatus(word) is status
        assert ActionState(word).value == status.value
    assert TaskStatus(words.split()[0].replace("_", " ")) is status


def test_the_building_words_have_their_own():
    assert ProgressStatus("in_progress") is ProgressStatus.STARTED
    assert ProgressStatus("todo") is ProgressStatus.NOT_STARTED
    assert ProgressStatus("wont_do") is ProgressStatus.WONT_DO
    assert RunOutcome("done") is RunOutcome.COMPLETED


@pytest.mark.parametrize("word", ["", "finished", "open", "changes_requested", "doing"])
def test_what_could_mean_two_things_is_refused(word):
    with pytest.raises(ValueError, match="is not a valid"):
        TaskStatus(word)


def test_work_is_not_finished_by_a_report():
    with pytest.raises(ValueError, match="is not a valid"):
        ProgressStatus("completed")
