"""The commits of a change, and who wrote which line."""

import pytest

from pendesk.cli.parts import change_commits
from pendesk.cli.parts.change_commits import blame_added_lines, list_commits
from pendesk.cli.parts.change_diff import list_entries, read_diff
from tests.cli.git_repository import GitRepository


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def blame_of(branch, base=None):
    repository, base = branch.open(), base or branch.base
    entries = list_entries(repository, base, branch.head)
    files = read_diff(repository, base, branch.head, entries, {entry.path for entry in entries}, ())
    revisions = f"{base}..{branch.head}"
    return blame_added_lines(repository, revisions, files, list_commits(repository, revisions))


def test_commits_come_with_what_they_touch_the_oldest_first(branch):
    first = branch.commit("Add: the first\n\nA body.", **{"a b": "1\n", "line\nbreak": "1\n"})
    branch.git("mv", "a b", "c")
    second = branch.commit("Move ü")
    third = branch.commit("Nothing")
    commits = list_commits(branch.open(), f"{branch.base}..HEAD")
    assert [(commit.sha, commit.subject, sorted(commit.paths)) for commit in commits] == [
        (first, "Add: the first", [b"a b", b"line\nbreak"]),
        (second, "Move ü", [b"a b", b"c"]),
        (third, "Nothing", []),
    ]


def test_a_merge_touches_only_what_was_resolved_in_it(branch):
    branch.commit("Ours", a="ours\n", b="1\n")
    branch.git("checkout", "-q", "main")
    branch.commit("Theirs", a="theirs\n", c="1\n")
    branch.git("checkout", "-q", "work")
    with pytest.raises(Exception, match="merge"):
        branch.git("merge", "-q", "main")
    branch.write("a", "both\n")
    merge = branch.commit("Merge")
    commits = list_commits(branch.open(), "main..HEAD")
    assert [(commit.subject, sorted(commit.paths)) for commit in commits] == [("Ours", [b"a", b"b"]), ("Merge", [b"a"])]
    assert commits[-1].sha == merge


def test_the_first_commit_of_a_repository_has_files_too(branch):
    (commit,) = list_commits(branch.open(), branch.base)
    assert commit.paths == {b"README.md"}


def test_added_lines_belong_to_the_commit_that_wrote_them(branch):
    branch.commit("One", a="1\n2\n3\n", alone="1\n2\n")
    branch.commit("Two", a="1\nzwei\n3\n4\n")
    assert blame_of(branch) == {b"a": [(1, 1, 0), (2, 1, 1), (3, 1, 0), (4, 1, 1)], b"alone": [(1, 2, 0)]}


def test_lines_that_were_there_before_are_nobodys(branch):
    branch.git("checkout", "-q", "main")
    before = branch.commit("Before", a="".join(f"{number}\n" for number in range(30)))
    branch.git("checkout", "-qb", "edit")
    lines = [f"{number}\n" for number in range(30)]
    lines[4:4] = ["new\n", "new\n"]
    branch.commit("One", a="".join(lines))
    lines[25:26] = ["other\n"]
    branch.commit("Two", a="".join(lines))
    assert blame_of(branch, before) == {b"a": [(5, 2, 0), (26, 1, 1)]}


def test_a_renamed_file_is_followed(branch):
    branch.git("checkout", "-q", "main")
    content = "".join(f"line {number}\n" for number in range(30))
    before = branch.commit("Before", old=content)
    branch.git("checkout", "-qb", "edit")
    branch.commit("One", old=content + "first\n")
    branch.git("mv", "old", "new")
    branch.commit("Move")
    branch.commit("Two", new=content + "first\nsecond\n")
    assert blame_of(branch, before) == {b"new": [(31, 1, 0), (32, 1, 2)]}


def test_blame_ends_with_its_time_and_costs_nothing_but_itself(branch, monkeypatch):
    branch.commit("One", a="1\n", alone="1\n")
    second = branch.commit("Two", a="1\n2\n")
    branch.write(".git/ignored-revisions", second)
    branch.git("config", "blame.ignoreRevsFile", ".git/ignored-revisions")
    assert blame_of(branch) == {b"a": [(1, 1, 0), (2, 1, 1)], b"alone": [(1, 1, 0)]}
    branch.git("config", "blame.ignoreRevsFile", "not-there")
    assert blame_of(branch) == {b"a": [], b"alone": [(1, 1, 0)]}
    monkeypatch.setattr(change_commits, "BLAME_S", 0.0)
    assert blame_of(branch) == {b"alone": [(1, 1, 0)]}
