"""doctor: each check is made to fail, and the command that it names makes it well again."""

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
from pendesk.store.engine.folder_lock import shared, this_process
from tests.cli.fixes import commands, follow
from tests.clients.running import started
from tests.postgres import PostgresCluster


class Patient(NamedTuple):
    """An installation with a backup."""

    data: Path
    ask: Callable[..., Any]
    run: Callable[..., Any]
    monkeypatch: pytest.MonkeyPatch

    @property
    def database(self) -> Path:
        return self.data / "pendesk.sqlite3"

    def findings(self, *arguments: str) -> dict[str, dict[str, str]]:
        """What is wrong, by the check's name."""
        result = self.run("doctor", "--json", *arguments)
        told = json.loads(result.stdout)
        wrong = {each["name"]: each for each in told["checks"] if each["state"] != "ok"}
        assert result.exit_code == (2 if "corrupt" in [each["state"] for each in wrong.values()] else bool(wrong))
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
    return Patient(data, ask, run, monkeypatch)


@pytest.fixture
def patient(bare):
    bare.ask("init")
    return bare


@pytest.fixture
def kept(patient):
    """With a backup that the fixes can use."""
    patient.ask("backup")
    return patient


def overwrite_pages(patient: Patient) -> None:
    content = bytearray(patient.database.read_bytes())
    for start in range(8192, len(content) - 4096, 4096):
        content[start : start + 512] = b"\xde" * 512
    patient.database.write_bytes(content)


def open_to_all(patient: Patient) -> None:
    for name in ("secret.key", "pendesk.sqlite3"):
        (patient.data / name).chmod(0o644)


def shut(patient: Patient) -> None:
    """As whoever is not root would find it."""
    patient.data.chmod(0o500)
    patient.monkeypatch.setattr("os.access", lambda path, _mode: Path(path).stat().st_mode & 0o700 == 0o700)


