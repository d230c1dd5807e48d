"""release_webhook: a server gives a webhook's lease back before it lapses."""

from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.operations.webhooks.start_delivery import StartDelivery
from pendesk.store import webhooks


async def run(transactions: Transactions, args: StartDelivery) -> None:
    def release(call: PrivilegedCall) -> None:
        webhooks.lock(call.tx, args.webhook_id)
        hook = webhooks.by_id(call.tx, args.webhook_id)
        if hook is not None and hook.leased_by == args.server:
            webhooks.save(call.tx, hook._replace(leased_until=0))

    await transactions.write(args.workspace_id, release)


OPERATION = ServerOperation(
    name="release_webhook",
    title="Release a webhook",
    description="Give back the lease with which a server delivers to a webhook.",
    input=StartDelivery,
    output=None,
    run=run,
)
