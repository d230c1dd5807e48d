"""delete_old_tool_uses: calls of tools that were over long ago. PostgreSQL only."""

from pendesk.domain.limits import HOUR_US
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import tool_uses


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.long_write("", lambda call: tool_uses.delete_old(call.tx, call.now - HOUR_US))


OPERATION = ServerOperation(
    name="delete_old_tool_uses",
    title="Delete old tool uses",
    description="Delete what was remembered of calls of tools more than an hour ago.",
    input=type(None),
    output=None,
    run=run,
)
