"""Readers while writers write: none missed, none twice, none early, in the order of the commits."""

import asyncio
from typing import Any

from pendesk.domain.errors import Refusal
from pendesk.domain.event import Event
from pendesk.operations.operation import Call
from pendesk.store import events
from pendesk.transports.live import stream, streams

WRITERS = 6
WRITES = 15
READERS = 6
GHOST = "ghost"  # of transactions that are undone: nobody may ever see one


async def test_nothing_is_missed_doubled_early_or_out_of_order(live, monkeypatch):
    monkeypatch.setattr(stream, "RECENT_EVENTS", 20)  # so that some readers fall behind
    monkeypatch.setattr(streams, "PAUSE_S", 0.005)
    start = len(await live.log())
    barrier = asyncio.Barrier(WRITERS + READERS)
    until = start + WRITERS * WRITES

    async def write(number):
        await barrier.wait()
        for each in range(WRITES):
            await live.note(f"{number} {each}")
            await undone(live)

    async def read(number):
        """Some follow all the time; some leave after every few events and come back where they were."""
        seen: list[dict[str, Any]] = []
        leaves_after = (number % 3) * 4 or until
        await barrier.wait()
        while not seen or seen[-1]["seq"] < until:
            async with live.follow(after=seen[-1]["seq"] if seen else start - number) as follower:
                await follower.ready()
                for _ in range(leaves_after):
                    row = await follower.event()
                    stored = await live.desk.store.read(live.desk.workspace, events.last_seq)
                    assert row["seq"] <= stored, "it was sent before its commit"
                    seen.append(row)
                    if row["seq"] == until:
                        break
        return seen

    writers = [write(number) for number in range(WRITERS)]
    done = await asyncio.gather(*writers, *(read(number) for number in range(READERS)))
    log = await live.log()
    assert len(log) == until
    assert not any(row["objectId"] == GHOST for row in log)
    for number, seen in enumerate(done[WRITERS:]):
        assert seen == log[start - number :]


async def undone(live):
    def work(tx):
        Call(tx, live.owner, live.desk.installation).record(Event("note.edited", GHOST))
        raise Refusal("undone on purpose")

    try:
        await live.desk.store.write(live.desk.workspace, work)
    except Refusal:
        return
    raise AssertionError("the refusal was lost")
