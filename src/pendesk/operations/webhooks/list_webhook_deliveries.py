"""list_webhook_deliveries: what was sent to a webhook, and what it answered."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.fields import WebhookId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.webhooks.webhook_results import DeliveryResult, delivery_result, find_webhook
from pendesk.store import webhooks


class ListWebhookDeliveries(Input):
    webhook_id: WebhookId
    cursor: Annotated[int, Meta(ge=1, le=2**53, description="nextCursor of the page before.")] | None = None


class WebhookDeliveries(Output):
    deliveries: list[DeliveryResult]
    next_cursor: int | None = None


def run(call: Call, args: ListWebhookDeliveries) -> WebhookDeliveries:
    hook = find_webhook(call, args.webhook_id)
    rows = webhooks.deliveries(call.tx, hook.id, args.cursor or hook.last_number + 1, PAGE_ROWS + 1)
    page = rows[:PAGE_ROWS]
    return WebhookDeliveries(
        deliveries=[delivery_result(delivery) for delivery in page],
        next_cursor=page[-1].number if len(rows) > PAGE_ROWS else None,
    )


OPERATION = Operation(
    name="list_webhook_deliveries",
    title="List a webhook's deliveries",
    description=(
        "What was sent there, the newest first: pending, delivered, retrying (tried again by itself) or failed, with "
        "the receiver's status or why there was none. redeliver_webhook sends one again. Refused: 403 not an admin, "
        "404 no such webhook."
    ),
    input=ListWebhookDeliveries,
    output=WebhookDeliveries,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.READ,
    run=run,
)
