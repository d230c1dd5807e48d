"""sweep_files: removes bytes that nothing needs: of uploads that were never put, of attachments and changes that are
gone.
"""

from pendesk.operations.attachments.receipts import RECEIPT_US
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import attachments, changes

# Longer than a receipt lives, so that what is on its way is never swept away.
GRACE_S = 24 * 3600
assert GRACE_S * 1_000_000 > RECEIPT_US


async def run(transactions: Transactions, _args: None) -> int:
    files, removed = transactions.installation.files, 0
    for key in files.old_keys_removing_partial_uploads(GRACE_S):

        def is_kept(call: PrivilegedCall, key: str = key) -> bool:
            return attachments.is_storage_key_in_use(call.tx, key) or changes.is_storage_key_in_use(call.tx, key)

        if not await transactions.read("", is_kept):
            files.remove(key)
            removed += 1
    return removed


OPERATION = ServerOperation(
    name="sweep_files",
    title="Sweep files",
    description="Remove files that nothing refers to, and say how many there were.",
    input=type(None),
    output=int,
    run=run,
)
