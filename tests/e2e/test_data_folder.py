"""A server and what is done to its data folder beside it: nobody replaces the data beneath it."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pendesk.store.engine.folder_lock import lock_holders
from tests.e2e.server import RunningServer, pendesk

KEY = "k" * 64


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def refused(data: Path, *arguments: str, **environ: str) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent), "PENDESK_DATA": str(data), **environ}
    command = [sys.executable, "-m", "pendesk", *arguments]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def content(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and "sqlite3-" not in path.name}


def test_nothing_is_replaced_beneath_a_server(data, tmp_path):
    backup = str(tmp_path / "backup.tar.gz")
    with RunningServer(data) as server:
        server.ready()
        pendesk(data, "backup", "--out", backup)
        # As a second server left it, which had written its own name there and took it along when it stopped.
        (data / "server.json").unlink()
        token = pendesk(data, "token", "create", "--name", "kept").strip()
        text = refused(data, "restore", backup, "--force")
        assert f"The server at {server.url} (process {server.process.pid}" in text
        assert not list(data.glob("before-restore-*"))
        assert "kept" in pendesk(data, "token", "list")
        assert server.stop() == 0
    assert "kept" in pendesk(data, "token", "list")
    pendesk(data, "restore", backup, "--force")
    assert token not in pendesk(data, "token", "list")
    assert "kept" not in pendesk(data, "token", "list")


def test_a_second_server_on_one_sqlite_file_is_led_to_postgresql(data):
    with RunningServer(data) as server:
        server.ready()
        before = content(data)
        for arguments in (["--port", "0"], ["--port", str(server.port)]):
            text = refused(data, "serve", *arguments)
            assert f"The server at {server.url} (process {server.process.pid}" in text
            assert "PENDESK_DATABASE_URL" in text
        assert content(data) == before
        assert server.get("/api/v1/health").status_code == 200
        assert "My workspace" in pendesk(data, "workspace", "show")  # commands beside it go on
        server.stop()


def test_kill_9_lets_others_in_at_once(data, tmp_path):
    backup = str(tmp_path / "backup.tar.gz")
    with RunningServer(data) as server:
        server.ready()
        pendesk(data, "backup", "--out", backup)
        server.process.kill()
        server.process.wait()
    pendesk(data, "restore", backup, "--force")
    with RunningServer(data) as server:
        server.ready().stop()


def test_a_server_that_starts_during_a_restore_waits_for_it(data, tmp_path):
    pendesk(data, "init")
    pipe = tmp_path / "backup"
    os.mkfifo(pipe)  # nothing comes out of it until the test lets it
    restoring = subprocess.Popen(
        [sys.executable, "-m", "pendesk", "restore", str(pipe), "--force", "--data", str(data)],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (holding := lock_holders(data)):
        assert restoring.poll() is None, restoring.communicate()
        time.sleep(0.02)
    assert [process.command for process in holding] == ["pendesk restore"]
    with RunningServer(data) as server:
        ready = threading.Thread(target=server.ready)
        ready.start()
        while not (data / "locks/server.lock").exists():
            time.sleep(0.02)
        assert [process.command for process in lock_holders(data)] == ["pendesk restore"]
        pipe.open("wb").close()  # an empty backup: it is refused, and nothing was changed
        assert "no backup" in restoring.communicate(timeout=60)[1]
        ready.join()
        assert server.get("/api/v1/health").status_code == 200
        server.stop()


@pytest.fixture
def on_postgres(postgres, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(postgres.bin('pg_dump')).parent}{os.pathsep}{os.environ['PATH']}")
    yield {"PENDESK_DATABASE_URL": postgres.create_database("beneath"), "PENDESK_SECRET_KEY": KEY}
    postgres.drop_database("beneath")


def test_on_postgresql_the_servers_of_all_machines_are_seen(data, tmp_path, on_postgres):
    backup = str(tmp_path / "backup.tar.gz")
    with RunningServer(data, **on_postgres) as first, RunningServer(data, **on_postgres) as second:
        first.ready()
        second.ready()
        text = refused(data, "serve", "--port", str(first.server_file()["port"]), **on_postgres)
        assert "already running at" in text
        assert second.stop() == 0
        assert not (data / "server.json").exists() or first.server_file()["pid"] == first.process.pid
        pendesk(data, "backup", "--out", backup, **on_postgres)
        pendesk(data, "token", "create", "--name", "kept", **on_postgres)
        assert f"The server at {first.url}" in refused(data, "restore", backup, "--force", **on_postgres)
        far = refused(tmp_path / "other-machine", "restore", backup, "--force", **on_postgres)
        assert first.url in far
        assert "kept" in pendesk(data, "token", "list", **on_postgres)
        first.process.kill()
        first.process.wait()
    pendesk(tmp_path / "other-machine", "restore", backup, "--force", **on_postgres)
    assert "kept" not in pendesk(tmp_path / "other-machine", "token", "list", **on_postgres)
