"""Rate limits, per token and for what needs none: in any minute at most so many requests, counted over all processes
together.

A moving window that remembers the last requests let through, so it is exact: no burst at the edge of a minute.
SQLite has one server process, which counts in memory. With PostgreSQL the database counts for all of them: a server
takes allowances in blocks, more at once for who calls often, and says with the next block when it used them.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from pendesk.clock import MICROSECONDS
from pendesk.domain.errors import TooManyRequests, Unavailable
from pendesk.domain.limits import MINUTE_US, REQUEST_BLOCK_US
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.housekeeping import take_request_block
from pendesk.operations.housekeeping.take_request_block import RequestBlock, TakeRequestBlock

TOKENS_REMEMBERED = 10_000


class Throttle(Protocol):
    async def count_request_or_refuse(self, key: str) -> None:
        """Let the request through, or raise TooManyRequests."""


def create_throttle(
    dispatcher: Dispatcher, per_minute: int, limit_description: str = "requests in a minute with this token"
) -> Throttle:
    """`limit_description`: what is counted, for the refusal."""
    if dispatcher.database_engine == "postgres":
        return DatabaseThrottle(dispatcher, per_minute, limit_description)
    return MemoryThrottle(per_minute, limit_description)


class MemoryThrottle:
    def __init__(self, per_minute: int, unit: str) -> None:
        self._per_minute = per_minute
        self._unit = unit
        self._windows: dict[str, deque[int]] = {}

    async def count_request_or_refuse(self, key: str) -> None:
        # A clock that cannot be set: moving the machine's time must neither open nor close the limit.
        now = time.monotonic_ns() // 1000
        window = self._windows.get(key)
        if window is None:
            window = self._start_request_times_window(key)
        if len(window) == self._per_minute and now - window[0] < MINUTE_US:
            raise _too_many_requests_error(self._per_minute, self._unit, MINUTE_US - (now - window[0]))
        window.append(now)

    def _start_request_times_window(self, key: str) -> deque[int]:
        if len(self._windows) >= TOKENS_REMEMBERED:
            self._windows.pop(next(iter(self._windows)))
        window = self._windows[key] = deque(maxlen=self._per_minute)
        return window


class _Block:
    """What is left of the allowances of a key, and when the others were used."""

    def __init__(self) -> None:
        self.visiting = asyncio.Lock()  # two who find it empty do not both ask
        self.used: list[int] = []
        self._size = self._left = self._expires_at = self._clock_offset = 0

    def use_one(self, now: int) -> bool:
        if self._left == 0 or now >= self._expires_at:
            return False
        self._left -= 1
        self.used.append(now + self._clock_offset)
        return True

    def has_unused_expired(self, now: int) -> bool:
        return self._left > 0 and now >= self._expires_at

    def wanted_next(self) -> int:
        """Twice as many where all were used, else as many as were: who calls seldom leaves nothing lying about."""
        return max(1, 2 * self._size if self._left == 0 else len(self.used))

    def fill(self, block: RequestBlock, asked_at: int) -> None:
        """By our clock when it was asked for: so it expires here before it does in the database."""
        self._size = self._left = block.size
        self._expires_at = asked_at + REQUEST_BLOCK_US
        self._clock_offset = block.now - asked_at
        self.used = []


class DatabaseThrottle:
    def __init__(
        self, dispatcher: Dispatcher, per_minute: int, unit: str, clock: Callable[[], int] | None = None
    ) -> None:
        self._dispatcher = dispatcher
        self._per_minute = per_minute
        self._unit = unit
        # One that cannot be set: the database's own only says when requests were let through.
        self._clock = clock or (lambda: time.monotonic_ns() // 1000)
        self._server = secrets.token_hex(8)
        self._blocks: dict[str, _Block] = {}
        self._giving_back: set[asyncio.Task[None]] = set()

    async def count_request_or_refuse(self, key: str) -> None:
        block = self._blocks.get(key) or self._start_block(key)
        if block.use_one(self._clock()):
            return
        async with block.visiting:
            if block.use_one(self._clock()):
                return
            wait_us = await self._refill(key, block, block.wanted_next())
            if not block.use_one(self._clock()):
                raise _too_many_requests_error(self._per_minute, self._unit, wait_us)
        self._give_back_oldest_unused()

    async def _refill(self, key: str, block: _Block, wanted: int) -> int:
        asked_at = self._clock()
        request = TakeRequestBlock(key, self._server, block.used, wanted, self._per_minute)
        taken = await self._dispatcher.call_as_server(take_request_block.OPERATION, request)
        block.fill(taken, asked_at)
        return taken.wait_us

    def _start_block(self, key: str) -> _Block:
        if len(self._blocks) >= TOKENS_REMEMBERED:
            self._blocks.pop(next(iter(self._blocks)))
        block = self._blocks[key] = _Block()
        return block

    def _give_back_oldest_unused(self) -> None:
        """What was taken for a caller who fell silent is for the other servers; one key now and then is enough."""
        now = self._clock()
        for key, block in self._blocks.items():
            if block.has_unused_expired(now) and not block.visiting.locked():
                giving_back = asyncio.create_task(self._give_back(key, block))
                self._giving_back.add(giving_back)
                giving_back.add_done_callback(self._giving_back.discard)
                return

    async def _give_back(self, key: str, block: _Block) -> None:
        with suppress(Unavailable):  # it counts as used then, for a while
            async with block.visiting:
                await self._refill(key, block, 0)


def _too_many_requests_error(per_minute: int, limit_description: str, wait_us: int) -> TooManyRequests:
    seconds = max(1, -(-wait_us // MICROSECONDS))
    return TooManyRequests(
        f"More than {per_minute} {limit_description}. Wait {seconds} seconds, then try again.",
        retryAfter=seconds,
    )
