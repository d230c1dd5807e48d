import pytest

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.transports.web.parts.part_tag import AGES_AFTER_US, WHOLE_AFTER_US, KnownState, PartTag, scope_of_reader

NOW = 1_800_000_000_000_000
TAG = PartTag("0123456789abcdef", 41, NOW, NOW, "ab12")
BO = Actor("workspace", "bo", "Bo", Role.MEMBER, ALL_SCOPES, "web")


def test_a_tag_is_read_as_it_was_written():
    assert PartTag.parse(str(TAG)) == TAG


@pytest.mark.parametrize("text", ["", "0", "x", str(TAG) + "-1", str(TAG).upper(), str(TAG).replace("41", "-41")])
def test_anything_else_is_no_tag(text):
    assert PartTag.parse(text) is None


def test_it_is_unchanged_while_nothing_happened_and_it_has_not_aged():
    later = TAG._replace(read_at=NOW + AGES_AFTER_US - 1, whole_at=NOW + AGES_AFTER_US - 1)
    assert later.is_unchanged_since(TAG)
    assert not later._replace(read_at=NOW + AGES_AFTER_US).is_unchanged_since(TAG)


@pytest.mark.parametrize("changed", [{"seq": 42}, {"activity": "ab13"}, {"scope": "f" * 16}, {"read_at": NOW - 1}])
def test_an_event_activity_another_reader_and_a_clock_set_back_make_it_another(changed):
    assert not TAG._replace(**changed).is_unchanged_since(TAG)


def test_changes_are_told_since_what_the_reader_has():
    later = TAG._replace(seq=50, read_at=NOW + 7, whole_at=NOW + 7, activity="ab99")
    assert later.changes_since(TAG) == KnownState(41, NOW)


@pytest.mark.parametrize(
    "changed", [{"scope": "f" * 16}, {"seq": 40}, {"read_at": NOW + WHOLE_AFTER_US}, {"read_at": NOW - 1}]
)
def test_all_of_it_is_read_by_another_reader_from_an_older_log_and_now_and_then(changed):
    assert TAG._replace(**changed).changes_since(TAG) is None


def test_the_scope_is_of_one_reader_in_one_role():
    others = [BO, BO._replace(role=Role.VIEWER), BO._replace(user_id="eve"), BO._replace(workspace_id="next door")]
    assert len({scope_of_reader(actor) for actor in others}) == 4
