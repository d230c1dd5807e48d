"""What git prints is read file by file; what a stranger sends instead is refused or harmless."""

import subprocess

import pytest

from pendesk.domain.change import FileKind, FileStatus
from pendesk.domain.errors import BadField
from pendesk.domain.limits import CHANGE_LINE_CHARS, CHANGE_LINES
from pendesk.domain.unified_diff import parse_diff
from tests.diffs import binary, created, modified, renamed
from tests.refusals import refused


def parse(*files, most=2_000):
    return parse_diff("".join(files).encode(), most).files


def test_each_file_comes_with_its_counts_and_hunks():
    first, second = parse(modified("src/app.py"), created("src/new file.py", "a", "b"))
    assert (first.path, first.status, first.added, first.removed) == ("src/app.py", FileStatus.MODIFIED, 1, 1)
    (hunk,) = first.hunks
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (1, 3, 1, 3)
    assert hunk.heading == "def run():"
    assert hunk.lines == [" same", "-old", "+new", " last"]
    assert (second.path, second.status, second.added) == ("src/new file.py", FileStatus.ADDED, 2)


def test_renames_binaries_and_files_without_hunks_have_their_names():
    move, picture, mode = parse(
        renamed("src/old name.py", "lib/new.py"),
        binary("img/logo one.png"),
        "diff --git a/run me.sh b/run me.sh\nold mode 100644\nnew mode 100755\n",
    )
    assert (move.path, move.old_path, move.status) == ("lib/new.py", "src/old name.py", FileStatus.RENAMED)
    assert (picture.path, picture.kind, picture.blobs) == (
        "img/logo one.png",
        FileKind.BINARY,
        "1111111..2222222 100644",
    )
    assert (mode.path, mode.status, mode.hunks) == ("run me.sh", FileStatus.MODIFIED, [])


def test_a_line_that_looks_like_a_new_file_is_content():
    (file,) = parse(created("notes.md", "diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1 +1 @@"))
    assert file.added == 4
    assert file.hunks[0].lines[0] == "+diff --git a/x b/x"


def test_what_git_itself_prints_is_read_whole(tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"]
        return subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True).stdout

    names = ["plain.txt", 'quo"te.txt', "tab\there.txt", "ümlaut ß.txt", "new\nline.txt"]
    git("init")
    for name in names:
        (tmp_path / name).write_text("one\ntwo\n")
    (tmp_path / "gone.txt").write_text("x\n")
    (tmp_path / "logo.bin").write_bytes(bytes(range(256)))
    git("add", "-A")
    git("commit", "-m", "First")
    for name in names:
        (tmp_path / name).write_text("one\nTWO")
    (tmp_path / "gone.txt").unlink()
    (tmp_path / "logo.bin").write_bytes(bytes(range(255)))
    git("add", "-A")
    files = {file.path: file for file in parse_diff(git("diff", "--cached", "--full-index", "-M"), 100).files}
    assert set(files) == {*names[:2], "tab\\x09here.txt", names[3], "new\\x0aline.txt", "gone.txt", "logo.bin"}
    assert all((files[name].added, files[name].removed) == (1, 1) for name in (names[0], names[1], names[3]))
    assert files["plain.txt"].hunks[0].lines[-1] == "\\ No newline at end of file"
    assert files["gone.txt"].status == FileStatus.DELETED
    assert files["logo.bin"].kind == FileKind.BINARY


def test_a_submodule_is_not_taken_for_a_text():
    (file,) = parse(
        "diff --git a/lib b/lib\nindex 1111111..2222222 160000\n--- a/lib\n+++ b/lib\n"
        "@@ -1 +1 @@\n-Subproject commit 1111111\n+Subproject commit 2222222\n"
    )
    assert file.kind == FileKind.SUBMODULE


def test_an_empty_change_has_no_files():
    assert parse() == []


@pytest.mark.parametrize(
    "text",
    [
        "not a diff at all",
        modified("src/app.py").replace("@@ -1,3 +1,3 @@", "@@ -1,30 +1,30 @@"),
        modified("src/app.py").replace("@@ -1,3 +1,3 @@ def run():", "@@ nonsense @@"),
        modified("../../etc/passwd"),
        modified("src/../../x"),
        renamed("a", "/etc/passwd"),
        modified("x" * 1_001),
    ],
    ids=["prose", "too few lines", "no head", "escape", "escape within", "absolute", "long path"],
)
def test_what_is_no_diff_of_a_repository_is_refused(text):
    with refused(BadField):
        parse(text)


def test_a_huge_line_is_cut_and_says_so():
    (file,) = parse(created("bundle.js", "x" * 5_000_00))
    (line,) = file.hunks[0].lines
    assert len(line) < CHANGE_LINE_CHARS + 50
    assert line.endswith("more characters)")


def test_more_files_than_allowed_are_not_read():
    parsed = parse_diff("".join(modified(f"f{number}") for number in range(10)).encode(), 4)
    assert (len(parsed.files), parsed.has_more) == (4, True)


def test_more_lines_than_anybody_reads_are_counted_and_not_kept():
    flood, after = parse(created("flood.txt", *([""] * (CHANGE_LINES + 1))), modified("src/app.py"))
    assert (flood.is_cut, flood.added, flood.hunks) == (True, CHANGE_LINES + 1, [])
    assert len(after.hunks) == 1


def test_bytes_that_are_no_text_do_no_harm():
    diff = created("latin.txt", "x").encode().replace(b"+x\n", b"+\xff\xfe\x00\n")
    (file,) = parse_diff(diff, 10).files
    assert file.hunks[0].lines == ["+\ufffd\ufffd\ufffd"]
