"""Delivers to webhooks: to several at once, to each in its own order, and never in a transaction."""

import asyncio
import logging
import random
import secrets

from pendesk.domain.limits import WEBHOOK_ANSWER_BYTES, WEBHOOK_S
from pendesk.domain.webhook import DeliveryOutcome
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.webhooks import (
    finish_delivery,
    list_due_webhooks,
    release_all_webhooks,
    release_webhook,
    start_delivery,
)
from pendesk.operations.webhooks.finish_delivery import FinishDelivery
from pendesk.operations.webhooks.start_delivery import OutgoingRequest, StartDelivery
from pendesk.settings import Settings
from pendesk.transports.fetch import Fetcher, Unfetchable
from pendesk.transports.http_outbound import outgoing_rule

log = logging.getLogger("pendesk.webhooks")

POLL_EVERY_S = 1.0
AT_ONCE = 16
IN_ONE_GO = 100


def create_webhook_fetcher(settings: Settings) -> Fetcher:
    return Fetcher(allowed=outgoing_rule(settings), timeout_s=WEBHOOK_S, max_bytes=WEBHOOK_ANSWER_BYTES)


def create_delivery_lease_holder_name(dispatcher: Dispatcher) -> str:
    """SQLite has one server: the next one takes over at once from one that died. Elsewhere the lease has to lapse."""
    return secrets.token_hex(8) if dispatcher.database_engine == "postgres" else "the only one"


class Deliverer:
    def __init__(self, dispatcher: Dispatcher, fetcher: Fetcher, holder: str) -> None:
        """`holder` is the name under which we hold leases."""
        self._dispatcher = dispatcher
        self._fetcher = fetcher
        self._server = holder
        self._running: dict[StartDelivery, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Until it is cancelled."""
        await self._dispatcher.call_as_server(release_all_webhooks.OPERATION, self._server)
        try:
            while True:
                await self.start_due_deliveries()
                await asyncio.sleep(POLL_EVERY_S)
        finally:
            for task in self._running.values():
                task.cancel()

    async def start_due_deliveries(self) -> None:
        """One slow receiver keeps nobody else waiting: each webhook has a task of its own."""
        for due in await self._dispatcher.call_as_server(list_due_webhooks.OPERATION, AT_ONCE):
            delivery = StartDelivery(due.workspace_id, due.webhook_id, self._server)
            if delivery not in self._running and len(self._running) < AT_ONCE:
                task = self._running[delivery] = asyncio.create_task(self._deliver_queued_to_webhook(delivery))
                task.add_done_callback(lambda _, delivery=delivery: self._running.pop(delivery, None))  # type: ignore[misc]

    async def wait_for_running_deliveries(self) -> None:
        """Until what was started is done."""
        await asyncio.gather(*self._running.values())

    async def _deliver_queued_to_webhook(self, delivery: StartDelivery) -> None:
        try:
            for _ in range(IN_ONE_GO):
                if not await self._deliver_next_and_check_for_more(delivery):
                    return
            await self._dispatcher.call_as_server(release_webhook.OPERATION, delivery)
        except Exception:
            # Its lease lapses, and then it is tried again.
            log.exception("could not deliver to a webhook")

    async def _deliver_next_and_check_for_more(self, delivery: StartDelivery) -> bool:
        """Whether there may be more."""
        outgoing = await self._dispatcher.call_as_server(start_delivery.OPERATION, delivery)
        if outgoing is None:
            return False
        outcome = await self._send(outgoing)
        jitter = random.random()  # noqa: S311 - it spreads tries over time, and hides nothing
        finished = FinishDelivery(delivery.workspace_id, outgoing, outcome, self._server, jitter)
        return await self._dispatcher.call_as_server(finish_delivery.OPERATION, finished)

    async def _send(self, outgoing: OutgoingRequest) -> DeliveryOutcome:
        try:
            answer = await self._fetcher.send("POST", outgoing.url, outgoing.headers, outgoing.body)
        except Unfetchable as error:
            return DeliveryOutcome(None, str(error))
        good = 200 <= answer.status < 300
        return DeliveryOutcome(answer.status, "" if good else f"it answered {answer.status}")
