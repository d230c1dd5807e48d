"""find_tool_use: which session a call of a tool comes from. PostgreSQL only."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import tool_uses
from pendesk.store.tool_uses import ToolUse


async def run(transactions: Transactions, args: tuple[str, str]) -> ToolUse | None:
    user_id, tool_use_id = args
    return await transactions.read("", lambda call: tool_uses.find(call.tx, user_id, tool_use_id))


OPERATION = ServerOperation(
    name="find_tool_use",
    title="Find a tool use",
    description="Which agent session a call of a tool comes from, where its hook said so.",
    input=tuple[str, str],
    output=ToolUse | None,
    run=run,
)
