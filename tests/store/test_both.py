"""What both stores promise alike."""

import asyncio
import threading
from unittest.mock import Mock, patch

import pytest

from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.ids import new_id
from pendesk.operations.operation import Call
from pendesk.store.engine.postgres_link import PipelinedConnection
from pendesk.store.engine.tx import all_at_once
from tests.patience import PATIENCE_S

INSERT = "INSERT INTO users (id, kind, email, name, created_at) VALUES (:id, 'person', :email, :name, 0)"
COUNT = "SELECT count(*) FROM users WHERE name = :name"


@pytest.fixture
def name():
    return new_id()


def add(tx, name):
    tx.run(INSERT, id=new_id(), email=new_id(), name=name)


def count(tx, name):
    return tx.one(COUNT, name=name)[0]


async def test_a_read_sees_one_moment(desk, name):
    """What is committed while it reads is not seen, not even by its second statement."""
    looked, written = threading.Event(), threading.Event()

    def look_twice(tx):
        before = count(tx, name)
        looked.set()
        assert written.wait(30)
        return before, count(tx, name)

    reading = asyncio.create_task(desk.store.long_read(desk.workspace, look_twice))
    assert await asyncio.to_thread(looked.wait, 30)
    await desk.store.write(desk.workspace, lambda tx: add(tx, name))
    written.set()
    assert await reading == (0, 0)
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 1


async def test_statements_at_once_give_each_its_rows_and_postgres_answers_them_in_one_round_trip(desk, name):
    await desk.store.write(desk.workspace, lambda tx: add(tx, name))
    reads = Mock(side_effect=PipelinedConnection._read_results_and_find_failure)

    def look(tx):
        assert tx.now  # what was sent before is read
        reads.reset_mock()
        return all_at_once(tx, (COUNT, {"name": name}), ("SELECT :word || ''", {"word": "two"}), (COUNT, {"name": ""}))

    with patch.object(PipelinedConnection, "_read_results_and_find_failure", lambda *args: reads(*args)):
        rows, round_trips = await desk.store.read(desk.workspace, lambda tx: (look(tx), reads.call_count))
    assert rows == [[(1,)], [("two",)], [(0,)]]
    assert round_trips == (1 if desk.store.engine == "postgres" else 0)


async def test_a_read_cannot_write(desk, name):
    for read in (desk.store.read, desk.store.long_read, desk.store.heavy_read):
        with pytest.raises(Exception, match=r"read-?only|readonly"):
            await read(desk.workspace, lambda tx: add(tx, name))
    assert await desk.store.write(desk.workspace, lambda tx: count(tx, name)) == 0


async def test_a_refused_write_leaves_nothing(desk, name):
    def work(tx):
        add(tx, name)
        raise RuleBroken("no")

    with pytest.raises(RuleBroken):
        await desk.store.write(desk.workspace, work)
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 0


async def test_the_store_goes_on_after_a_faulty_work(desk, name):
    def work(tx):
        add(tx, name)
        raise ZeroDivisionError

    for _ in range(20):  # more often than there are connections
        with pytest.raises(ZeroDivisionError):
            await desk.store.write(desk.workspace, work)
    await desk.store.write(desk.workspace, lambda tx: add(tx, name))
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 1


async def test_a_listener_that_fails_costs_no_caller_its_answer(desk, name, caplog):
    """The write stands and its caller is told so, those of the same batch too; so are all that follow."""
    ada = await desk.person("Ada")
    rings = []

    def listener(workspace):
        rings.append(workspace)
        raise ZeroDivisionError("the listener fails")

    def work(tx):
        add(tx, name)
        Call(tx, ada, desk.installation).record(Event("project.edited", name))
        return "saved"

    desk.store.on_commit(listener)
    async with asyncio.timeout(PATIENCE_S):
        batch = (desk.store.write(desk.workspace, work) for _ in range(3))
        assert await asyncio.gather(*batch, return_exceptions=True) == ["saved"] * 3
        assert await desk.store.long_write(desk.workspace, work) == "saved"
        assert await desk.store.write(desk.workspace, work) == "saved"
        assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 5
        while len(rings) < (5 if desk.store.engine == "sqlite" else 1):  # PostgreSQL numbers several together
            await asyncio.sleep(0)
    failures = [record for record in caplog.records if record.name == "pendesk.store"]
    assert [record.exc_info[0] for record in failures] == [ZeroDivisionError] * len(rings)


@pytest.mark.parametrize("way", ["write", "long_write", "read", "long_read", "heavy_read"])
async def test_a_stop_iteration_of_a_faulty_work_reaches_its_caller(desk, name, way):
    """No future can hold it: it has to become another error before, or nobody is answered any more."""
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await getattr(desk.store, way)(desk.workspace, lambda tx: next(iter(())))
        await desk.store.write(desk.workspace, lambda tx: add(tx, name))
        assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 1


async def test_a_write_that_gives_rows_back_is_saved_and_is_undone_like_any_other(desk, name):
    await desk.store.write(desk.workspace, lambda tx: add(tx, name))
    rename = "UPDATE users SET name = :to WHERE name = :name RETURNING name"

    def rename_and_fail(tx):
        tx.run_returning(rename, name=name, to=f"{name} lost")
        raise RuleBroken("No.")

    with pytest.raises(RuleBroken):
        await desk.store.write(desk.workspace, rename_and_fail)
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 1
    renamed = await desk.store.write(desk.workspace, lambda tx: tx.run_returning(rename, name=name, to=f"{name} new"))
    assert renamed == [(f"{name} new",)]
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, f"{name} new")) == 1
