"""Folders for what is being made: cleared away by who made them, or else by the next one."""

import signal
import subprocess
import sys

from pendesk.cli.parts.working_folder import remove_left_over_folders, working_folder

BEGIN = """
import sys, time
from pathlib import Path
from pendesk.cli.parts.working_folder import working_folder
with working_folder(Path(sys.argv[1]), ".backup-") as folder:
    (folder / "copy").write_bytes(b"x" * 1000)
    print(folder.name, flush=True)
    time.sleep(60)
"""


def test_nothing_stays_of_one_that_ends(tmp_path):
    with working_folder(tmp_path, ".backup-") as folder:
        (folder / "copy").write_text("x")
        assert folder.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next_and_what_is_in_use_is_not(tmp_path):
    with subprocess.Popen([sys.executable, "-c", BEGIN, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        with working_folder(tmp_path, ".backup-"):
            assert (tmp_path / name / "copy").exists()
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert (tmp_path / name / "copy").exists()
    with working_folder(tmp_path, ".backup-") as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_only_folders_of_its_own_are_removed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("x")
    (tmp_path / ".backup-link").symlink_to(elsewhere)
    (tmp_path / ".backup-file").write_text("x")
    (tmp_path / ".restore-other").mkdir()
    remove_left_over_folders(tmp_path, ".backup-")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".backup-file",
        ".backup-link",
        ".restore-other",
        "elsewhere",
    ]
    assert (elsewhere / "kept").exists()
