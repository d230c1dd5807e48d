"""Several servers at one PostgreSQL tell each other, by NOTIFY, for which workspaces they have rung.

After the commits and never in them: NOTIFY takes a lock that all who commit would queue for. A few times a second,
however much is written. While the listening connection is lost, the log is looked at instead.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from typing import Protocol

from pendesk.domain.errors import Unavailable
from pendesk.feed.commit_signal import CommitSignal
from pendesk.feed.poller import Poller

log = logging.getLogger("pendesk.feed")

TELL_EVERY_S = 0.2
LOOK_EVERY_S = 0.1
LOOKS_BEFORE_LISTENING = 10
TOLD_AT_ONCE = 200  # workspaces; a notification holds 8,000 bytes
EVERYONE = "*"


class Notifying(Protocol):
    async def notify(self, told: str) -> None: ...
    def notifications(self) -> AsyncIterator[str]: ...


class Peers:
    def __init__(self, store: Notifying, signal: CommitSignal, look: Poller) -> None:
        self._store = store
        self._bell = signal
        self._look = look
        self._name = secrets.token_hex(8)
        self._to_tell: set[str] = set()
        self._something = asyncio.Event()

    async def run(self) -> None:
        """Until it is cancelled."""
        self._bell.pass_on = self._note
        async with asyncio.TaskGroup() as group:
            group.create_task(self._tell())
            group.create_task(self._listen())

    def _note(self, workspace: str) -> None:
        self._to_tell.add(workspace)
        self._something.set()

    async def _tell(self) -> None:
        """The first ring after a quiet time at once, what follows together."""
        while True:
            await self._something.wait()
            self._something.clear()
            told, self._to_tell = sorted(self._to_tell), set()
            try:
                await self._store.notify(" ".join([self._name, *(told if len(told) <= TOLD_AT_ONCE else [EVERYONE])]))
            except Unavailable as refusal:  # the others look by themselves
                log.warning("other servers were not told: %s", refusal.message)
            await asyncio.sleep(TELL_EVERY_S)

    async def _listen(self) -> None:
        logged = ""  # an outage is told once, not with every try
        while True:
            try:
                async for told in self._store.notifications():
                    self._hear(told)
                    logged = ""
            except Unavailable as refusal:
                if refusal.message != logged:
                    log.warning("not listening to other servers, looking instead: %s", refusal.message)
                logged = refusal.message
            for _ in range(LOOKS_BEFORE_LISTENING):
                await asyncio.sleep(LOOK_EVERY_S)
                await self._look_once()

    async def _look_once(self) -> None:
        try:
            await self._look()
        except Unavailable:
            await asyncio.sleep(1)

    def _hear(self, told: str) -> None:
        name, *workspaces = told.split(" ")
        if name == self._name:
            return
        if not told or workspaces == [EVERYONE]:  # nothing told: we have only begun to listen
            self._bell.hear_all()
        for workspace in workspaces:
            self._bell.hear(workspace)
