"""Events in words."""

import re
from typing import get_args

import pytest

from pendesk.domain.event import EventKind
from pendesk.domain.event_phrases import DEEDS, Told, tell


def test_every_kind_has_words_and_no_word_is_left_over():
    assert set(DEEDS) == set(get_args(EventKind))


@pytest.mark.parametrize("kind", DEEDS)
def test_an_event_that_carries_nothing_can_still_be_told(kind):
    deed = tell(kind, None, {}).deed
    assert deed
    assert not re.search("[{}]", deed)


def test_codes_become_words_and_texts_stay_as_they_are():
    told = tell(
        "action.moved", "PEN-7", {"before": "in_progress", "after": "todo", "reason": "snake_case is_fine here"}
    )
    assert told == Told("moved PEN-7 from in progress to todo", "snake_case is_fine here")


def test_somebodys_own_words_follow():
    assert tell("clarification.asked", "PEN-7", {"question": "Which colour?"}) == Told(
        "asked about PEN-7", "Which colour?"
    )


def test_braces_in_what_somebody_wrote_are_just_braces():
    assert tell("token.created", None, {"name": "{it} {0}"}).deed == "made the token {it} {0}"


def test_a_kind_of_a_newer_version_is_told_by_its_name():
    assert tell("moon.landed_on", "PEN-7", {}).deed == "moon landed on"
