"""A private PgBouncer in front of a PostgreSQL cluster: a context manager, gone at the end."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import PostgresCluster

START_TIMEOUT_S = 30


@contextmanager
def pgbouncer(cluster: PostgresCluster, pool_mode: str, pool_size: int = 20) -> Iterator[int]:
    """Its port, when it answers."""
    with tempfile.TemporaryDirectory(prefix="pendesk-pgbouncer-") as name, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
        probe.close()
        folder = Path(name)
        as_user = {"user": pwd.getpwnam("nobody").pw_uid} if os.geteuid() == 0 else {}
        if as_user:
            os.chown(folder, as_user["user"], -1)
        settings = folder / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={cluster.port} user=postgres\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            f"pool_mode = {pool_mode}\nmax_client_conn = 200\ndefault_pool_size = {pool_size}\n"
            "ignore_startup_parameters = extra_float_digits\n"
        )
        settings.chmod(0o644)  # whatever the umask of this process is
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        with subprocess.Popen([program, "-q", str(settings)], cwd=folder, **as_user) as process:  # type: ignore[call-overload]
            try:
                _wait_until_it_answers(process, port)
                yield port
            finally:
                process.kill()


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return
