"""When a store rings: after each commit that wrote an event, and at no other time. On both engines."""

import asyncio
from contextlib import suppress

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import Refusal
from pendesk.domain.event import Event
from pendesk.feed.feed import Feed
from pendesk.operations.operation import Call
from pendesk.store import events
from tests.patience import PATIENCE_S


@pytest.fixture
async def rung(desk):
    """The workspaces that were rung for."""
    told: list[str] = []
    desk.store.on_commit(told.append)
    return told


async def settled(desk):
    """PostgreSQL rings when what was committed is numbered, by a thread and by way of the loop."""
    await desk.store.read(desk.workspace, events.last_seq)
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_write_with_an_event_rings_once_it_can_be_read(desk, rung):
    owner = await desk.person("Ada", Role.OWNER)
    before = await desk.store.read(desk.workspace, events.last_seq)
    found: list[int] = []

    async def look():
        found.append(await desk.store.read(desk.workspace, events.last_seq))

    looking: list[asyncio.Task[None]] = []
    desk.store.on_commit(lambda workspace: looking.append(asyncio.create_task(look())))
    await desk.call(owner, "create_project", name="Pendesk")
    await settled(desk)
    await asyncio.gather(*looking)
    assert found == [before + 1]


async def test_reads_refusals_and_what_is_undone_do_not_ring(desk, rung):
    owner = await desk.person("Ada", Role.OWNER)  # written without an event
    await desk.call(owner, "list_projects")
    for work in (_undone, lambda tx: tx.rollback()):
        with suppress(Refusal):
            await desk.store.write(desk.workspace, lambda tx, work=work: _record(tx, owner, desk, work))
    await settled(desk)
    assert rung == []


def _record(tx, owner, desk, work):
    Call(tx, owner, desk.installation).record(Event("project.edited", "x"))
    work(tx)


def _undone(tx):
    raise Refusal("undone on purpose")


async def test_what_a_caller_who_left_has_saved_rings_too(desk, rung):
    owner = await desk.person("Ada", Role.OWNER)
    calling = asyncio.create_task(desk.call(owner, "create_project", name="Pendesk"))
    await asyncio.sleep(0)
    calling.cancel()
    async with asyncio.timeout(PATIENCE_S):
        while desk.workspace not in rung:
            await asyncio.sleep(0.01)


async def test_a_look_rings_for_what_another_process_saved_and_once(desk, open_store):
    owner = await desk.person("Ada", Role.OWNER)
    elsewhere = open_store(desk.clock)
    feed = Feed(elsewhere)
    with feed.signal.subscribe(desk.workspace) as rung, feed.signal.subscribe("another") as other:
        await feed.poller.wake_workspaces_with_new_events()
        rung.clear()
        other.clear()
        await feed.poller.wake_workspaces_with_new_events()
        assert not rung.is_set()
        await desk.call(owner, "create_project", name="Pendesk")
        await settled(desk)
        await feed.poller.wake_workspaces_with_new_events()
        assert rung.is_set()
        rung.clear()
        await feed.poller.wake_workspaces_with_new_events()
        assert not rung.is_set()
        assert not other.is_set()
    await elsewhere.close()
