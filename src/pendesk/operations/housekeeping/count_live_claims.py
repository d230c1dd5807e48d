"""count_live_claims: how many agents hold work now, for the metrics."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import claims


async def run(transactions: Transactions, _args: None) -> int:
    return await transactions.long_read("", lambda call: claims.count_live_in_all_workspaces(call.tx))


OPERATION = ServerOperation(
    name="count_live_claims",
    title="Count live claims",
    description="The claims of all workspaces that have not expired.",
    input=type(None),
    output=int,
    run=run,
)
