"""Sends what webhooks are to be told: several at once, each in its own order, none in a transaction."""

import asyncio
import logging
import random
import secrets
from functools import partial

from pendesk.domain.limits import WEBHOOK_ANSWER_BYTES, WEBHOOK_S
from pendesk.domain.webhook import Outcome
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import Installation
from pendesk.operations.webhooks import delivering
from pendesk.settings import Settings
from pendesk.store import webhooks
from pendesk.store.webhooks import Due
from pendesk.transports.fetch import Fetcher, Unfetchable, near_too, public_only

log = logging.getLogger("pendesk.webhooks")

LOOK_EVERY_S = 1.0
AT_ONCE = 16
IN_ONE_GO = 100


def open_fetcher(settings: Settings) -> Fetcher:
    allowed = near_too if settings.outgoing_private_addresses == "on" else public_only
    return Fetcher(allowed=allowed, within_s=WEBHOOK_S, most_bytes=WEBHOOK_ANSWER_BYTES)


def own_name(store: Store) -> str:
    """SQLite has one server: the next one takes over at once from one that died. Elsewhere the lease has to lapse."""
    return secrets.token_hex(8) if store.engine == "postgres" else "the only one"


class Deliverer:
    def __init__(self, store: Store, installation: Installation, fetcher: Fetcher, name: str) -> None:
        """`name` is whose leases are ours."""
        self._store = store
        self._installation = installation
        self._fetcher = fetcher
        self._name = name
        self._running: dict[Due, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Until it is cancelled."""
        await self._store.write("", lambda tx: webhooks.free(tx, self._name))
        try:
            while True:
                await self.start_due()
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            for task in self._running.values():
                task.cancel()

    async def start_due(self) -> None:
        """One slow receiver keeps nobody else waiting: each webhook has a task of its own."""
        for due in await self._store.read("", lambda tx: webhooks.due(tx, AT_ONCE)):
            if due not in self._running and len(self._running) < AT_ONCE:
                task = self._running[due] = asyncio.create_task(self._deliver(due))
                task.add_done_callback(lambda _, due=due: self._running.pop(due, None))  # type: ignore[misc]

    async def settle(self) -> None:
        """Wait until what was started is done."""
        await asyncio.gather(*self._running.values())

    async def _deliver(self, due: Due) -> None:
        try:
            for _ in range(IN_ONE_GO):
                begin = partial(
                    delivering.begin, installation=self._installation, webhook_id=due.webhook_id, name=self._name
                )
                sent = await self._store.write(due.workspace_id, begin)
                if sent is None:
                    return
                outcome = await self._send(sent)
                share = random.random()  # noqa: S311 - it spreads tries over time, and hides nothing
                finish = partial(
                    delivering.finish,
                    installation=self._installation,
                    sent=sent,
                    outcome=outcome,
                    name=self._name,
                    share=share,
                )
                if not await self._store.write(due.workspace_id, finish):
                    return
            leave = partial(delivering.leave, webhook_id=due.webhook_id, name=self._name)
            await self._store.write(due.workspace_id, leave)
        except Exception:
            # Its lease lapses, and then it is tried again.
            log.exception("could not deliver to a webhook")

    async def _send(self, sent: delivering.Outgoing) -> Outcome:
        try:
            answer = await self._fetcher.send("POST", sent.url, sent.headers, sent.body)
        except Unfetchable as error:
            return Outcome(None, str(error))
        good = 200 <= answer.status < 300
        return Outcome(answer.status, "" if good else f"it answered {answer.status}")
