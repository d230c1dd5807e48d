"""Readers of the one log while many write: nothing missed, nothing out of order, nothing before its commit."""

import asyncio
import time
from functools import partial
from typing import Any

from pendesk.domain.errors import Refusal
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import SEES_EVERYTHING
from pendesk.store import events
from tests.races.crew import Post
from tests.races.scene import Scene, dealt

GHOST = "ghost"  # the object of events whose transaction is undone: nobody may ever see one


async def read_and_write(post: Post, writers: list[Any], workspace: str, writes: int) -> dict[str, Any]:
    """In one process: its writers, and a reader that follows the log from the beginning until they are done."""
    seen: list[tuple[int, str]] = []
    polls = 0
    finished = asyncio.Event()

    async def fetch() -> int:
        last = seen[-1][0] if seen else 0
        page = await post.store.read(workspace, lambda tx: events.all_after_ignoring_visibility(tx, last, 200))
        seen.extend((event.seq, event.object_id + event.data) for event in page)
        return len(page)

    async def follow() -> None:
        nonlocal polls
        while not finished.is_set():
            await fetch()
            polls += 1
            await asyncio.sleep(0)

    async def write(actor: Any, pid: str) -> None:
        for number in range(writes):
            told = f"{post.rank} {pid} {number}"
            outcome = await post.call(actor, "update_progress", action_pid=pid, status="started", message=told)
            assert outcome.ok, outcome
            if number % 5 == 0:
                # What was acknowledged is there for the next reader, and what was undone is not.
                newest = await post.store.read(workspace, partial(_newest, pid=pid))
                assert told in newest, (told, newest)
                await _undone(post, workspace, pid)

    async def everybody() -> None:
        await asyncio.gather(*(write(actor, pid) for actor, pid in writers))
        finished.set()

    await post.together([follow, everybody])
    while await fetch():
        pass
    return {"seen": seen, "polls": polls}


def _newest(tx: Any, pid: str) -> str:
    found, _ = events.page_and_scanned_upto_seq(tx, 0, 100_000, EventFilter(action_id=pid), SEES_EVERYTHING)
    return found[-1].data


async def _undone(post: Post, workspace: str, pid: str) -> None:
    def work(tx: Any) -> None:
        values = dict.fromkeys(
            ("actor_id", "agent_model", "project_id", "spec_id", "about_user_id", "agent_session_id")
        )
        kind = {"at": tx.now, "kind": "action.progressed", "door": "web", "object_id": GHOST, "action_id": pid}
        tx.append_event({**values, **kind, "data": "{}"})
        raise Refusal("undone on purpose")

    try:
        await post.store.write(workspace, work)
    except Refusal:
        return
    raise AssertionError("the refusal was lost")


async def following(scene: Scene, writers: int, writes: int) -> str:
    crowd = await scene.crowd(writers)
    work = await scene.work_for(crowd, actions=writers)
    pairs = list(zip(crowd, (action["pid"] for action in work.actions), strict=True))
    for actor, pid in pairs:
        await scene.call(actor, "claim_action", action_pid=pid)
    began = time.perf_counter()
    parts = dealt(scene.crew, pairs, scene.workspace, writes)
    reports = scene.crew.run(read_and_write, parts)
    seconds = time.perf_counter() - began
    log = [(event.seq, event.object_id + event.data) for event in await scene.log()]
    assert [seq for seq, _ in log] == list(range(1, len(log) + 1)), "the log has a gap"
    assert not any(GHOST in text for _, text in log)
    for report in reports:
        seen = report["seen"]
        assert seen == log[: len(seen)], "a reader missed, reordered or made up an event"
    assert max(len(report["seen"]) for report in reports) == len(log)
    polls = sum(report["polls"] for report in reports)
    return f"{len(log)} events, {len(reports)} readers, {polls} polls: none missed, {writers * writes / seconds:,.0f}/s"
