"""Who has a data folder open, and who is kept away: kernel locks, which end with their process."""

import errno
import json
import os
import signal
import subprocess
import sys

import pytest

from pendesk.store.engine import folder_lock
from pendesk.store.engine.folder_lock import (
    InUse,
    hold_exclusive_lock_if_supported,
    hold_shared_lock,
    hold_single_server_lock,
    lock_holders,
    this_process_info,
)

ME = this_process_info("pendesk token list")
SERVER = this_process_info("pendesk serve", "http://127.0.0.1:3847")

HOLD = """
import sys
from pathlib import Path
from pendesk.store.engine.folder_lock import hold_single_server_lock, hold_shared_lock, this_process_info
folder, process = Path(sys.argv[1]), this_process_info("pendesk serve", "http://127.0.0.1:1")
with hold_single_server_lock(folder), hold_shared_lock(folder, process):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def elsewhere(tmp_path):
    """Another process, which holds the folder as a server does."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def refused(context) -> str:
    with pytest.raises(InUse) as refusal, context:
        raise AssertionError("it was let in")
    return str(refusal.value)


def test_many_share_it_and_nobody_replaces_it_meanwhile(tmp_path):
    with hold_shared_lock(tmp_path, SERVER), hold_shared_lock(tmp_path, ME):
        assert set(lock_holders(tmp_path)) == {SERVER, ME}
        text = refused(hold_exclusive_lock_if_supported(tmp_path, this_process_info("pendesk restore"), 0))
    assert f"the server at http://127.0.0.1:3847 (process {os.getpid()}, pendesk {SERVER.version})" in text.lower()
    assert f"`pendesk token list` (process {os.getpid()}" in text
    assert lock_holders(tmp_path) == []
    with hold_exclusive_lock_if_supported(tmp_path, ME, 0) as locked:
        assert locked


def test_whoever_replaces_it_is_alone_and_is_named(tmp_path):
    with hold_exclusive_lock_if_supported(tmp_path, this_process_info("pendesk restore"), 0):
        assert "`pendesk restore`" in refused(hold_shared_lock(tmp_path, ME, 0))
        assert "`pendesk restore`" in refused(hold_exclusive_lock_if_supported(tmp_path, ME, 0))


def test_a_second_server_is_led_to_postgresql(tmp_path, elsewhere):
    with hold_shared_lock(tmp_path, ME):  # a command beside it is not what serves
        text = refused(hold_single_server_lock(tmp_path))
    assert text.startswith(f"The server at http://127.0.0.1:1 (process {elsewhere.pid}")
    assert "PENDESK_DATABASE_URL" in text
    assert "token list" not in text


def test_two_names_of_one_folder_are_one(tmp_path, elsewhere):
    other = tmp_path.parent / f"{tmp_path.name}-link"
    other.symlink_to(tmp_path)
    assert str(elsewhere.pid) in refused(hold_exclusive_lock_if_supported(other, ME, 0))
    assert str(elsewhere.pid) in refused(hold_single_server_lock(other))


def test_kill_9_frees_it_and_its_note_is_cleared_away(tmp_path, elsewhere):
    elsewhere.send_signal(signal.SIGKILL)
    elsewhere.wait()
    assert len(list((tmp_path / "locks").glob("*.json"))) == 1
    with hold_single_server_lock(tmp_path), hold_exclusive_lock_if_supported(tmp_path, ME, 0):
        assert lock_holders(tmp_path) == [ME]


def test_another_machine_or_container_is_named(tmp_path):
    with hold_shared_lock(tmp_path, SERVER._replace(host="quay")):
        assert f"process {os.getpid()} on quay" in refused(hold_exclusive_lock_if_supported(tmp_path, ME, 0))


def test_a_note_that_cannot_be_read_does_not_matter(tmp_path):
    with hold_shared_lock(tmp_path, SERVER):
        (note,) = (tmp_path / "locks").glob("*.json")
        note.write_text('{"command": ')
        assert refused(hold_exclusive_lock_if_supported(tmp_path, ME, 0)).startswith("Another process has")


def test_the_files_are_private(tmp_path):
    before = os.umask(0)
    try:
        with hold_shared_lock(tmp_path, SERVER):
            assert all(
                path.stat().st_mode & 0o077 == 0 for path in [tmp_path / "locks", *(tmp_path / "locks").iterdir()]
            )
    finally:
        os.umask(before)


@pytest.mark.parametrize("planted", ["locks", "locks/data.lock"])
def test_no_link_is_followed(tmp_path, planted):
    """The folder's owner could have root give away, or overwrite, what the link leads to."""
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (data / planted).parent.mkdir(parents=True)
    (data / planted).symlink_to(elsewhere if planted == "locks" else elsewhere / "file")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"), hold_shared_lock(data, ME):
        pass
    assert list(elsewhere.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_has_another_name_elsewhere_is_not_given_away(tmp_path):
    data, other = tmp_path / "data", tmp_path / "other"
    other.write_text("")
    (data / "locks").mkdir(parents=True)
    os.link(other, data / "locks" / "data.lock")
    os.chown(data, 65534, 65534)
    with hold_shared_lock(data, ME):
        pass
    assert other.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")
def test_what_root_makes_belongs_to_the_folders_owner(tmp_path):
    os.chown(tmp_path, 65534, 65534)
    with hold_shared_lock(tmp_path, ME):
        paths = [tmp_path / "locks", *(tmp_path / "locks").iterdir()]
        assert {path.stat().st_uid for path in paths} == {65534}


@pytest.fixture(params=["the system has none", "the file system has none"])
def no_locks(request, monkeypatch):
    if request.param == "the system has none":
        monkeypatch.setattr(folder_lock, "fcntl", None)
        return

    def flock(_descriptor, _how):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr("pendesk.store.engine.folder_lock.fcntl.flock", flock)


def test_without_locks_it_works_and_says_so(tmp_path, no_locks, caplog):
    assert not folder_lock.supports_file_locks(tmp_path)
    with (
        hold_single_server_lock(tmp_path),
        hold_shared_lock(tmp_path, SERVER),
        hold_exclusive_lock_if_supported(tmp_path, ME, 0) as locked,
    ):
        assert not locked
    assert f"{tmp_path} has no file locks" in caplog.text


def test_another_fault_of_the_disk_is_not_hidden(tmp_path, monkeypatch):
    def flock(_descriptor, _how):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("pendesk.store.engine.folder_lock.fcntl.flock", flock)
    with pytest.raises(OSError, match="Input/output"), hold_shared_lock(tmp_path, ME):
        pass


def test_a_note_says_nothing_but_who_it_is(tmp_path):
    with hold_shared_lock(tmp_path, SERVER):
        (note,) = (tmp_path / "locks").glob("*.json")
        assert json.loads(note.read_text()) == SERVER._asdict()


def test_a_note_is_seen_only_once_it_is_locked(tmp_path, monkeypatch):
    """Whoever looks for holders deletes a note that nobody has locked."""
    try_lock, seen = folder_lock.try_lock, []

    def look_first(descriptor, *, exclusive):
        seen.extend((tmp_path / "locks").glob("*.json"))
        return try_lock(descriptor, exclusive=exclusive)

    monkeypatch.setattr(folder_lock, "try_lock", look_first)
    with hold_shared_lock(tmp_path, ME):
        assert seen == []
        assert lock_holders(tmp_path) == [ME]
    assert sorted(path.name for path in (tmp_path / "locks").iterdir()) == ["data.lock"]
