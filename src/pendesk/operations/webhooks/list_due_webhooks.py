"""list_due_webhooks: the webhooks of all workspaces that have something to be sent now."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import webhooks
from pendesk.store.webhooks import DueWebhook


async def run(transactions: Transactions, limit: int) -> list[DueWebhook]:
    return await transactions.read("", lambda call: webhooks.webhooks_due_for_delivery(call.tx, limit))


OPERATION = ServerOperation(
    name="list_due_webhooks",
    title="List due webhooks",
    description="Up to so many webhooks that have something to be sent now.",
    input=int,
    output=list[DueWebhook],
    run=run,
)
