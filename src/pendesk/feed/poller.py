"""Looks whether another process has saved something: the command line, or a server that died before it could notify."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pendesk.feed.commit_signal import CommitSignal
from pendesk.store import events

T = TypeVar("T")


class ReadableStore(Protocol):
    async def read(self, workspace: str, work: Callable[[Any], T]) -> T: ...


class Poller:
    def __init__(self, store: ReadableStore, signal: CommitSignal) -> None:
        self._store = store
        self._signal = signal
        self._newest: dict[str, int] = {}

    async def wake_workspaces_with_new_events(self) -> None:
        """Wake every subscribed workspace whose log is not as long as it was: one query for all."""
        workspaces = self._signal.subscribed_workspaces()
        newest = (
            await self._store.read("", lambda tx: events.last_seq_by_workspace(tx, workspaces)) if workspaces else {}
        )
        for workspace, seq in newest.items():
            if self._newest.get(workspace) != seq:
                self._signal.wake_subscribers(workspace)
        self._newest = newest
