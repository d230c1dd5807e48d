"""doctor: every diagnosis is made to fail, and the command that it names repairs it."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from pendesk.cli.parts import diagnostics
from pendesk.store.engine.folder_lock import hold_shared_lock, this_process_info
from tests.cli.fixes import commands, follow
from tests.clients.running import started
from tests.postgres import PostgresCluster


class Installation(NamedTuple):
    """An installation with a backup."""

    data: Path
    ask: Callable[..., Any]
    run: Callable[..., Any]
    monkeypatch: pytest.MonkeyPatch

    @property
    def database(self) -> Path:
        return self.data / "pendesk.sqlite3"

    def problems(self, *arguments: str) -> dict[str, dict[str, str]]:
        """The problems, by name."""
        result = self.run("doctor", "--json", *arguments)
        report = json.loads(result.stdout)
        wrong = {check["name"]: check for check in report["checks"] if check["state"] != "ok"}
        assert result.exit_code == (2 if "corrupt" in [check["state"] for check in wrong.values()] else bool(wrong))
        return wrong

    def sql(self, text: str) -> None:
        connection = apsw.Connection(str(self.database))
        connection.execute(text).fetchall()
        connection.close()


@pytest.fixture
def port(monkeypatch):
    """A free port, so that a server on the usual one does not matter."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    monkeypatch.setenv("PENDESK_PORT", str(free))
    return free


@pytest.fixture
def bare(data, ask, run, monkeypatch, port):
    return Installation(data, ask, run, monkeypatch)


@pytest.fixture
def installation(bare):
    bare.ask("init")
    return bare


@pytest.fixture
def installation_with_backup(installation):
    """With a backup that the fixes can use."""
    installation.ask("backup")
    return installation


def overwrite_pages(installation: Installation) -> None:
    content = bytearray(installation.database.read_bytes())
    for start in range(8192, len(content) - 4096, 4096):
        content[start : start + 512] = b"\xde" * 512
    installation.database.write_bytes(content)


def open_to_all(installation: Installation) -> None:
    for name in ("secret.key", "pendesk.sqlite3"):
        (installation.data / name).chmod(0o644)


def shut(installation: Installation) -> None:
    """As whoever is not root would find it."""
    installation.data.chmod(0o500)
    installation.monkeypatch.setattr("os.access", lambda path, _mode: Path(path).stat().st_mode & 0o700 == 0o700)


