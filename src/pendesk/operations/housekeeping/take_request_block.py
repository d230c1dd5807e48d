"""take_request_block: how many requests a server may let through of a rate limit that all share. PostgreSQL only."""

from typing import NamedTuple

from pendesk.domain.limits import MINUTE_US, REQUEST_BLOCK_US
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import rate_windows


class TakeRequestBlock(NamedTuple):
    """`used`: when the requests of the server's last block were let through, by the database's clock."""

    key: str
    server: str
    used: list[int]
    wanted: int
    per_minute: int


class RequestBlock(NamedTuple):
    """How many requests the server may let through, and how long until there may be one, where that is none.

    `now` is the database's clock, by which it says later when they were used.
    """

    size: int
    wait_us: int
    now: int


async def run(transactions: Transactions, args: TakeRequestBlock) -> RequestBlock:
    def take(call: PrivilegedCall) -> RequestBlock:
        size, wait_us = rate_windows.take_block_or_get_wait_us(
            call.tx, args.key, args.server, args.used, args.wanted, args.per_minute, MINUTE_US, REQUEST_BLOCK_US
        )
        return RequestBlock(size, wait_us, call.now)

    return await transactions.write("", take)


OPERATION = ServerOperation(
    name="take_request_block",
    title="Take a block of requests",
    description="Say when the last block was used, and take another: how many requests the server may let through now.",
    input=TakeRequestBlock,
    output=RequestBlock,
    run=run,
)
