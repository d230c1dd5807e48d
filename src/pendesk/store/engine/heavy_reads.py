"""Reads that may take seconds (insights, a timeline, an export): in threads of their own, no more than so many at once.

However many are asked for, the threads and connections that tool calls need are left to them. Who waits too long for a
place is refused, and told what to do.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from pendesk.domain.errors import Unavailable

T = TypeVar("T")

HEAVY_WAIT_S = 10.0


class HeavyReads:
    def __init__(self, at_once: int) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="pendesk-heavy")
        self.allow(at_once)

    def allow(self, at_once: int) -> None:
        """From now on; those that are under way keep their places."""
        self._at_once = at_once
        self._places = asyncio.Semaphore(at_once)

    async def start(self, work: Callable[[], T]) -> "Future[T]":
        """Under way, when there is a place. It keeps it until it is over, also when the caller has gone away."""
        places = self._places
        try:
            async with asyncio.timeout(HEAVY_WAIT_S):
                await places.acquire()
        except TimeoutError as error:
            raise too_many_heavy_reads_error(self._at_once) from error
        loop = asyncio.get_running_loop()
        running = self._threads.submit(work)
        running.add_done_callback(lambda _: loop.call_soon_threadsafe(places.release))
        return running

    def close(self) -> None:
        self._threads.shutdown()


def too_many_heavy_reads_error(at_once: int) -> Unavailable:
    return Unavailable(
        f"{at_once} large reads (boards, timelines, insights, exports) are under way, and no more run at once. "
        "Nothing is wrong with this one: try again in a moment, or ask for less, such as one project or fewer days.",
        code="too_many_large_reads",
    )
