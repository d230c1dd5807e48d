"""delete_old_idempotency_keys: keys of calls that nobody repeats any more."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import idempotency


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", lambda call: idempotency.delete_expired(call.tx))


OPERATION = ServerOperation(
    name="delete_old_idempotency_keys",
    title="Delete old idempotency keys",
    description="Delete idempotency keys that are too old to be repeated, in all workspaces.",
    input=type(None),
    output=None,
    run=run,
)
