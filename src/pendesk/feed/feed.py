"""The feed of one process: its signal, and how it hears of other processes."""

from collections.abc import Callable
from typing import Any, Protocol

from pendesk.feed.commit_signal import CommitSignal
from pendesk.feed.peers import Peers
from pendesk.feed.poller import Poller, Readable

LOOK_EVERY_S = 1.0


class Logging(Readable, Protocol):
    engine: str

    def on_commit(self, listener: Callable[[str], None]) -> None: ...


class Feed:
    def __init__(self, store: Logging) -> None:
        self.signal = CommitSignal()
        self.poller = Poller(store, self.signal)
        several: Any = store  # only PostgreSQL has neighbours, and can notify them
        self.peers = Peers(several, self.signal, self.poller) if store.engine == "postgres" else None
        store.on_commit(self.signal.ring)

    async def hear_peers(self) -> None:
        if self.peers is not None:
            await self.peers.run()
