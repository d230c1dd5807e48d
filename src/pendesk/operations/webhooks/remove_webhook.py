"""remove_webhook: tell it nothing any more."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.webhook import OutgoingWebhook
from pendesk.operations.fields import WebhookId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.webhooks.webhook_results import find_and_lock_webhook
from pendesk.store import webhooks


class RemoveWebhook(Input):
    webhook_id: WebhookId


class WebhookGone(Output):
    removed: bool
    webhook_id: str


def run(call: Call, args: RemoveWebhook) -> WebhookGone:
    hook = find_and_lock_webhook(call, args.webhook_id)
    remove_outgoing_webhook(call, hook)
    return WebhookGone(removed=True, webhook_id=hook.id)


def remove_outgoing_webhook(call: Call, hook: OutgoingWebhook) -> None:
    webhooks.remove(call.tx, hook.id)
    call.record(Event("outgoing_webhook.removed", hook.id, hook.project_id))


OPERATION = Operation(
    name="remove_webhook",
    title="Remove a webhook",
    description=(
        "Send nothing there any more, and forget its deliveries. What is under way may still arrive. Refused: 403 not "
        "an admin, 404 no such webhook."
    ),
    input=RemoveWebhook,
    output=WebhookGone,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
