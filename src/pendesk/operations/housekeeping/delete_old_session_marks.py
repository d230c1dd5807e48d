"""delete_old_session_marks: what recognised terminals that have been silent for long."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import agent_sessions


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", lambda call: agent_sessions.delete_old_marks(call.tx))


OPERATION = ServerOperation(
    name="delete_old_session_marks",
    title="Delete old session marks",
    description=(
        "Delete the marks of agent sessions that hold nothing and were not heard of for 30 days, and their "
        "unread news, in all workspaces. The sessions stay: the log names them."
    ),
    input=type(None),
    output=None,
    run=run,
)
