"""record_tool_use: which session a call of a tool will come from, as its hook says. PostgreSQL only."""

from typing import NamedTuple

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import tool_uses
from pendesk.store.tool_uses import ToolUse


class RecordToolUse(NamedTuple):
    user_id: str
    tool_use_id: str
    client_session: str
    thread: str


async def run(transactions: Transactions, args: RecordToolUse) -> None:
    await transactions.write("", lambda call: tool_uses.record(call.tx, ToolUse(*args)))


OPERATION = ServerOperation(
    name="record_tool_use",
    title="Record a tool use",
    description="Remember which agent session a call of a tool comes from, for all servers.",
    input=RecordToolUse,
    output=None,
    run=run,
)
