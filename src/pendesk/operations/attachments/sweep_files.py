"""Removes bytes that no attachment needs: uploads that were never put, and attachments that were removed."""

from pendesk.operations.attachments.receipts import RECEIPT_US
from pendesk.operations.dispatch import Store
from pendesk.store import attachments
from pendesk.store.files import Files

# Longer than a receipt lives, so that what is on its way is never swept away.
GRACE_S = 24 * 3600
assert GRACE_S * 1_000_000 > RECEIPT_US


async def sweep_files(store: Store, files: Files) -> int:
    removed = 0
    for key in files.older_than(GRACE_S):
        if not await store.read("", lambda tx, key=key: attachments.is_kept(tx, key)):  # type: ignore[misc]
            files.remove(key)
            removed += 1
    return removed
