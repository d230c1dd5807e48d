"""Looking whether another process has saved something: the command line, or a server that died before it told us."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pendesk.feed.commit_signal import CommitSignal
from pendesk.store import events

T = TypeVar("T")


class Readable(Protocol):
    async def read(self, workspace: str, work: Callable[[Any], T]) -> T: ...


class Poller:
    def __init__(self, store: Readable, signal: CommitSignal) -> None:
        self._store = store
        self._bell = signal
        self._newest: dict[str, int] = {}

    async def __call__(self) -> None:
        """Ring for every workspace that is waited for and whose log is not as long as it was: one query for all."""
        waited_for = self._bell.waited_for()
        newest = await self._store.read("", lambda tx: events.newest(tx, waited_for)) if waited_for else {}
        for workspace, seq in newest.items():
            if self._newest.get(workspace) != seq:
                self._bell.hear(workspace)
        self._newest = newest
