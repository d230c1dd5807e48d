"""release_all_webhooks: a server that starts gives back the leases that its former run left."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import webhooks


async def run(transactions: Transactions, server: str) -> None:
    await transactions.write("", lambda call: webhooks.release_delivery_leases(call.tx, server))


OPERATION = ServerOperation(
    name="release_all_webhooks",
    title="Release a server's webhooks",
    description="Give back every lease of the server of this name, in all workspaces.",
    input=str,
    output=None,
    run=run,
)
