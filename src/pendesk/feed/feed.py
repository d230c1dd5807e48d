"""The feed of one process: its signal, and how it learns what other processes have saved."""

from collections.abc import Callable
from typing import Any, Protocol

from pendesk.feed.commit_signal import CommitSignal
from pendesk.feed.peers import Peers
from pendesk.feed.poller import Poller, ReadableStore

POLL_EVERY_S = 1.0


class FeedStore(ReadableStore, Protocol):
    engine: str

    def on_commit(self, listener: Callable[[str], None]) -> None: ...


class Feed:
    def __init__(self, store: FeedStore) -> None:
        self.signal = CommitSignal()
        self.poller = Poller(store, self.signal)
        notifying_store: Any = store  # only PostgreSQL has peers, and can notify them
        self.peers = Peers(notifying_store, self.signal, self.poller) if store.engine == "postgres" else None
        store.on_commit(self.signal.on_local_db_commit)

    async def run_peer_notifications(self) -> None:
        if self.peers is not None:
            await self.peers.run()
