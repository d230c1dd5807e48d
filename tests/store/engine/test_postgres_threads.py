"""Work in threads: begun in order, ended once begun, and nobody waits for ever."""

import asyncio
import threading
from functools import partial

import pytest

from pendesk.store.engine.postgres_threads import TransactionThreads
from tests.patience import PATIENCE_S


@pytest.fixture
def thread():
    threads = TransactionThreads(1)
    yield threads
    threads.close()


async def test_answers_and_errors_come_back(thread):
    assert await thread.start(lambda: "done").wait_for_answer(PATIENCE_S) == "done"
    with pytest.raises(ZeroDivisionError):
        await thread.start(lambda: 1 / 0).wait_for_answer(PATIENCE_S)


async def test_what_comes_first_begins_first_and_only_what_waits_can_be_cancelled(thread):
    begun, go_on = threading.Event(), threading.Event()
    order = []

    def hold():
        begun.set()
        assert go_on.wait(PATIENCE_S)
        order.append("first")

    first = thread.start(hold)
    cancelled, last = thread.start(lambda: order.append("cancelled")), thread.start(lambda: order.append("last"))
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    assert (first.cancel(), cancelled.cancel()) == (False, True)
    with pytest.raises(TimeoutError):
        await first.wait_for_answer(0.01)
    go_on.set()
    await last.wait_for_answer(PATIENCE_S)
    assert order == ["first", "last"]


async def test_closing_waits_for_all_that_was_started():
    threads = TransactionThreads(2)
    ended: list[int] = []
    for number in range(10):
        threads.start(partial(ended.append, number))
    threads.close()
    assert sorted(ended) == list(range(10))
