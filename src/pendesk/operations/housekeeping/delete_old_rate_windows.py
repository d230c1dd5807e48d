"""delete_old_rate_windows: counts by address would grow for ever. PostgreSQL only."""

from pendesk.domain.limits import MINUTE_US
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import rate_windows


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.write("", lambda call: rate_windows.delete_expired(call.tx, MINUTE_US))


OPERATION = ServerOperation(
    name="delete_old_rate_windows",
    title="Delete old rate windows",
    description="Delete the counts of requests that are older than a minute.",
    input=type(None),
    output=None,
    run=run,
)
