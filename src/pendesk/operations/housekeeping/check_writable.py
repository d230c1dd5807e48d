"""check_writable: a real write, because writing is what the server is for.

The row is small, and a full disk may still take it where it refuses an action or a file: so there must be room too.
"""

import asyncio

from pendesk.domain.limits import SPACE_NEEDED_BYTES
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import installation


async def run(transactions: Transactions, _args: None) -> None:
    await asyncio.to_thread(transactions.installation.files.check_space, SPACE_NEEDED_BYTES)
    await transactions.write("", lambda call: installation.check_writable(call.tx))


OPERATION = ServerOperation(
    name="check_writable",
    title="Check that the database can be written",
    description="Write the time of the check; refused where the database cannot be written.",
    input=type(None),
    output=None,
    run=run,
)
