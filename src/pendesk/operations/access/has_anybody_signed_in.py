"""has_anybody_signed_in: whether the first sign-in link of a workspace is still needed."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import sign_in


async def run(transactions: Transactions, workspace_id: str) -> bool:
    return await transactions.read(workspace_id, lambda call: sign_in.has_anybody_signed_in(call.tx))


OPERATION = ServerOperation(
    name="has_anybody_signed_in",
    title="Has anybody signed in",
    description="Whether anybody ever signed in to this workspace, in any way.",
    input=str,
    output=bool,
    run=run,
)
