from typing import get_args

import pytest

from pendesk.domain.board_changes import ON_NO_CARD, OWN, SPREADING, Change, ChangedActions, changed_actions
from pendesk.domain.event import EventKind


def changed(*changes):
    return changed_actions([Change(*change) for change in changes], "here")


def test_an_event_of_an_action_changes_its_card_and_one_that_others_show_spreads():
    assert changed(("action.progressed", "here", "a"), ("action.claimed", "here", "b")) == ChangedActions(
        frozenset({"a", "b"}), frozenset({"b"})
    )


def test_what_happens_in_another_project_or_on_no_card_changes_nothing():
    nothing = ChangedActions(frozenset(), frozenset())
    assert changed(("action.claimed", "there", "a"), ("build.published", "there", None)) == nothing
    assert changed(("note.created", "here", None), ("session.started", None, None)) == nothing


@pytest.mark.parametrize(
    "change",
    [
        ("build.published", "here", None),
        ("action.deleted", "here", "a"),
        ("edge.created", "here", "a"),
        ("project.edited", "here", None),
        ("member.renamed", None, None),
        ("token.created", None, None),
        ("commit.pushed", "here", None),  # of nobody's action: then whose it is, is not known
    ],
)
def test_any_card_may_have_changed_by_what_is_not_about_one_action(change):
    assert changed(("action.progressed", "here", "a"), change) is None


def test_each_kind_has_one_meaning_and_those_about_actions_have_been_thought_of():
    assert not OWN & SPREADING
    assert not (OWN | SPREADING) & ON_NO_CARD
    about_actions = {
        kind for kind in get_args(EventKind) if kind.startswith(("action.", "criterion.", "clarification."))
    }
    assert about_actions - OWN - SPREADING == {"action.deleted"}
