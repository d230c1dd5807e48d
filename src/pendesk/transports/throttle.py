"""Rate limits, per token and for what needs none: in any minute at most so many requests, counted over all processes
together.

A moving window that remembers the last requests let through, so it is exact: no burst at the edge of a minute.
SQLite has one server process, which counts in memory; with PostgreSQL the database counts for all of them.
"""

import time
from collections import deque
from typing import Protocol

from pendesk.clock import MICROSECONDS
from pendesk.domain.errors import TooManyRequests
from pendesk.domain.limits import MINUTE_US
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.housekeeping import count_request
from pendesk.operations.housekeeping.count_request import CountRequest

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


class DatabaseThrottle:
    def __init__(self, dispatcher: Dispatcher, per_minute: int, unit: str) -> None:
        self._dispatcher = dispatcher
        self._per_minute = per_minute
        self._unit = unit

    async def count_request_or_refuse(self, key: str) -> None:
        request = CountRequest(key, self._per_minute)
        wait_us = await self._dispatcher.call_as_server(count_request.OPERATION, request)
        if wait_us > 0:
            raise _too_many_requests_error(self._per_minute, self._unit, wait_us)


def _too_many_requests_error(per_minute: int, limit_description: str, wait_us: int) -> TooManyRequests:
    seconds = max(1, -(-wait_us // MICROSECONDS))
    return TooManyRequests(
        f"More than {per_minute} {limit_description}. Wait {seconds} seconds, then try again.",
        retryAfter=seconds,
    )
