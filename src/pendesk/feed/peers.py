"""Several servers at one PostgreSQL notify each other, by NOTIFY, of the workspaces that they have written to.

After the commits and never in them: NOTIFY takes a lock that all who commit would queue for. A few times a second,
however much is written. While the listening connection is lost, the log is polled instead. By who listens they also
know how many they are, and how many connections each may have.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Protocol

from pendesk.domain.errors import Unavailable
from pendesk.feed.commit_signal import CommitSignal
from pendesk.feed.poller import Poller

log = logging.getLogger("pendesk.feed")

NOTIFY_EVERY_S = 0.2
POLL_EVERY_S = 0.1
POLLS_BEFORE_LISTENING = 10
SHARE_EVERY_S = 10.0
WORKSPACES_AT_ONCE = 200  # a notification holds 8,000 bytes
EVERY_WORKSPACE = "*"


class NotifyingStore(Protocol):
    async def notify_other_servers(self, payload: str) -> None: ...
    def iter_notification_payloads(self) -> AsyncIterator[str]: ...
    async def take_fair_share_of_connections(self) -> None: ...


class Peers:
    def __init__(self, store: NotifyingStore, signal: CommitSignal, poller: Poller) -> None:
        self._store = store
        self._signal = signal
        self._poller = poller
        self._name = secrets.token_hex(8)
        self._unsent: set[str] = set()
        self._has_unsent = asyncio.Event()

    async def run(self) -> None:
        """Until it is cancelled."""
        self._signal.forward = self._enqueue_notification
        async with asyncio.TaskGroup() as group:
            group.create_task(self._notify_loop())
            group.create_task(self._receive_notifications_loop())
            group.create_task(self._share_connections_loop())

    def _enqueue_notification(self, workspace: str) -> None:
        self._unsent.add(workspace)
        self._has_unsent.set()

    async def _notify_loop(self) -> None:
        """The first write after a quiet time at once, what follows together."""
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            workspaces, self._unsent = sorted(self._unsent), set()
            if len(workspaces) > WORKSPACES_AT_ONCE:
                workspaces = [EVERY_WORKSPACE]
            try:
                await self._store.notify_other_servers(" ".join([self._name, *workspaces]))
            except Unavailable as refusal:  # the others poll by themselves
                log.warning("other servers were not notified: %s", refusal.message)
            await asyncio.sleep(NOTIFY_EVERY_S)

    async def _receive_notifications_loop(self) -> None:
        logged = ""  # an outage is logged once, not with every try
        while True:
            try:
                async for payload in self._store.iter_notification_payloads():
                    self._handle_notification(payload)
                    logged = ""
            except Unavailable as refusal:
                if refusal.message != logged:
                    log.warning("not listening to other servers, polling instead: %s", refusal.message)
                logged = refusal.message
            for _ in range(POLLS_BEFORE_LISTENING):
                await asyncio.sleep(POLL_EVERY_S)
                await self._wake_workspaces_with_new_events()
            self._signal.wake_activity_subscribers()  # which no log tells of

    async def _share_connections_loop(self) -> None:
        while True:
            await asyncio.sleep(SHARE_EVERY_S)
            with suppress(Unavailable):
                await self._store.take_fair_share_of_connections()

    async def _wake_workspaces_with_new_events(self) -> None:
        try:
            await self._poller.wake_workspaces_with_new_events()
        except Unavailable:
            await asyncio.sleep(1)

    def _handle_notification(self, payload: str) -> None:
        name, *workspaces = payload.split(" ")
        if name == self._name:
            return
        if not payload or workspaces == [EVERY_WORKSPACE]:  # an empty one: we have only begun to listen
            self._signal.wake_all_subscribers()
        for workspace in workspaces:
            self._signal.wake_subscribers(workspace)
