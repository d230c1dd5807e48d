"""A command in a real terminal, as a process of its own."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self


class Terminal:
    def __init__(self, data: Path, *arguments: str) -> None:
        self._environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent), "PENDESK_DATA": str(data)}
        self._command = [sys.executable, "-m", "pendesk", *arguments]
        self._seen = ""

    def __enter__(self) -> Self:
        self._own, theirs = pty.openpty()
        self._process = subprocess.Popen(
            self._command, env=self._environ, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
        )
        os.close(theirs)
        return self

    def until(self, words: str) -> str:
        """Everything that was shown, up to these words."""
        while words not in self._seen:
            self._seen += os.read(self._own, 4096).decode()
        return self._seen

    def answer(self, line: str) -> None:
        os.write(self._own, f"{line}\n".encode())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.wait(60)
        os.close(self._own)
