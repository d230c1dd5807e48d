"""A change as the file that is sent: round trips through what the server reads."""

import msgspec
import pytest

from pendesk.cli.parts import change_diff, change_packing, change_reading
from pendesk.cli.parts.change_packing import find_secrets, pack_local_change
from pendesk.cli.parts.change_reading import Choice, read_change
from pendesk.domain.unified_diff import parse_diff
from pendesk.operations.changes.change_upload import ManifestFile, unpack_change
from tests.cli.git_repository import GitRepository

TOKEN = "ghp" + "_q8Zr3TkVw0LmXc5YbN7hJd2FgS9pRtUaKe4W"


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def sent(branch, compares_with=None, **choice):
    repository = branch.open()
    change = read_change(repository, Choice(**choice), compares_with=compares_with)
    return unpack_change(pack_local_change(repository, change))


def test_everything_arrives_as_it_was_sent(branch):
    branch.write("picture.png", b"\0" * 10)
    branch.write("old.py", "".join(f"line {number}\n" for number in range(30)))
    first = branch.commit("One")
    branch.write("picture.png", b"\0" * 20)
    branch.git("mv", "old.py", 'new "name".py')
    second = branch.commit("x" * 300, **{'new "name".py': "".join(f"line {number}\n" for number in range(31))})
    manifest, change, since = sent(branch, compares_with=first)
    assert (manifest.base_sha, manifest.head_sha, manifest.branch) == (branch.base, second, "work")
    assert [(commit.sha, commit.subject, commit.paths) for commit in manifest.commits] == [
        (first, "One", ["picture.png"]),
        (second, "x" * 200, ['new "name".py', "picture.png"]),
    ]
    assert [file.path for file in parse_diff(change, 10).files] == ['new "name".py', "picture.png"]
    assert [file.path for file in parse_diff(since, 10).files] == ['new "name".py', "picture.png"]
    assert manifest.since_sha == first
    assert manifest.files[1] == ManifestFile("picture.png", new_size=20)
    assert manifest.files[0].path == 'new "name".py'


def test_a_binary_file_has_its_sizes_and_its_name_only(branch):
    branch.write("picture.png", b"\0" * 10)
    before = branch.commit("One")
    branch.write("picture.png", b"\0" * 25)
    branch.commit("Two")
    manifest, change, _ = sent(branch, base=before)
    assert manifest.files == [ManifestFile("picture.png", old_size=10, new_size=25)]
    assert b"\0" not in change
    assert b"GIT binary patch" not in change


def test_a_name_that_is_no_text_is_sent_as_the_server_shows_it(branch):
    (branch.folder / "caf\udce9\n").write_text("1\n")
    branch.commit("One")
    manifest, change, _ = sent(branch)
    (read,) = parse_diff(change, 1).files
    assert manifest.commits[0].paths == [read.path] == ["caf\ufffd\\x0a"]


def test_what_has_no_hunks_has_its_reason_and_its_counts(branch, monkeypatch):
    monkeypatch.setattr(change_diff, "CHANGE_BYTES", 5_000)
    branch.commit("One", **{"large": "a line\n" * 2_000, "a.py": "1\n", "b.py": "1\n"})
    manifest, change, _ = sent(branch, without=("b.py",))
    assert [(file.path, file.omitted, file.added, file.removed) for file in manifest.files if file.omitted] == [
        ("b.py", "left_out", 1, 0),
        ("large", "too_large", 2_000, 0),
    ]
    assert [len(file.hunks) for file in parse_diff(change, 10).files] == [1, 0, 0]


def test_files_past_the_limit_are_counted(branch, monkeypatch):
    monkeypatch.setattr(change_reading, "CHANGE_FILES", 2)
    branch.commit("Many", **{f"file{number}": "1\n" for number in range(5)})
    manifest, change, _ = sent(branch)
    assert (manifest.left_off, len(parse_diff(change, 10).files)) == (3, 2)


def test_a_manifest_that_is_too_long_loses_blame_and_then_paths(branch, monkeypatch):
    for number in range(5):
        branch.commit(f"Commit {number}", a="".join(f"{number} {line}\n" for line in range(number + 1)))
    whole, *_ = sent(branch)
    assert whole.files[0].blame
    monkeypatch.setattr(change_packing, "CHANGE_MANIFEST_BYTES", len(msgspec.json.encode(whole)) - 1)
    without_blame, *_ = sent(branch)
    assert [file.blame for file in without_blame.files] == [[]]
    assert without_blame.commits == whole.commits
    monkeypatch.setattr(change_packing, "CHANGE_MANIFEST_BYTES", 0)
    assert [commit.paths for commit in sent(branch)[0].commits] == [[]] * 5


def test_secrets_in_added_lines_are_found_and_those_taken_out_are_not(branch):
    first = branch.commit("One", **{"src/app.py": f"a\nKEY = '{TOKEN}'\n", "gone.py": f"{TOKEN}\n"})
    branch.git("rm", "-q", "gone.py")
    branch.commit("Two", **{"src/app.py": f"a\nb\nKEY = '{TOKEN}'\n", "data.txt": "x" * 5_000 + f" {TOKEN}\n"})
    change = read_change(branch.open(), Choice(), compares_with=first)
    assert [tuple(secret) for secret in find_secrets(change)] == [
        ("data.txt", 1, "GitHub token"),
        ("src/app.py", 3, "GitHub token"),
    ]
    assert find_secrets(read_change(branch.open(), Choice(without=("data.txt", "src")))) == []


def test_a_branch_of_many_files_is_read_packed_and_small(branch):
    for number in range(60):
        branch.write(f"src/module_{number}.py", f"VALUE = {number}\n" * 20)
    branch.write("generated.json", "".join(f'{{"row": {number}}}\n' for number in range(20_000)))
    branch.commit("Many")
    repository = branch.open()
    packed = pack_local_change(repository, read_change(repository, Choice()))
    assert len(packed) < 100_000
    assert sum(file.added for file in parse_diff(unpack_change(packed).change, 100).files) == 60 * 20 + 20_000
