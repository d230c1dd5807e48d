"""list_webhooks: whom the log is told to, and whether that works."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.webhooks.webhook_results import WebhookResult, webhook_results
from pendesk.store import webhooks


class ListWebhooks(Input):
    pass


class Webhooks(Output):
    webhooks: list[WebhookResult]


def run(call: Call, args: ListWebhooks) -> Webhooks:
    return Webhooks(webhooks=webhook_results(call, webhooks.of_workspace(call.tx)))


OPERATION = Operation(
    name="list_webhooks",
    title="List webhooks",
    description=(
        "Every outgoing webhook and its state: active, paused, or failing (it failed for a day and is no longer tried; "
        "update_webhook with state active goes on). Never a secret. Refused: 403 not an admin."
    ),
    input=ListWebhooks,
    output=Webhooks,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.READ,
    run=run,
)
