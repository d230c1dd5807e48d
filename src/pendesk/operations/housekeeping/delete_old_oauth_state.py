"""delete_old_oauth_state: expired consents, codes, devices and grants, and clients that nobody agreed to."""

from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import clients, codes, consents, devices, grants


async def run(transactions: Transactions, _args: None) -> None:
    def delete(call: PrivilegedCall) -> None:
        for oauth_table in (consents, codes, devices, grants):
            oauth_table.delete_expired(call.tx)
        clients.delete_long_unused(call.tx)

    await transactions.long_write("", delete)


OPERATION = ServerOperation(
    name="delete_old_oauth_state",
    title="Delete old OAuth state",
    description="Delete what OAuth no longer needs, in all workspaces.",
    input=type(None),
    output=None,
    run=run,
)