BROKEN: dict[str, tuple[Callable[[Installation], object], str]] = {
    "the folder cannot be written": (shut, "data folder"),
    "the folder is open to others": (lambda installation: installation.data.chmod(0o755), "data folder"),
    "others can read the secret": (
        lambda installation: (installation.data / "secret.key").chmod(0o644),
        "private files",
    ),
    "others can read several files": (open_to_all, "private files"),
    "the secret is gone": (lambda installation: (installation.data / "secret.key").unlink(), "secret"),
    "the secret is empty": (lambda installation: (installation.data / "secret.key").write_text(""), "secret"),
    "the secret is another": (lambda installation: (installation.data / "secret.key").write_text("0" * 64), "secret"),
    "the database is gone": (lambda installation: installation.database.unlink(), "database"),
    "pages are overwritten": (overwrite_pages, "database"),
    "it is no database": (
        lambda installation: installation.database.write_bytes(b"this is no database" * 300),
        "database",
    ),
    "migrations are pending": (
        lambda installation: installation.sql(
            "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)"
        ),
        "migrations",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_and_its_command_makes_it_right(installation_with_backup, case):
    assert installation_with_backup.problems() == {}
    spoil, name = BROKEN[case]
    spoil(installation_with_backup)
    diagnostics = installation_with_backup.problems()
    assert name in diagnostics
    if case == "migrations are pending":  # this one is there already, and cannot be made twice
        installation_with_backup.monkeypatch.setattr("pendesk.store.engine.migrate._apply_if_pending", forgotten)
    follow(diagnostics[name]["fix"], installation_with_backup.run, installation_with_backup.data.parent)
    assert installation_with_backup.problems() == {}


def forgotten(database, begin, migration, *, newest_known_version):
    """What was done and then forgotten is only written down again."""
    from pendesk.store.engine import migrate

    if migration.version in database.applied_versions():
        return False
    database.run_script(migrate.RECORD.format(version=migration.version, name=migration.name))
    return True


@pytest.mark.parametrize("name", ["data folder", "secret", "database"])
def test_nothing_there(bare, name):
    diagnostics = bare.problems()
    assert set(diagnostics) == {"data folder", "secret", "database"}
    assert not bare.data.exists()
    follow(diagnostics[name]["fix"], bare.run, bare.data.parent)
    assert bare.problems() == {}


def test_a_database_without_a_workspace(bare):
    bare.ask("migrate")
    diagnostics = bare.problems()
    follow(diagnostics["workspace"]["fix"], bare.run, bare.data.parent)
    assert bare.problems() == {}


def test_healthy(installation):
    assert installation.problems("--full") == {}
    assert "No problems found." in installation.run("doctor").stdout


def test_every_setting_is_told_with_its_source(installation, port):
    result = json.loads(installation.run("doctor", "--json").stdout)["settings"]
    assert result["port"] == {"shown": str(port), "source": "PENDESK_PORT"}
    assert result["host"]["source"] == "default"


def test_without_a_backup_nothing_is_promised(installation):
    (installation.data / "secret.key").write_text("0" * 64)
    assert "PENDESK_SECRET_KEY" in installation.problems()["secret"]["fix"]
    installation.database.write_bytes(b"this is no database" * 300)
    assert "restore FILE" in installation.problems()["database"]["fix"]


def test_a_newer_database_is_found(installation):
    installation.sql("INSERT INTO schema_migrations VALUES (9999, 'future')")
    assert installation.problems()["migrations"]["fix"] == "Install the newer pendesk."


def test_a_taken_port_is_found_and_its_command_serves_on_another(installation, port):
    with socket.create_server(("127.0.0.1", port)):
        (words,) = commands(installation.problems()["server"]["fix"])
        serving = [
            str(Path(sys.executable).with_name("pendesk")),
            *words[1:],
            "--json",
            "--data",
            str(installation.data),
        ]
        with started(serving, installation.data, {}):
            assert installation.problems() == {}


def test_a_server_that_does_not_answer_is_found_and_its_command_starts_one(installation, port):
    silent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    result = {"url": f"http://127.0.0.1:{port}", "pid": silent.pid, "port": port}
    (installation.data / "server.json").write_text(json.dumps(result))
    (installation.data / "server.json").chmod(0o600)
    diagnostic = installation.problems()["server"]
    assert f"Stop process {silent.pid}" in diagnostic["fix"]
    silent.communicate(b"\n")
    assert installation.problems() == {}
    (words,) = commands(diagnostic["fix"])
    serving = [str(Path(sys.executable).with_name("pendesk")), *words[1:], "--json", "--data", str(installation.data)]
    with started(serving, installation.data, {"port": str(port)}):
        assert installation.problems() == {}


def test_a_clock_that_went_back_is_found(installation, monkeypatch):
    with monkeypatch.context() as back:
        back.setattr("pendesk.clock.now_us", lambda: 1_600_000_000_000_000)
        assert commands(installation.problems()["clock"]["fix"]) == [["timedatectl", "set-ntp", "true"]]
    assert installation.problems() == {}


def test_a_folder_without_locks_is_found(installation, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr("pendesk.store.engine.folder_lock.fcntl", None)
        assert "stop the server yourself" in installation.problems()["locks"]["fix"]
    assert installation.problems() == {}


def test_who_has_the_folder_open_is_told(installation):
    with hold_shared_lock(installation.data, this_process_info("pendesk serve", "http://127.0.0.1:1")):
        assert "held by the server at http://127.0.0.1:1 (process" in installation.run("doctor").stdout
    assert "no process has the data folder open" in installation.run("doctor").stdout


def test_a_full_disk_is_found(installation, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr("pendesk.cli.parts.diagnostics.MIN_FREE_BYTES", 10**18)
        assert "Free some space" in installation.problems()["disk"]["fix"]
    assert installation.problems() == {}


def test_an_old_sqlite_is_found(installation, monkeypatch):
    with monkeypatch.context() as old:
        old.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
        assert "apsw" in installation.problems()["engine"]["fix"]
    assert installation.problems() == {}


def test_a_wrong_setting_is_a_finding(installation, monkeypatch):
    with monkeypatch.context() as typo:
        typo.setenv("PENDESK_PROT", "1")
        assert "PENDESK_PORT" in installation.problems()["settings"]["told"]
    assert installation.problems() == {}


def test_a_backup_that_is_gone_is_told(installation_with_backup):
    (file,) = (installation_with_backup.data / "backups").iterdir()
    file.unlink()
    assert "no longer exists" in installation_with_backup.run("doctor").stdout
    assert installation_with_backup.problems() == {}


def test_postgresql_out_of_reach_is_found(bare, monkeypatch, postgres: PostgresCluster):
    postgres.drop_database("examined")
    url = postgres.create_database("examined")
    monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    bare.ask("init")
    assert bare.problems() == {}
    monkeypatch.setenv("PENDESK_DATABASE_URL", url.replace("examined", "nowhere"))
    assert "PENDESK_DATABASE_URL" in bare.problems()["database"]["fix"]
    monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    assert bare.problems() == {}


def test_every_diagnosis_has_a_case_above_or_never_fails():
    """A new diagnosis needs its case: these had one when this was written."""
    assert [diagnose.__name__ for diagnose in diagnostics.DIAGNOSES] == [
        "diagnose_data_folder",
        "diagnose_data_folder_locks",
        "diagnose_private_file_permissions",
        "diagnose_installation_secret",
        "diagnose_database",
        "diagnose_migrations",
        "diagnose_secret_workspace_and_clock",
        "diagnose_local_server",
        "diagnose_disk_space",
        "diagnose_last_backup",  # never a problem
    ]
