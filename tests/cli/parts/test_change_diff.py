"""What lies between two commits, as git prints it."""

import pytest

from pendesk.cli.parts import change_diff
from pendesk.cli.parts.change_diff import FileDiff, iterate_hunks, join_diff, list_entries, read_diff
from pendesk.domain.change import FileKind, FileStatus, Omission
from pendesk.domain.unified_diff import parse_diff
from tests.cli.git_repository import GitRepository


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def diff_of(branch, old=None, left_out=()) -> list[FileDiff]:
    repository = branch.open()
    entries = list_entries(repository, old or branch.base, branch.head)
    return read_diff(repository, old or branch.base, branch.head, entries, {entry.path for entry in entries}, left_out)


def test_all_of_it_is_what_git_prints_and_the_server_reads(branch):
    branch.write("old name.py", "".join(f"line {number}\n" for number in range(20)))
    branch.write("gone.txt", "Another text.\n")
    branch.write("picture.png", b"\0\1")
    before = branch.commit("Before")
    branch.git("mv", "old name.py", "new name.py")
    branch.write("gone.txt", "")
    branch.git("rm", "-qf", "gone.txt")
    branch.write("picture.png", b"\0\1\2")
    branch.write("empty", "")
    branch.write("no-end", "a\nb")
    branch.commit("After")
    files = diff_of(branch, before)
    assert [(file.entry.path, file.entry.old_path, file.entry.added, file.entry.removed) for file in files] == [
        (b"empty", None, 0, 0),
        (b"gone.txt", None, 0, 1),
        (b"new name.py", b"old name.py", 0, 0),
        (b"no-end", None, 2, 0),
        (b"picture.png", None, None, None),
    ]
    read = parse_diff(join_diff(files), 10).files
    assert [(file.path, file.old_path, file.status, file.kind) for file in read] == [
        ("empty", None, FileStatus.ADDED, FileKind.TEXT),
        ("gone.txt", None, FileStatus.DELETED, FileKind.TEXT),
        ("new name.py", "old name.py", FileStatus.RENAMED, FileKind.TEXT),
        ("no-end", None, FileStatus.ADDED, FileKind.TEXT),
        ("picture.png", None, FileStatus.MODIFIED, FileKind.BINARY),
    ]
    assert read[3].hunks[0].lines == ["+a", "+b", "\\ No newline at end of file"]


@pytest.mark.parametrize(
    "name", ["two words", 'say "hello"', "tab\there", "line\nbreak", "späť/船.py", "back\\slash", ":a", "-x"]
)
def test_a_name_is_the_same_here_and_there(branch, name):
    branch.write(name, "a\n")
    branch.commit("Add")
    (file,) = diff_of(branch)
    assert file.entry.path.decode() == name
    (read,) = parse_diff(file.header, 1).files
    assert read.path == name.replace("\n", "\\x0a").replace("\t", "\\x09")
    assert read.path == parse_diff(file.header + file.hunks, 1).files[0].path


def test_a_file_that_becomes_a_link_goes_and_comes(branch):
    branch.write("place", "a\nb\n")
    before = branch.commit("Before")
    (branch.folder / "place").unlink()
    (branch.folder / "place").symlink_to("README.md")
    branch.commit("After")
    read = parse_diff(join_diff(diff_of(branch, before)), 10).files
    assert [(file.path, file.status, file.added, file.removed) for file in read] == [
        ("place", FileStatus.DELETED, 0, 2),
        ("place", FileStatus.ADDED, 1, 0),
    ]


def test_a_submodule_is_the_commit_that_it_points_to(branch, tmp_path):
    other = GitRepository(tmp_path / "other")
    for sha in (other.base, other.commit("More")):
        before = branch.head
        branch.git("update-index", "--add", "--cacheinfo", f"160000,{sha},deps/other")
        branch.git("commit", "-qm", "Point to it")
    branch.git("config", "diff.submodule", "log")
    branch.git("config", "diff.ignoreSubmodules", "all")
    (read,) = parse_diff(join_diff(diff_of(branch, before)), 10).files
    assert (read.path, read.kind) == ("deps/other", FileKind.SUBMODULE)
    assert read.hunks[0].lines == [f"-Subproject commit {other.base}", f"+Subproject commit {other.head}"]


def test_settings_of_the_user_change_nothing(branch):
    branch.commit("Add", a="1\n\n3\n4\n5\n6\n7\n8\n9\n")
    branch.commit("Edit", a="1\n\n3\n4\n5\n6\n7\n8\nnine\n")
    plain = join_diff(diff_of(branch, f"{branch.head}~"))
    for setting, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "0",
        "diff.suppressBlankEmpty": "true",
        "diff.renames": "false",
        "color.ui": "always",
        "color.diff": "always",
        "core.quotePath": "true",
        "diff.wordRegex": ".",
    }.items():
        branch.git("config", setting, value)
    assert join_diff(diff_of(branch, f"{branch.head}~")) == plain
    assert b"diff --git a/a b/a\n" in plain


def test_a_line_of_a_file_that_looks_like_a_diff_is_a_line(branch):
    content = "diff --git a/x b/x\n@@ -1 +1 @@\n--- a/x\n+++ b/x\n"
    branch.commit("Add", a=content, b="1\n")
    files = diff_of(branch)
    assert [file.entry.path for file in files] == [b"a", b"b"]
    assert [(start, len(lines)) for start, lines in iterate_hunks(files[0].hunks)] == [(1, 4)]


def test_the_largest_files_lose_their_hunks_first(branch, monkeypatch):
    monkeypatch.setattr(change_diff, "CHANGE_BYTES", 6_000)
    for name, lines in {"a": 10, "b": 200, "c": 300, "d": 100, "e": 5_000}.items():
        branch.write(name, f"{name} is a line\n" * lines)
    branch.commit("Add")
    files = diff_of(branch)
    assert [(file.entry.path, file.omitted) for file in files] == [
        (b"a", None),
        (b"b", None),
        (b"c", Omission.TOO_LARGE),
        (b"d", None),
        (b"e", Omission.TOO_LARGE),
    ]
    assert len(join_diff(files)) <= 6_000
    assert [file.path for file in parse_diff(join_diff(files), 10).files] == ["a", "b", "c", "d", "e"]
    assert [file.entry.added for file in files] == [10, 200, 300, 100, 5_000]


def test_a_line_as_long_as_its_file_is_read_in_pieces(branch, monkeypatch):
    monkeypatch.setattr(change_diff, "_READ_BYTES", 20)
    branch.commit("Add", a="diff --git " * 50 + "\n@@ -1 +1 @@" * 5 + "\n", b="1\n")
    assert [file.entry.path for file in diff_of(branch)] == [b"a", b"b"]


def test_so_do_those_with_the_most_lines(branch, monkeypatch):
    monkeypatch.setattr(change_diff, "CHANGE_LINES", 100)
    branch.commit("Add", a="1\n" * 90, b="1\n" * 20, c="1\n" * 30)
    assert [file.omitted for file in diff_of(branch)] == [Omission.TOO_LARGE, None, None]


def test_what_is_left_out_keeps_its_name_and_counts(branch):
    branch.commit("Add", **{"a.py": "1\n", ".env": "KEY=1\n"})
    env, code = diff_of(branch, left_out={b".env"})
    assert (env.hunks, env.omitted, env.entry.added) == (b"", Omission.LEFT_OUT, 1)
    assert b"KEY" not in join_diff([env, code])
