"""The cache of briefs: readers in worker threads share it."""

import asyncio
import threading
from typing import Any

from pendesk.domain.access import Role
from pendesk.store import builds
from tests.workbench import published_spec


class Rival(dict[tuple[str, str, str], Any]):
    """While one reader picks what to drop, another one gets the chance to drop it."""

    def __init__(self, items):
        super().__init__(items)
        self.picking = threading.Event()
        self.rival_done = threading.Event()

    def __iter__(self):
        first = not self.picking.is_set()
        self.picking.set()
        keys = list(super().__iter__())
        if first:
            self.rival_done.wait(0.5)  # in vain where readers exclude each other
        return iter(keys)


async def test_two_readers_of_a_full_cache_are_both_answered(desk, monkeypatch):
    ada = await desk.person("Ada", Role.OWNER)
    work = await published_spec(desk, ada, actions=3)
    build = await desk.store.read(desk.workspace, lambda tx: builds.by_number(tx, work.spec_id, 1))
    briefs = Rival({("a", "b", "c"): None})
    monkeypatch.setattr(builds, "BRIEFS_CACHED", 1)
    monkeypatch.setattr(builds, "_briefs", briefs)

    def read(action):
        return desk.store.long_read(desk.workspace, lambda tx: builds.brief_texts(tx, build.id, action["pid"]))

    first = asyncio.create_task(read(work.actions[0]))
    assert await asyncio.to_thread(briefs.picking.wait, 30)
    second = asyncio.create_task(read(work.actions[1]))
    second.add_done_callback(lambda _: briefs.rival_done.set())
    texts = await asyncio.gather(first, second)
    assert [text.action["label"] for text in texts] == ["Action 1", "Action 2"]
    assert len(briefs) == 1
