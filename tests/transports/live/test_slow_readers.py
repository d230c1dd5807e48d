"""A client that does not read: it alone waits, it keeps little, and in the end it is cut off."""

import asyncio
import socket

import pytest

from pendesk.domain.event import Event
from pendesk.operations.operation import Call
from pendesk.transports import deadlines
from pendesk.transports.live import stream, streams
from tests.patience import PATIENCE_S

LARGE = "x" * 20_000
FLOOD = 400  # events of that size: more than the buffers of both ends hold


async def flood(live):
    """Much more than any operation writes, in one transaction."""

    def work(tx):
        call = Call(tx, live.owner, live.desk.installation)
        for _ in range(FLOOD):
            call.record(Event("note.edited", live.work.project_id, data={"after": LARGE}))

    await live.desk.store.write(live.desk.workspace, work)


async def deaf(live):
    """A connection that asks for the stream and never reads it; its buffer is small."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, ("127.0.0.1", int(live.url.rpartition(":")[2])))
    head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {live.token}\r\n\r\n"
    await loop.sock_sendall(connection, head.encode())
    async with asyncio.timeout(PATIENCE_S):
        while live.streams.count_open() == 0:
            await asyncio.sleep(0.01)
    return connection


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(deadlines, "WRITE_S", 0.3)
    monkeypatch.setattr(streams, "PAUSE_S", 0)


async def test_who_does_not_read_is_cut_off_and_holds_up_nobody(live, quick):
    connection = await deaf(live)
    async with live.follow() as follower:
        newest = await follower.ready()
        await flood(live)
        await live.note("Last")
        seen = await follower.events(FLOOD + 1)
        assert [row["seq"] for row in seen] == list(range(newest + 1, newest + FLOOD + 2))
        await live.closed(1)  # the other one is gone
    connection.close()


async def test_what_is_kept_for_all_readers_together_is_bounded(live, quick):
    connection = await deaf(live)
    async with live.follow() as follower:
        await follower.ready()
        await flood(live)
        await follower.events(FLOOD)
        (kept,) = live.streams._channels.values()
        assert sum(len(written.block) for written in kept._recent) <= stream.RECENT_BYTES
        assert kept._bytes == sum(len(written.block) for written in kept._recent)
    connection.close()


async def test_who_hangs_up_leaves_nothing_behind(live):
    async with live.follow() as one, live.follow() as two:
        await one.ready()
        await two.ready()
        assert live.feed.signal.subscribed_workspaces() == [live.desk.workspace]
    await live.closed()
    async with asyncio.timeout(PATIENCE_S):
        while live.feed.signal.subscribed_workspaces() or live.streams._channels or live.streams._monitor_task:
            await asyncio.sleep(0.01)
