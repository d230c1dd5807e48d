"""get_time: the store's clock, by which all deadlines are judged."""

from pendesk.operations.operation import ServerOperation, Transactions


async def run(transactions: Transactions, _args: None) -> int:
    return await transactions.read("", lambda call: call.now)


OPERATION = ServerOperation(
    name="get_time",
    title="Get the time",
    description="The store's clock, in microseconds.",
    input=type(None),
    output=int,
    run=run,
)
