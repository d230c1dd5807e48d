"""delete_old_invites: invites that nobody can accept any more."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import invites


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", lambda call: invites.delete_expired(call.tx))


OPERATION = ServerOperation(
    name="delete_old_invites",
    title="Delete old invites",
    description="Delete expired invites, in all workspaces.",
    input=type(None),
    output=None,
    run=run,
)
