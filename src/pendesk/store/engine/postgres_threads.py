"""Threads for transactions that wait for PostgreSQL, and the way there and back from the event loop.

concurrent.futures can do the same for three times the CPU time (measured: docs/internals/storage.md).
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Transaction(Generic[T]):
    """Work that a thread does, or will do."""

    def __init__(self, work: Callable[[], T], loop: asyncio.AbstractEventLoop) -> None:
        self._work = work
        self._loop = loop
        self._answer: asyncio.Future[T] = loop.create_future()
        self._begun_or_cancelled = threading.Lock()

    async def wait_for_answer(self, seconds: float) -> T:
        """Raises TimeoutError. Who stops waiting does not stop what has begun: that would be half-way."""
        timer = self._loop.call_later(seconds, self._fail, TimeoutError())
        try:
            return await self._answer
        finally:
            timer.cancel()

    def cancel(self) -> bool:
        """False where it has begun."""
        return self._begun_or_cancelled.acquire(blocking=False)

    def run(self) -> None:
        if not self._begun_or_cancelled.acquire(blocking=False):
            return
        with suppress(RuntimeError):  # the loop of who asked is closed
            try:
                answer = self._work()
            except BaseException as error:
                self._loop.call_soon_threadsafe(self._fail, error)
            else:
                self._loop.call_soon_threadsafe(self._succeed, answer)

    def _succeed(self, answer: T) -> None:
        if not self._answer.done():
            self._answer.set_result(answer)

    def _fail(self, error: BaseException) -> None:
        if not self._answer.done():
            self._answer.set_exception(error)


class TransactionThreads:
    """So many at most, each with one transaction at a time; what comes first begins first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._queue: SimpleQueue[Transaction[Any] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[], T]) -> Transaction[T]:
        transaction = Transaction(work, asyncio.get_running_loop())
        self._queue.put(transaction)
        if len(self._threads) < self._most:
            thread = threading.Thread(target=self._run, name="pendesk-postgres", daemon=True)
            self._threads.append(thread)
            thread.start()
        return transaction

    def close(self) -> None:
        """Once everything that was started is over."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while (transaction := self._queue.get()) is not None:
            transaction.run()
            del transaction  # what it holds need not wait for the next
