import pytest

from pendesk.domain.action import ActionState
from pendesk.domain.limits import OVERLAP_PATHS_SAVED
from pendesk.domain.overlap import Basis, KnownPaths, Overlap, find_overlap, is_at_work, is_news


def changed(*paths, declared=()):
    return KnownPaths(frozenset(paths), tuple(declared))


def declared(*globs):
    return KnownPaths(declared=globs)


def likely(*paths):
    return KnownPaths(likely=frozenset(paths))


NOTHING = KnownPaths()


@pytest.mark.parametrize(
    ("first", "second", "basis", "paths"),
    [
        (changed("a.py", "b.py"), changed("b.py", "c.py"), Basis.CHANGED, ("b.py",)),
        (changed("src/a.py"), declared("src/**"), Basis.DECLARED, ("src/a.py",)),
        (declared("src/**"), declared("src/a.py"), Basis.DECLARED, ("src/**",)),
        (changed("docs/x.md", declared=["src/**"]), declared("src/a.py"), Basis.DECLARED, ("src/**",)),
        (likely("src/a.py", "b.py"), declared("src/*"), Basis.LIKELY, ("src/a.py",)),
        (likely("b.py"), changed("b.py"), Basis.LIKELY, ("b.py",)),
    ],
)
def test_two_actions_overlap_by_what_is_known_of_them(first, second, basis, paths):
    assert find_overlap(first, second) == Overlap(basis, paths, len(paths))
    found = find_overlap(second, first)
    assert found is not None
    assert found.basis == basis


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (changed("a.py"), changed("b.py")),
        (changed("a.py"), declared("src/**")),
        (declared("src/a/**"), declared("src/b/**")),
        (changed("docs/a.md", declared=["src/**"]), changed("docs/b.md", declared=["src/b.py"])),
        (likely("a.py"), likely("a.py")),
        (NOTHING, changed("a.py")),
        (NOTHING, NOTHING),
    ],
)
def test_what_is_known_to_differ_and_two_guesses_are_no_overlap(first, second):
    assert find_overlap(first, second) is None
    assert find_overlap(second, first) is None


def test_of_many_files_the_first_are_kept_and_all_are_counted():
    paths = [f"src/{number:03}.py" for number in range(100)]
    found = find_overlap(changed(*paths), changed(*paths))
    assert found is not None
    assert (found.paths, found.file_count) == (tuple(paths[:OVERLAP_PATHS_SAVED]), 100)


@pytest.mark.parametrize(
    ("state", "is_live", "expected"),
    [
        (ActionState.IN_PROGRESS, True, True),
        (ActionState.IN_PROGRESS, False, False),
        (ActionState.IN_REVIEW, False, True),
        (ActionState.CHANGES_REQUESTED, False, True),
        (ActionState.TODO, False, False),
        (ActionState.DONE, False, False),
    ],
)
def test_what_is_held_live_or_not_approved_yet_is_at_work(state, is_live, expected):
    assert is_at_work(state, is_live) is expected


def test_agents_are_told_again_only_of_more_files():
    before = Overlap(Basis.CHANGED, ("a.py", "b.py"), 2)
    assert is_news(None, before)
    assert is_news(before, Overlap(Basis.CHANGED, ("a.py", "c.py"), 2))
    assert is_news(before, Overlap(Basis.CHANGED, ("a.py", "b.py", "c.py"), 3))
    assert not is_news(before, before)
    assert not is_news(before, Overlap(Basis.CHANGED, ("a.py",), 1))
    assert not is_news(None, Overlap(Basis.LIKELY, ("a.py",), 1))
