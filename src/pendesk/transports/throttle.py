"""Rate limits, per token and for what can be asked without one: in any minute at most so many requests, counted over
all processes together.

A moving window that remembers the last requests let through, so it is exact: no burst at the edge of a minute.
SQLite has one server process, which counts in memory; with PostgreSQL the database counts for all of them.
"""

import time
from collections import deque
from typing import Protocol

from pendesk.clock import MICROSECONDS
from pendesk.domain.errors import TooManyRequests
from pendesk.domain.limits import MINUTE_US
from pendesk.operations.dispatch import Store
from pendesk.store import rate_windows

TOKENS_REMEMBERED = 10_000


class Throttle(Protocol):
    async def admit(self, token_id: str) -> None:
        """Let the request through, or raise TooManyRequests."""


def open_throttle(store: Store, per_minute: int, what: str = "requests in a minute with this token") -> Throttle:
    return InDatabase(store, per_minute, what) if store.engine == "postgres" else InMemory(per_minute, what)


class InMemory:
    def __init__(self, per_minute: int, what: str) -> None:
        self._per_minute = per_minute
        self._what = what
        self._windows: dict[str, deque[int]] = {}

    async def admit(self, token_id: str) -> None:
        # A clock that cannot be set: moving the machine's time must neither open nor close the limit.
        now = time.monotonic_ns() // 1000
        window = self._windows.get(token_id)
        if window is None:
            window = self._remember(token_id)
        if len(window) == self._per_minute and now - window[0] < MINUTE_US:
            raise _too_many(self._per_minute, self._what, MINUTE_US - (now - window[0]))
        window.append(now)

    def _remember(self, token_id: str) -> deque[int]:
        if len(self._windows) >= TOKENS_REMEMBERED:
            self._windows.pop(next(iter(self._windows)))
        window = self._windows[token_id] = deque(maxlen=self._per_minute)
        return window


class InDatabase:
    def __init__(self, store: Store, per_minute: int, what: str) -> None:
        self._store = store
        self._per_minute = per_minute
        self._what = what

    async def admit(self, token_id: str) -> None:
        wait_us = await self._store.write("", lambda tx: rate_windows.hit(tx, token_id, self._per_minute, MINUTE_US))
        if wait_us > 0:
            raise _too_many(self._per_minute, self._what, wait_us)


async def forget_windows(store: Store) -> None:
    """What is counted in memory forgets by itself."""
    if store.engine == "postgres":
        await store.write("", lambda tx: rate_windows.forget_old(tx, MINUTE_US))


def _too_many(per_minute: int, what: str, wait_us: int) -> TooManyRequests:
    seconds = max(1, -(-wait_us // MICROSECONDS))
    return TooManyRequests(
        f"More than {per_minute} {what}. Wait {seconds} seconds, then go on.",
        retryAfter=seconds,
    )
