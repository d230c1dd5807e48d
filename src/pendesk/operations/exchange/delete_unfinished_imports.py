"""delete_unfinished_imports: what failed imports have saved, and those that ended with their process."""

from functools import partial

from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import unfinished_imports
from pendesk.store.unfinished_imports import UnfinishedImport


async def run(transactions: Transactions, _args: None) -> int:
    deleted = 0
    for unfinished in await transactions.read("", lambda call: unfinished_imports.all_unfinished(call.tx)):
        if not transactions.installation.files.is_held(unfinished.storage_key):
            await transactions.long_write(unfinished.workspace_id, partial(_delete, unfinished))
            deleted += 1
    return deleted


def _delete(unfinished: UnfinishedImport, call: PrivilegedCall) -> None:
    unfinished_imports.delete_saved_rows(call.tx, unfinished)


OPERATION = ServerOperation(
    name="delete_unfinished_imports",
    title="Delete unfinished imports",
    description="Delete what imports that ended before their last step have saved, and say how many there were.",
    input=type(None),
    output=int,
    run=run,
)
