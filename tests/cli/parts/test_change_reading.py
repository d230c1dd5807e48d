"""The change of a branch, with what changed since the last submission."""

import pytest

from pendesk.cli.parts import change_reading
from pendesk.cli.parts.change_reading import Choice, list_uncommitted, read_change
from pendesk.cli.parts.console import CommandError
from pendesk.domain.change import Omission
from tests.cli.git_repository import GitRepository


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def names(files):
    return [file.entry.path.decode() for file in files]


def test_base_head_branch_commits_and_files(branch):
    branch.commit("One", a="1\n")
    head = branch.commit("Two", b="1\n")
    change = read_change(branch.open(), Choice())
    assert (change.base.sha, change.head_sha, change.branch) == (branch.base, head, "work")
    assert [commit.subject for commit in change.commits] == ["One", "Two"]
    assert (names(change.files), change.since, change.since_sha, change.left_off) == (["a", "b"], [], None, 0)


def test_a_detached_head_has_no_branch(branch):
    branch.commit("One", a="1\n")
    branch.git("checkout", "-q", "--detach")
    assert read_change(branch.open(), Choice()).branch is None


def test_commits_that_undo_each_other_are_a_change_without_files(branch):
    branch.commit("One", a="1\n")
    branch.git("rm", "-q", "a")
    branch.commit("Undo")
    change = read_change(branch.open(), Choice())
    assert (len(change.commits), change.files) == (2, [])


def test_what_changed_since_a_submission(branch):
    submitted = branch.commit("One", a="1\n", b="1\n", undone="1\n")
    branch.git("rm", "-q", "undone")
    branch.commit("Two", a="2\n")
    change = read_change(branch.open(), Choice(), compares_with=submitted)
    assert change.since_sha == submitted
    assert names(change.files) == ["a", "b"]
    assert names(change.since) == ["a", "undone"]
    assert b"-1\n+2\n" in change.since[0].hunks


def test_a_rebase_brings_nothing_of_the_upstream_into_it(branch):
    submitted = branch.commit("One", a="1\n", b="1\n")
    branch.git("checkout", "-q", "main")
    branch.commit("Upstream's", upstream="1\n", more="1\n")
    branch.git("checkout", "-q", "work")
    branch.git("rebase", "-q", "main")
    branch.commit("Two", a="2\n")
    change = read_change(branch.open(), Choice(), compares_with=submitted)
    assert (names(change.files), names(change.since)) == (["a", "b"], ["a"])


def test_a_submission_that_is_not_here_is_not_compared(branch):
    branch.commit("One", a="1\n")
    change = read_change(branch.open(), Choice(), compares_with="0123456789" * 4)
    assert (change.since_sha, change.since) == (None, [])


def test_lines_of_ignored_files_stay_here_although_git_tracks_them(branch):
    branch.commit("One", **{".gitignore": ".env\nbuild/\n:odd\n", ".env": "KEY=1\n", "build/a": "1\n", ":odd": "1\n"})
    submitted = branch.head
    branch.commit("Two", **{".env": "KEY=2\n", "a": "1\n"})
    change = read_change(branch.open(), Choice(), compares_with=submitted)
    omitted = {file.entry.path: file.omitted for file in change.files if file.omitted}
    assert omitted == dict.fromkeys([b".env", b":odd", b"build/a"], Omission.LEFT_OUT)
    assert [file.hunks for file in change.since if file.entry.path == b".env"] == [b""]


def test_files_and_folders_are_left_out_by_name(branch):
    branch.commit("One", **{"a b.py": "1\n", "data/x": "1\n", "data/y": "1\n", "database": "1\n"})
    change = read_change(branch.open(), Choice(without=("./a b.py", "data/")))
    assert [file.entry.path for file in change.files if file.omitted] == [b"a b.py", b"data/x", b"data/y"]
    with pytest.raises(CommandError, match="the change has no such file"):
        read_change(branch.open(), Choice(without=("README.md",)))


def test_files_past_the_limit_do_not_come_and_are_counted(branch, monkeypatch):
    monkeypatch.setattr(change_reading, "CHANGE_FILES", 3)
    branch.commit("Many", **{f"file{number}": "1\n" for number in range(5)}, **{"x" * 200 + "/" + "y" * 200: "1\n"})
    monkeypatch.setattr(change_reading, "PATH_CHARS", 300)
    change = read_change(branch.open(), Choice())
    assert (names(change.files), change.left_off) == (["file0", "file1", "file2"], 3)


def test_the_newest_commits_come(branch, monkeypatch):
    monkeypatch.setattr(change_reading, "CHANGE_COMMITS", 2)
    for number in range(4):
        branch.commit(f"Commit {number}", a=f"{number}\n")
    assert [commit.subject for commit in read_change(branch.open(), Choice()).commits] == ["Commit 2", "Commit 3"]


def test_what_is_not_committed_is_named(branch):
    branch.commit("One", **{"a b": "1\n", "c": "1\n", ".gitignore": "ignored\n"})
    branch.write("a b", "2\n")
    branch.write("new\nfile", "1\n")
    branch.write("ignored", "1\n")
    branch.git("rm", "-q", "--cached", "c")
    assert list_uncommitted(branch.open()) == ["a b", "c", "new\nfile"]
