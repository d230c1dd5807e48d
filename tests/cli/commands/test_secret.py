"""secret rotate: another secret in the file or from a setting, and no way to be left without one that fits."""

import asyncio
import os
from pathlib import Path

import pytest

from pendesk.ids import new_id
from pendesk.main import open_service
from pendesk.operations.access import rotate_secret
from pendesk.settings import load
from pendesk.store import secret
from pendesk.store.engine.folder_lock import hold_shared_lock, this_process_info
from tests.callers import seal_log

KEY, NEW = "k" * 40, "n" * 40
STDIN = ("secret", "rotate", "--new-secret-stdin")


@pytest.fixture(params=["sqlite", "postgres"])
def installed(request, ask, data, monkeypatch):
    """The sample project on either engine, with the secret in its file; a server has sealed its log."""
    if request.param == "postgres":
        cluster = request.getfixturevalue("postgres")
        programs = Path(cluster.bin("pg_dump")).parent
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
        name = f"rotated_{new_id().replace('-', '')}"
        monkeypatch.setenv("PENDESK_DATABASE_URL", cluster.create_database(name))
    ask("init")
    ask("demo")
    asyncio.run(seal(data))
    return data


async def seal(data: Path) -> None:
    async with open_service(load(data_folder=str(data)), "http://127.0.0.1:3847") as service:
        assert await seal_log(service.dispatcher.store, service.installation.signing_key) > 0


def works(ask) -> bool:
    return [project["key"] for project in ask("project", "list")["projects"]] == ["HRB"] and ask("verify")["ok"]


def files(data: Path) -> set[str]:
    return {path.name for path in data.iterdir() if "secret" in path.name}


def test_the_secret_in_the_file(run, ask, installed):
    before = (installed / "secret.key").read_text()
    result = run("secret", "rotate")
    assert result.exit_code == 0, result.stderr
    after = (installed / "secret.key").read_text()
    assert after != before
    assert after.strip() not in result.output
    assert before.strip() not in result.output
    assert files(installed) == {"secret.key"}
    assert (installed / "secret.key").stat().st_mode & 0o077 == 0
    assert works(ask)
    (installed / "secret.key").write_text(before)
    assert "differs from the one" in run("project", "list").stderr


def test_not_while_somebody_has_it_open(run, ask, installed):
    before = (installed / "secret.key").read_text()
    with hold_shared_lock(installed, this_process_info("pendesk serve", "http://127.0.0.1:1")):
        refused = run("secret", "rotate")
    assert refused.exit_code == 1
    assert "The server at http://127.0.0.1:1" in refused.stderr
    assert (installed / "secret.key").read_text() == before
    assert files(installed) == {"secret.key"}


def test_a_secret_from_a_setting_is_passed_in_by_its_owner(run, ask, installed, monkeypatch):
    """Moved to the environment first, by a rotation to a known one."""
    ask(*STDIN, stdin=f"{KEY}\n")
    (installed / "secret.key").unlink()
    monkeypatch.setenv("PENDESK_SECRET_KEY", KEY)
    assert works(ask)
    refused = run("secret", "rotate")
    assert refused.exit_code == 1
    assert "PENDESK_SECRET_KEY" in refused.stderr
    assert "--new-secret-stdin < FILE" in refused.stderr
    result = run(*STDIN, stdin=f"{NEW}\n")
    assert "Set the new secret in PENDESK_SECRET_KEY" in result.stdout
    assert NEW not in result.output
    assert files(installed) == set()
    assert "differs from the one" in run("project", "list").stderr
    monkeypatch.setenv("PENDESK_SECRET_KEY", NEW)
    assert works(ask)


@pytest.mark.parametrize("text", ["", "short\n", f"{KEY}\n{KEY}\n", f"{KEY}\x1b[0m\n"])
def test_what_is_no_secret_is_refused(run, data, ask, text):
    ask("init")
    before = (data / "secret.key").read_text()
    assert "one line of 32 characters" in run(*STDIN, stdin=text).stderr
    assert "already in use" in run(*STDIN, stdin=before).stderr
    assert (data / "secret.key").read_text() == before
    assert files(data) == {"secret.key"}


def test_nothing_to_rotate(run):
    assert "pendesk init" in run("secret", "rotate").stderr


class CutOffError(Exception):
    """In place of a kill."""


@pytest.fixture
def cut_off(run, monkeypatch):
    """Run it until it is cut off there."""

    def rotate(place, name):
        def cut(*_arguments):
            raise CutOffError

        with monkeypatch.context() as patch:
            patch.setattr(place, name, cut)
            with pytest.raises(AssertionError, match="CutOff"):
                run("secret", "rotate")

    return rotate


def test_cut_off_before_the_commit_the_old_one_stays(ask, installed, cut_off):
    before = (installed / "secret.key").read_text()
    cut_off(rotate_secret, "_rotate_secret_of_all_workspaces")
    assert files(installed) == {"secret.key", "secret.key.next"}
    assert works(ask)
    assert (installed / "secret.key").read_text() == before
    assert files(installed) == {"secret.key"}


def test_cut_off_after_the_commit_the_new_one_is_put_in_its_place(ask, installed, cut_off):
    before = (installed / "secret.key").read_text()
    cut_off(secret, "activate_next_secret")
    assert files(installed) == {"secret.key", "secret.key.next"}
    assert works(ask)
    assert (installed / "secret.key").read_text() != before
    assert files(installed) == {"secret.key"}


def test_cut_off_after_the_commit_a_backup_has_the_new_one(run, ask, installed, cut_off, tmp_path, monkeypatch):
    cut_off(secret, "activate_next_secret")
    assert "not the one" not in run("doctor").stdout
    packed = ask("backup", "--out", str(tmp_path / "b.tar.gz"))
    ask("restore", packed["path"], "--force")
    assert files(installed) == {"secret.key"}
    assert works(ask)
