"""test_webhook: send a ping, to see whether the other side hears it."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.webhook import WebhookDelivery
from pendesk.operations.fields import WebhookId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.webhooks.webhook_results import DeliveryResult, delivery_result, find_and_lock_webhook
from pendesk.store import webhooks

PING = "ping"


class TestWebhook(Input):
    webhook_id: WebhookId


def run(call: Call, args: TestWebhook) -> DeliveryResult:
    hook = find_and_lock_webhook(call, args.webhook_id)
    number = hook.last_number + 1
    webhooks.save(call.tx, hook._replace(last_number=number))
    ping = WebhookDelivery(
        webhook_id=hook.id,
        number=number,
        delivery_id=f"{hook.id}.ping-{number}",
        seq=None,
        kind=PING,
        state="pending",
        attempts=0,
        status=None,
        error="",
        made_at=call.now,
        tried_at=None,
    )
    webhooks.save_delivery(call.tx, ping)
    return delivery_result(ping)


OPERATION = Operation(
    name="test_webhook",
    title="Test a webhook",
    description=(
        "Send a ping there, once, also if the webhook is paused or failing. list_webhook_deliveries tells a moment "
        "later what came of it. Refused: 403 not an admin, 404 no such webhook."
    ),
    input=TestWebhook,
    output=DeliveryResult,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
