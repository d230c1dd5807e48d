"""The feed of one process: its bell, and how it hears of other processes."""

from collections.abc import Callable
from typing import Any, Protocol

from pendesk.feed.commit_signal import Bell
from pendesk.feed.peers import Neighbours
from pendesk.feed.poller import Look, Readable

LOOK_EVERY_S = 1.0


class Logging(Readable, Protocol):
    engine: str

    def tell(self, told: Callable[[str], None]) -> None: ...


class Feed:
    def __init__(self, store: Logging) -> None:
        self.bell = Bell()
        self.look = Look(store, self.bell)
        several: Any = store  # only PostgreSQL has neighbours, and can notify them
        self.neighbours = Neighbours(several, self.bell, self.look) if store.engine == "postgres" else None
        store.tell(self.bell.ring)

    async def hear_neighbours(self) -> None:
        if self.neighbours is not None:
            await self.neighbours.run()
