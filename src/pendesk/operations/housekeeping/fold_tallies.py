"""fold_tallies: put together what was counted change by change."""

from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import tallies

# Workspaces that are looked up at once.
PAGE = 1_000


async def _next_page(transactions: Transactions, after: str) -> list[str]:
    return await transactions.long_read("", lambda call: tallies.workspace_ids_to_fold(call.tx, after, PAGE))


async def run(transactions: Transactions, _args: None) -> None:
    """All of them, a page at a time: with the first ones only, those after busy workspaces would never have a turn."""
    last = ""
    while ids := await _next_page(transactions, last):
        for workspace_id in ids:
            await transactions.write(workspace_id, lambda call: tallies.fold(call.tx))
        last = ids[-1]


OPERATION = ServerOperation(
    name="fold_tallies",
    title="Fold the tallies of actions",
    description="Add up the rows that each count one change of an action, so that reading the counts stays short.",
    input=type(None),
    output=None,
    run=run,
)
