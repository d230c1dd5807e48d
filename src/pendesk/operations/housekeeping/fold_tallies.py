"""fold_tallies: put together what was counted change by change."""

from pendesk.domain.limits import WORKSPACES_FOLDED
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import tallies


async def run(transactions: Transactions, _args: None) -> None:
    ids = await transactions.long_read("", lambda call: tallies.workspace_ids_to_fold(call.tx, WORKSPACES_FOLDED))
    for workspace_id in ids:
        await transactions.write(workspace_id, lambda call: tallies.fold(call.tx))


OPERATION = ServerOperation(
    name="fold_tallies",
    title="Fold the tallies of actions",
    description="Add up the rows that each count one change of an action, so that reading the counts stays short.",
    input=type(None),
    output=None,
    run=run,
)
