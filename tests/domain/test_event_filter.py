import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_filter import KINDS, EventFilter, expand_kind_patterns
from tests.refusals import refused

EVENT = LoggedEvent(1, 1, "action.claimed", None, None, "mcp", "o", "p", "s", "a", "{}")


@pytest.mark.parametrize(
    ("wanted", "matches"),
    [
        (EventFilter(), True),
        (EventFilter(project_id="p"), True),
        (EventFilter(project_id="q"), False),
        (EventFilter(action_id="a"), True),
        (EventFilter(action_id="b"), False),
        (EventFilter(kinds=frozenset({"action.claimed"})), True),
        (EventFilter(kinds=frozenset({"action.released"})), False),
        (EventFilter("p", "a", kinds=frozenset({"action.claimed"})), True),
        (EventFilter("p", "b", kinds=frozenset({"action.claimed"})), False),
    ],
)
def test_an_event_passes_if_every_part_of_the_filter_lets_it(wanted, matches):
    assert wanted.matches(EVENT) is matches


def test_an_event_of_no_project_passes_no_projects_filter():
    assert not EventFilter(project_id="p").matches(EVENT._replace(project_id=None))


def test_a_word_names_one_kind_or_all_of_a_noun():
    assert expand_kind_patterns(["action.claimed"], "kind") == frozenset({"action.claimed"})
    actions = frozenset(kind for kind in KINDS if kind.startswith("action."))
    for word in ("action", "action.*"):
        assert expand_kind_patterns([word, "note.created"], "kind") == actions | {"note.created"}


def test_no_word_means_every_kind():
    assert expand_kind_patterns([], "kind") is None


@pytest.mark.parametrize("word", ["action.", "*", ".*", "actio", "act*", "action.claim", "ACTION.CLAIMED", "test.*x"])
def test_a_word_that_names_nothing_is_refused_with_an_example(word):
    with refused(BadField) as caught:
        expand_kind_patterns([word], "kind")
    assert "action.claimed" in caught.refusal.message
