"""The signal: rung after a commit that wrote events, it wakes those of this process who wait for that workspace.

It may ring for nothing, and a ring that is lost costs only time: who is woken reads the log after their cursor.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CommitSignal:
    def __init__(self) -> None:
        self.silent = False  # taken down: whoever waits is to leave
        self.pass_on: Callable[[str], None] | None = None  # tells other processes of what this one rang
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def ring(self, workspace: str) -> None:
        """This process has saved something. On the path of every write, so it does next to nothing."""
        if workspace in self._waiting:
            self.hear(workspace)
        if self.pass_on is not None:
            self.pass_on(workspace)

    def hear(self, workspace: str) -> None:
        """Somebody, here or elsewhere, has saved something."""
        for rung in self._waiting.get(workspace, ()):
            rung.set()

    def hear_all(self) -> None:
        for workspace in self._waiting:
            self.hear(workspace)

    def take_down(self) -> None:
        """The server stops: everyone is woken for good."""
        self.silent = True
        self.hear_all()

    @contextmanager
    def waiting(self, workspace: str) -> Iterator[asyncio.Event]:
        """An event that is set at each ring; it begins set, because nobody knows what was before."""
        rung = asyncio.Event()
        rung.set()
        ears = self._waiting.setdefault(workspace, set())
        ears.add(rung)
        try:
            yield rung
        finally:
            ears.discard(rung)
            if not ears:
                self._waiting.pop(workspace, None)

    def waited_for(self) -> list[str]:
        return list(self._waiting)
