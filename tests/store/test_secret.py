import multiprocessing
import stat

import pytest

from pendesk.store import secret


def test_it_is_made_once_and_is_private(tmp_path):
    made = secret.read_or_create(tmp_path)
    assert secret.read_or_create(tmp_path) == made
    assert len(made) == 64
    file = tmp_path / "secret.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_processes_that_start_together_share_one(tmp_path):
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert len(set(pool.map(secret.read_or_create, [tmp_path] * 16))) == 1


def test_a_damaged_file_is_refused_and_kept(tmp_path):
    (tmp_path / "secret.key").write_text("")
    with pytest.raises(ValueError, match="damaged"):
        secret.read_or_create(tmp_path)
    assert (tmp_path / "secret.key").read_text() == ""
