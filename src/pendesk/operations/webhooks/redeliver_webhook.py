"""redeliver_webhook: send one delivery again, with the same id."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.operations.fields import WebhookId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.webhooks.webhook_results import DeliveryResult, delivery_result, find_and_lock_webhook
from pendesk.store import webhooks


class RedeliverWebhook(Input):
    webhook_id: WebhookId
    number: Annotated[int, Meta(ge=1, le=2**53, description="The delivery's number in list_webhook_deliveries.")]


def run(call: Call, args: RedeliverWebhook) -> DeliveryResult:
    hook = find_and_lock_webhook(call, args.webhook_id)
    delivery = webhooks.delivery_by_number(call.tx, hook.id, args.number)
    if delivery is None:
        raise NotFound("delivery", str(args.number))
    if delivery.state == "retrying":
        # It comes next anyway: only sooner.
        webhooks.save(call.tx, hook._replace(next_at=call.now))
        return delivery_result(delivery)
    pending = delivery._replace(state="pending")
    webhooks.save_delivery(call.tx, pending)
    return delivery_result(pending)


OPERATION = Operation(
    name="redeliver_webhook",
    title="Deliver again",
    description=(
        "Send a delivery again, with the same id and content and a fresh signature, once; one that is being retried is "
        "tried now. Refused: 403 not an admin, 404 no such webhook or delivery (only the newest are kept)."
    ),
    input=RedeliverWebhook,
    output=DeliveryResult,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
