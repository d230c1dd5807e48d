"""delete_old_text_use: what accounts wrote on a day counts on that day only."""

from pendesk.domain.text_quota import day_of
from pendesk.operations.operation import ServerOperation, Transactions
from pendesk.store import text_use


async def run(transactions: Transactions, _args: None) -> None:
    await transactions.write("", lambda call: text_use.delete_before(call.tx, day_of(call.now)))


OPERATION = ServerOperation(
    name="delete_old_text_use",
    title="Delete old counts of text",
    description="Delete the counts of what accounts wrote on days that are over.",
    input=type(None),
    output=None,
    run=run,
)
