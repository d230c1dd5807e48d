"""delete_old_sign_ins: expired sign-in links and sessions."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import sign_in


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", lambda call: sign_in.delete_expired_links_and_sessions(call.tx))


OPERATION = ServerOperation(
    name="delete_old_sign_ins",
    title="Delete old sign-ins",
    description="Delete expired sign-in links and sessions, in all workspaces.",
    input=type(None),
    output=None,
    run=run,
)
