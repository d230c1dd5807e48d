"""What the tools share: clients that run apart from the user's own set-up, and small servers."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import Any, TypeVar

Server = TypeVar("Server", bound=BaseServer)


class ClientError(RuntimeError):
    """A client could not be found or started."""


def server_name(value: str) -> str:
    """Check that an MCP server's name is one that every client takes."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", value):
        raise argparse.ArgumentTypeError(f"{value!r}: use letters, digits, - and _ only")
    return value


def find_client(name: str, path_option: str | None = None) -> str:
    """Find a client: the given path, else the one on PATH. scripts/install_clients.sh pins and installs them."""
    if path := shutil.which(path_option or name):
        return str(Path(path).absolute())
    raise ClientError(
        f"{path_option or name}: no such program. `make test-clients` installs the clients and finds them."
    )


def client_env(home: Path, extra: dict[str, str] | None = None) -> dict[str, str]:
    """Build an environment that keeps PATH and nothing else of the caller's."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "BROWSER": "false",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        **(extra or {}),
    }


def end_group(process: subprocess.Popen[Any]) -> None:
    """End a program that leads a session of its own, with its children, if it is still running."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def client_home(folder_option: Path | None) -> Iterator[Path]:
    """Give the home folder for a client: the given one, which is kept, or a throw-away one."""
    if folder_option:
        folder_option.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield folder_option.resolve()
    else:
        with tempfile.TemporaryDirectory(prefix="client-", ignore_cleanup_errors=True) as folder:
            yield Path(folder).resolve()


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Run a server in a thread while the context lasts."""
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
