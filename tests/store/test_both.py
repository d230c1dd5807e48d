"""What both stores promise alike."""

import asyncio
import threading

import pytest

from pendesk.domain.errors import RuleBroken
from pendesk.ids import new_id

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

    reading = asyncio.create_task(desk.store.scan(desk.workspace, look_twice))
    assert await asyncio.to_thread(looked.wait, 30)
    await desk.store.write(desk.workspace, lambda tx: add(tx, name))
    written.set()
    assert await reading == (0, 0)
    assert await desk.store.read(desk.workspace, lambda tx: count(tx, name)) == 1


async def test_a_read_cannot_write(desk, name):
    for read in (desk.store.read, desk.store.scan):
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
