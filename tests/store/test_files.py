import os
import stat

import pytest

from pendesk.domain.errors import TooLarge
from pendesk.store.engine import folder_lock
from pendesk.store.files import Files


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path / "attachments")


def put(files, content, limit=1000):
    with files.start_upload(limit) as upload:
        for start in range(0, len(content), 7):
            upload.write(content[start : start + 7])
        return upload.save()


def read(files, key):
    with os.fdopen(files.open_fd(key), "rb") as file:
        return file.read()


def test_bytes_come_back_under_a_random_private_key(files, tmp_path):
    received = put(files, b"hello world")
    assert read(files, received.key) == b"hello world"
    assert received.size_bytes == 11
    assert received.sha256 == "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
    assert put(files, b"hello world").key != received.key
    assert stat.S_IMODE((tmp_path / "attachments" / received.key).stat().st_mode) == 0o600


def test_what_is_not_kept_leaves_nothing(files, tmp_path):
    with pytest.raises(TooLarge):
        put(files, b"x" * 1001)
    with files.start_upload(10) as upload:
        upload.write(b"half")
    assert list((tmp_path / "attachments").iterdir()) == []


@pytest.mark.parametrize("key", ["", "..", "../secret.key", "/etc/passwd", "a" * 31, "A" * 32, "a" * 32 + "\n", "\0"])
def test_no_text_but_a_key_of_ours_is_a_path(files, tmp_path, key):
    put(files, b"x")
    (tmp_path / "secret.key").write_text("secret")
    assert files.open_fd(key) is None
    files.remove(key)
    assert (tmp_path / "secret.key").exists()


def test_neither_links_nor_folders_are_opened(files, tmp_path):
    put(files, b"x")
    folder = tmp_path / "attachments"
    (folder / ("a" * 32)).symlink_to("/etc/passwd")
    (folder / ("b" * 32)).mkdir()
    assert files.open_fd("a" * 32) is None
    assert files.open_fd("b" * 32) is None


def test_old_files_are_listed_and_old_drafts_removed(files, tmp_path):
    assert list(files.old_keys_removing_partial_uploads(0)) == []
    old, new = put(files, b"old").key, put(files, b"new").key
    folder = tmp_path / "attachments"
    (folder / "draft-left-by-a-crash").write_text("")
    for name in (old, "draft-left-by-a-crash"):
        os.utime(folder / name, (0, 0))
    assert list(files.old_keys_removing_partial_uploads(3600)) == [old]
    assert {entry.name for entry in folder.iterdir()} == {old, new}


def test_a_file_is_held_as_long_as_somebody_works_with_it(files):
    key = put(files, b"x").key
    with files.hold(key), files.hold(key):
        assert files.is_held(key)
    assert not files.is_held(key)
    with files.hold(key):
        files.remove(key)
        assert not files.is_held(key)


def test_where_there_are_no_locks_a_file_counts_as_held_for_a_day(files, tmp_path, monkeypatch):
    monkeypatch.setattr(folder_lock, "fcntl", None)
    key = put(files, b"x").key
    assert files.is_held(key)
    os.utime(tmp_path / "attachments" / key, (0, 0))
    assert not files.is_held(key)
