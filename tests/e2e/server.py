"""The real `pendesk serve`, as a process of its own."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

START_S = 30.0
_ADDRESS = re.compile(r"Open +(http://\S+)/\n(?:.*\n)+ +Connect ")


class RunningServer:
    """Started in an empty environment: only what the test gives it."""

    def __init__(self, data: Path, *arguments: str, **environ: str) -> None:
        self.data = data
        self.arguments = arguments
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent), "PENDESK_DATA": str(data), **environ}
        self.out = self.log = ""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "pendesk", "serve", *(self.arguments or ("--port", "0"))]
        self._out, self._log = (self.data.parent / f"{id(self)}.{name}" for name in ("out", "log"))
        out = self._open_stdout()
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environ, cwd=self.data.parent, stdin=subprocess.DEVNULL, stdout=out, stderr=log
            )
        os.close(out)
        return self

    def _open_stdout(self) -> int:
        return os.open(self._out, os.O_WRONLY | os.O_CREAT)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.read()

    def read(self) -> str:
        self.out, self.log = self._out.read_text("utf-8"), self._log.read_text("utf-8")
        return self.out

    def ready(self) -> Self:
        deadline = time.monotonic() + START_S
        while not (address := _ADDRESS.search(self.read())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"it did not start:\n{self.out}{self.log}")
            time.sleep(0.02)
        self.url = address[1]
        self.port = int(self.url.rpartition(":")[2])
        return self

    def wait_for_file(self) -> Self:
        """For one behind a proxy, which prints another address than its own."""
        deadline = time.monotonic() + START_S
        while not (self.data / "server.json").exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"it did not start:\n{self.read()}{self.log}")
            time.sleep(0.02)
        return self

    @cached_property
    def link(self) -> str:
        """The owner's, as they make one for themselves; another server of the folder may be the one it names."""
        link = pendesk(self.data, "user", "link", **self.environ)
        return f"{self.url}/sign-in?{link.strip().partition('?')[2]}"

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, timeout=10)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(20)
        self.read()
        return code

    def server_file(self) -> dict[str, object]:
        content: dict[str, object] = json.loads((self.data / "server.json").read_text())
        return content


class AtTerminal(RunningServer):
    """Started where a person types: what it prints comes to a terminal."""

    def _open_stdout(self) -> int:
        terminal, stdout = pty.openpty()
        self._copying = threading.Thread(target=_copy, args=(terminal, super()._open_stdout()))
        self._copying.start()
        return stdout

    def read(self) -> str:
        if self.process.poll() is not None:
            self._copying.join()
        return super().read()


def _copy(terminal: int, file: int) -> None:
    with suppress(OSError):  # how Linux says that the other end is closed
        while printed := os.read(terminal, 4096):
            os.write(file, printed)
    os.close(terminal)
    os.close(file)


def own_port() -> str:
    """For a server that is to start again there: nobody who looks for the next free port takes it meanwhile."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def pendesk(data: Path, *arguments: str, **environ: str) -> str:
    """Run a command to its end; what it printed."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent), "PENDESK_DATA": str(data), **environ}
    command = [sys.executable, "-m", "pendesk", *arguments]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
