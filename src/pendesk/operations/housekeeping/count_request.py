"""count_request: a request is counted against a rate limit that all processes share. PostgreSQL only."""

from typing import NamedTuple

from pendesk.domain.limits import MINUTE_US
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import rate_windows


class CountRequest(NamedTuple):
    key: str
    per_minute: int


async def run(transactions: Transactions, args: CountRequest) -> int:
    def count(call: PrivilegedCall) -> int:
        return rate_windows.admit_request_or_get_wait_us(call.tx, args.key, args.per_minute, MINUTE_US)

    return await transactions.write("", count)


OPERATION = ServerOperation(
    name="count_request",
    title="Count a request",
    description="0 where the request is within the limit, else how many microseconds until the next one is.",
    input=CountRequest,
    output=int,
    run=run,
)
