"""Large reads, however many, leave tool calls their threads and connections."""

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest

from pendesk.domain.errors import Unavailable
from pendesk.operations.operation import Kind
from pendesk.operations.registry import TOOLS
from pendesk.store.engine import heavy_reads
from pendesk.store.engine.postgres_share import heavy_share
from tests.patience import PATIENCE_S
from tests.refusals import refused

AT_ONCE = 4  # of the desks of these tests, on both engines
ASKED_FOR = 3 * AT_ONCE


@pytest.fixture
async def ada(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "create_project", name="Pendesk")
    return ada


@asynccontextmanager
async def heavy_reads_under_way(desk, monkeypatch):
    """As many as there may be, each in the middle of its work; and twice as many behind them."""
    monkeypatch.setattr(heavy_reads, "HEAVY_WAIT_S", PATIENCE_S)
    under_way, go_on = threading.Barrier(AT_ONCE + 1), threading.Event()

    def look(tx):
        begun = tx.one("SELECT 1")
        if not go_on.is_set():
            under_way.wait(PATIENCE_S)
            assert go_on.wait(PATIENCE_S)
        return begun

    reads = [asyncio.create_task(desk.store.heavy_read(desk.workspace, look)) for _ in range(ASKED_FOR)]
    await asyncio.to_thread(under_way.wait, PATIENCE_S)
    try:
        yield reads
    finally:
        go_on.set()
    assert await asyncio.gather(*reads, return_exceptions=True) == [(1,)] * ASKED_FOR


async def test_tool_calls_go_on_while_as_many_large_reads_run_as_may(desk, ada, monkeypatch):
    async with asyncio.timeout(PATIENCE_S), heavy_reads_under_way(desk, monkeypatch) as reads:
        task = await desk.call(ada, "create_task", project_id="PEN", label="Lay the keel")
        assert (await desk.call(ada, "get_next_task", project_id="PEN"))["task"]["refCode"] == task["refCode"]
        lists = [desk.call(ada, "list_tasks", project_id="PEN") for _ in range(ASKED_FOR)]
        searches = [desk.call(ada, "search", query="keel") for _ in range(ASKED_FOR)]
        for answer in await asyncio.gather(*lists, *searches):
            assert task["refCode"] in str(answer)
        assert not any(read.done() for read in reads)


async def test_who_waits_too_long_for_a_place_is_refused_and_told_what_to_do(desk, ada, monkeypatch):
    async with asyncio.timeout(PATIENCE_S), heavy_reads_under_way(desk, monkeypatch):
        monkeypatch.setattr(heavy_reads, "HEAVY_WAIT_S", 0)
        with refused(Unavailable, "too_many_large_reads", "try again in a moment, or ask for less"):
            await desk.call(ada, "get_insights")
    assert await desk.call(ada, "get_insights")


async def test_a_caller_who_goes_away_keeps_its_place_until_the_read_is_over(desk, monkeypatch):
    monkeypatch.setattr(heavy_reads, "HEAVY_WAIT_S", 0)
    under_way, go_on = threading.Barrier(AT_ONCE + 1), threading.Event()

    def look(_tx):
        under_way.wait(PATIENCE_S)
        assert go_on.wait(PATIENCE_S)

    gone = [asyncio.create_task(desk.store.heavy_read(desk.workspace, look)) for _ in range(AT_ONCE)]
    await asyncio.to_thread(under_way.wait, PATIENCE_S)
    for read in gone:
        read.cancel()
    await asyncio.gather(*gone, return_exceptions=True)
    with refused(Unavailable, "too_many_large_reads"):
        await desk.store.heavy_read(desk.workspace, lambda tx: tx.one("SELECT 1"))
    go_on.set()
    monkeypatch.setattr(heavy_reads, "HEAVY_WAIT_S", PATIENCE_S)
    assert await desk.store.heavy_read(desk.workspace, lambda tx: tx.one("SELECT 1")) == (1,)


def test_no_tool_waits_for_a_place_among_large_reads():
    assert [tool.name for tool in TOOLS if tool.kind == Kind.HEAVY_READ] == []


@pytest.mark.parametrize(("pool_size", "share"), [(1, 1), (2, 1), (8, AT_ONCE), (10, 5)])
def test_a_part_of_the_connections_is_for_tool_calls_alone(pool_size, share):
    assert heavy_share(pool_size) == share
