"""A terminal in which a reader types: one bash, which keeps what was set, and the servers that were started in it."""

import os
import re
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 120
SERVING = re.compile(r"Open +(http://\S+?)/\n(?:.*\n)+ +Connect ")
# What is printed comes to a terminal, and from there into the file.
AT_TERMINAL = "import pty, sys; pty.spawn(['bash', '-c', sys.argv[1]])"


class Terminal:
    def __init__(self, folder: Path, environ: dict[str, str], scratch: Path) -> None:
        """`scratch` takes what is printed."""
        self._scratch, self._count = scratch, 0
        self._exit_codes, write_end = os.pipe()
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=folder,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[write_end],
            text=True,
        )
        self._line = f"printf '%s\\n' $? >&{write_end}"
        os.close(write_end)

    def type(self, command: str, meanwhile: Callable[[Callable[[], str]], None] | None = None) -> tuple[int, str]:
        """Its exit code and all that it printed. `meanwhile` is given a way to read what is printed so far."""
        printed = self._next_file()
        self._send(f"{{ {command}\n}} < /dev/null > '{printed}' 2>&1; {self._line}")
        if meanwhile is not None:
            meanwhile(lambda: printed.read_text("utf-8") if printed.exists() else "")
        return self._wait(), printed.read_text("utf-8")

    def serve(self, command: str) -> str:
        """Start a server, in a terminal of its own, and give its address; a former one is stopped first."""
        self.stop()
        printed = self._next_file()
        typed = f"{shlex.quote(sys.executable)} -c {shlex.quote(AT_TERMINAL)} {shlex.quote(command)}"
        self._send(f"{typed} < /dev/null > '{printed}' 2>&1 & {self._line}")
        self._wait()
        until = time.monotonic() + PATIENCE_S
        while not (match := SERVING.search(printed.read_text("utf-8") if printed.exists() else "")):
            assert time.monotonic() < until, f"{command} did not start: {printed.read_text('utf-8')}"
            time.sleep(0.05)
        self.welcome = match[0]
        return match[1]

    def stop(self) -> None:
        """Whatever serves here: make and its shell pass no signal on, so the server itself is found by its file."""
        self._send(
            'for f in "$HOME"/.local/share/pendesk/server.json "${PENDESK_DATA:-/none}"/server.json; do '
            """[ -f "$f" ] && kill $(sed 's/.*"pid": \\([0-9]*\\).*/\\1/' "$f"); done; wait; """ + self._line
        )
        self._wait()

    def close(self) -> None:
        if self._bash.poll() is None:
            self.stop()
        assert self._bash.stdin is not None
        self._bash.stdin.close()
        self._bash.wait()
        os.close(self._exit_codes)

    def _next_file(self) -> Path:
        self._count += 1
        return self._scratch / f"{self._count}.txt"

    def _send(self, text: str) -> None:
        assert self._bash.stdin is not None
        self._bash.stdin.write(text + "\n")
        self._bash.stdin.flush()

    def _wait(self) -> int:
        ready, _, _ = select.select([self._exit_codes], [], [], PATIENCE_S)
        assert ready, f"still at it after {PATIENCE_S} s"
        exit_code = os.read(self._exit_codes, 100).decode().strip()
        assert exit_code, "the shell has ended"
        return int(exit_code)
