"""finish_delivery: what came of a delivery is saved, and the webhook goes on, waits, or counts as failing."""

from typing import NamedTuple

from pendesk.domain.event import Event
from pendesk.domain.webhook import (
    DeliveryOutcome,
    OutgoingWebhook,
    WebhookDelivery,
    webhook_after_failed_delivery,
    webhook_after_successful_delivery,
)
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.webhooks.start_delivery import OutgoingRequest
from pendesk.store import webhooks
from pendesk.store.engine.tx import Tx


class FinishDelivery(NamedTuple):
    """`server`: whose lease it is. `jitter`: from 0 to 1, spreads the next tries over time."""

    workspace_id: str
    outgoing: OutgoingRequest
    outcome: DeliveryOutcome
    server: str
    jitter: float


async def run(transactions: Transactions, args: FinishDelivery) -> bool:
    return await transactions.write(args.workspace_id, lambda call: _finish_delivery_if_still_leased(call, args))


def _finish_delivery_if_still_leased(call: PrivilegedCall, args: FinishDelivery) -> bool:
    outgoing, outcome = args.outgoing, args.outcome
    webhooks.lock(call.tx, outgoing.webhook_id)
    hook = webhooks.by_id(call.tx, outgoing.webhook_id)
    if hook is None or hook.leased_by != args.server:
        return False
    if outgoing.number is not None or outgoing.seq is None:
        after = hook
    elif outcome.is_success:
        after = webhook_after_successful_delivery(hook, call.now, outgoing.seq)
    else:
        after = webhook_after_failed_delivery(hook, call.now, outgoing.seq, outcome, args.jitter)
    delivery = _delivery_after_attempt(call.tx, hook, after, outgoing, outcome)
    webhooks.save(call.tx, after._replace(last_number=max(after.last_number, delivery.number)))
    webhooks.save_delivery(call.tx, delivery)
    if after.state == "failing" and hook.state == "active":
        call.record(Event("outgoing_webhook.failing", hook.id, hook.project_id, data={"status": outcome.status}))
    return True


def _delivery_after_attempt(
    tx: Tx, hook: OutgoingWebhook, updated_hook: OutgoingWebhook, outgoing: OutgoingRequest, outcome: DeliveryOutcome
) -> WebhookDelivery:
    known = webhooks.delivery_by_id(tx, hook.id, outgoing.delivery_id)
    if outcome.is_success:
        state = "delivered"
    elif outgoing.number is None and updated_hook.state == "active" and updated_hook.cursor == hook.cursor:
        state = "retrying"
    else:
        state = "failed"
    return WebhookDelivery(
        webhook_id=hook.id,
        number=known.number if known else hook.last_number + 1,
        delivery_id=outgoing.delivery_id,
        seq=outgoing.seq,
        kind=outgoing.kind,
        state=state,
        attempts=known.attempts + 1 if known else 1,
        status=outcome.status,
        error=outcome.error,
        made_at=known.made_at if known else tx.now,
        tried_at=tx.now,
    )


OPERATION = ServerOperation(
    name="finish_delivery",
    title="Finish a delivery",
    description="Save the outcome of a delivery. False where the webhook was removed, or another server took over.",
    input=FinishDelivery,
    output=bool,
    run=run,
)
