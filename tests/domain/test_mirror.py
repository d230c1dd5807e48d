"""What a guest sees: bounded, and nothing about people."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import MIRROR_BYTES, MIRROR_TEXT_CHARS
from pendesk.domain.mirror import ByteBudget, MirroredAction, assemble_project_mirror
from pendesk.domain.project import Project

PROJECT = Project("p", "PEN", "Pendesk", "A work server", "active", None, 3, 1, "u", 0, 0)


def shown(number, label="Do it"):
    return MirroredAction(number, label, "backend", "todo", "Sign in", None, CriteriaCounts(total=2, confirmed=1))


def test_edges_to_what_is_not_shown_are_left_out():
    picture = assemble_project_mirror(
        PROJECT, [], [], [shown(1), shown(2)], {"todo": 3}, [(1, 2, "blocks"), (2, 3, "blocks")], []
    )
    assert [(edge.from_ref, edge.to_ref) for edge in picture.edges] == [("PEN-1", "PEN-2")]
    assert picture.left_out == 1


def test_actions_are_whole_or_left_out():
    actions = [shown(number, "é" * 200) for number in range(1, 2001)]
    picture = assemble_project_mirror(PROJECT, [], [("Spec", "x" * 30_000)], actions, {"todo": 2000}, [], [])
    assert all(len(step.label) == 200 for step in picture.actions)
    assert picture.left_out == 2000 - len(picture.actions) > 0
    assert len(picture.specs[0].text) < 1000


@given(st.lists(st.text(max_size=50), max_size=20), st.integers(0, 300))
def test_a_room_never_gives_more_than_it_has(texts, size):
    room = ByteBudget()
    room.left = size
    given_out = [room.truncate_and_reserve(text) for text in texts]
    assert sum(len(text.encode()) for text in given_out) <= size
    assert room.left >= 0


def test_a_long_text_is_cut_and_says_so():
    assert ByteBudget().truncate_and_reserve("x" * (MIRROR_TEXT_CHARS + 5)) == "x" * (MIRROR_TEXT_CHARS - 1) + "…"
    assert MIRROR_BYTES > MIRROR_TEXT_CHARS