BROKEN: dict[str, tuple[Callable[[Patient], object], str]] = {
    "the folder cannot be written": (shut, "data folder"),
    "the folder is open to others": (lambda patient: patient.data.chmod(0o755), "data folder"),
    "others can read the secret": (lambda patient: (patient.data / "secret.key").chmod(0o644), "private files"),
    "others can read several files": (open_to_all, "private files"),
    "the secret is gone": (lambda patient: (patient.data / "secret.key").unlink(), "secret"),
    "the secret is empty": (lambda patient: (patient.data / "secret.key").write_text(""), "secret"),
    "the secret is another": (lambda patient: (patient.data / "secret.key").write_text("0" * 64), "secret"),
    "the database is gone": (lambda patient: patient.database.unlink(), "database"),
    "pages are overwritten": (overwrite_pages, "database"),
    "it is no database": (lambda patient: patient.database.write_bytes(b"this is no database" * 300), "database"),
    "migrations are pending": (
        lambda patient: patient.sql(
            "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)"
        ),
        "migrations",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_found_and_its_command_makes_it_right(kept, case):
    assert kept.findings() == {}
    spoil, name = BROKEN[case]
    spoil(kept)
    found = kept.findings()
    assert name in found
    if case == "migrations are pending":  # this one is there already, and cannot be made twice
        kept.monkeypatch.setattr("pendesk.store.engine.migrate._apply", forgotten)
    follow(found[name]["fix"], kept.run, kept.data.parent)
    assert kept.findings() == {}


def forgotten(database, begin, migration, *, newest):
    """What was done and then forgotten is only written down again."""
    from pendesk.store.engine import migrate

    if migration.version in database.versions():
        return False
    database.script(migrate.RECORD.format(version=migration.version, name=migration.name))
    return True


@pytest.mark.parametrize("name", ["data folder", "secret", "database"])
def test_nothing_there(bare, name):
    found = bare.findings()
    assert set(found) == {"data folder", "secret", "database"}
    assert not bare.data.exists()
    follow(found[name]["fix"], bare.run, bare.data.parent)
    assert bare.findings() == {}


def test_a_database_without_a_workspace(bare):
    bare.ask("migrate")
    found = bare.findings()
    follow(found["workspace"]["fix"], bare.run, bare.data.parent)
    assert bare.findings() == {}


def test_healthy(patient):
    assert patient.findings("--full") == {}
    assert "Everything is as it should be." in patient.run("doctor").stdout


def test_every_setting_is_told_with_its_source(patient, port):
    told = json.loads(patient.run("doctor", "--json").stdout)["settings"]
    assert told["port"] == {"shown": str(port), "source": "PENDESK_PORT"}
    assert told["host"]["source"] == "default"


def test_without_a_backup_nothing_is_promised(patient):
    (patient.data / "secret.key").write_text("0" * 64)
    assert "PENDESK_SECRET_KEY" in patient.findings()["secret"]["fix"]
    patient.database.write_bytes(b"this is no database" * 300)
    assert "restore FILE" in patient.findings()["database"]["fix"]


def test_a_newer_database_is_found(patient):
    patient.sql("INSERT INTO schema_migrations VALUES (9999, 'future')")
    assert patient.findings()["migrations"]["fix"] == "Install the newer pendesk."


def test_a_taken_port_is_found_and_its_command_serves_on_another(patient, port):
    with socket.create_server(("127.0.0.1", port)):
        (words,) = commands(patient.findings()["server"]["fix"])
        serving = [str(Path(sys.executable).with_name("pendesk")), *words[1:], "--json", "--data", str(patient.data)]
        with started(serving, patient.data, {}):
            assert patient.findings() == {}


def test_a_server_that_does_not_answer_is_found_and_its_command_starts_one(patient, port):
    silent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    told = {"url": f"http://127.0.0.1:{port}", "pid": silent.pid, "port": port}
    (patient.data / "server.json").write_text(json.dumps(told))
    (patient.data / "server.json").chmod(0o600)
    found = patient.findings()["server"]
    assert f"Stop process {silent.pid}" in found["fix"]
    silent.communicate(b"\n")
    assert patient.findings() == {}
    (words,) = commands(found["fix"])
    serving = [str(Path(sys.executable).with_name("pendesk")), *words[1:], "--json", "--data", str(patient.data)]
    with started(serving, patient.data, {"port": str(port)}):
        assert patient.findings() == {}


def test_a_clock_that_went_back_is_found(patient, monkeypatch):
    with monkeypatch.context() as back:
        back.setattr("pendesk.clock.now", lambda: 1_600_000_000_000_000)
        assert commands(patient.findings()["clock"]["fix"]) == [["timedatectl", "set-ntp", "true"]]
    assert patient.findings() == {}


def test_a_folder_without_locks_is_found(patient, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr("pendesk.store.engine.folder_lock.fcntl", None)
        assert "stop the server yourself" in patient.findings()["locks"]["fix"]
    assert patient.findings() == {}


def test_who_has_the_folder_open_is_told(patient):
    with shared(patient.data, this_process("pendesk serve", "http://127.0.0.1:1")):
        assert "held by the server at http://127.0.0.1:1 (process" in patient.run("doctor").stdout
    assert "nobody has the data folder open" in patient.run("doctor").stdout


def test_a_full_disk_is_found(patient, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr("pendesk.cli.parts.diagnostics.LEAST_FREE_BYTES", 10**18)
        assert "Free some space" in patient.findings()["disk"]["fix"]
    assert patient.findings() == {}


def test_an_old_sqlite_is_found(patient, monkeypatch):
    with monkeypatch.context() as old:
        old.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
        assert "apsw" in patient.findings()["engine"]["fix"]
    assert patient.findings() == {}


def test_a_wrong_setting_is_a_finding(patient, monkeypatch):
    with monkeypatch.context() as typo:
        typo.setenv("PENDESK_PROT", "1")
        assert "PENDESK_PORT" in patient.findings()["settings"]["told"]
    assert patient.findings() == {}


def test_a_backup_that_is_gone_is_told(kept):
    (file,) = (kept.data / "backups").iterdir()
    file.unlink()
    assert "no longer there" in kept.run("doctor").stdout
    assert kept.findings() == {}


def test_postgresql_out_of_reach_is_found(bare, monkeypatch, postgres: PostgresCluster):
    postgres.drop_database("examined")
    url = postgres.create_database("examined")
    monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    bare.ask("init")
    assert bare.findings() == {}
    monkeypatch.setenv("PENDESK_DATABASE_URL", url.replace("examined", "nowhere"))
    assert "PENDESK_DATABASE_URL" in bare.findings()["database"]["fix"]
    monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    assert bare.findings() == {}


def test_every_check_is_made_to_fail_here_or_can_only_tell():
    """A new check needs its case: this is what was counted when the cases were written."""
    assert [check.__name__ for check in diagnostics.CHECKS] == [
        "check_data_folder",
        "check_locks",
        "check_private_files",
        "check_secret",
        "check_database",
        "check_migrations",
        "check_content",
        "check_server",
        "check_disk",
        "check_backup",  # told, never a fault
    ]
