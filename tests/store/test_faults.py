"""A failing disk under the real store: at the 1st, 2nd, 3rd ... write, sync, truncate and read.

Every caller gets its answer, and it is kept, or a refusal, and nothing of it is there; also for a process that is
killed right after. When the disk works again, so does the store.
"""

import asyncio
import itertools
import random
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from pendesk import clock
from pendesk.store.engine import sqlite
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.crash.kills import check_file
from tests.crash.ledger import Ledger
from tests.crash.load import AGENTS, Load, Told, World, add_action, seed
from tests.disk import Disk, Fault, full, io_error

pytestmark = pytest.mark.usefixtures("commits_wait_for_the_disk")

HOLDERS = AGENTS - 2
ERRORS = {
    "write": [full, io_error(apsw.SQLITE_IOERR_WRITE)],
    "sync": [io_error(apsw.SQLITE_IOERR_FSYNC)],
    "truncate": [io_error(apsw.SQLITE_IOERR_TRUNCATE)],
    "read": [io_error(apsw.SQLITE_IOERR_READ)],
}


@pytest.fixture(scope="module")
def disk():
    disk = Disk("failing")
    yield disk
    disk.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A database in which six agents hold an action each, and one action is free."""
    path = tmp_path_factory.mktemp("template") / "pendesk.db"
    migrate(path, None)
    return asyncio.run(_prepare(path))


async def _prepare(path):
    world = World.new()
    ledger = Ledger(world)
    store = SqliteStore(path, clock.now_us)
    await seed(store, world)
    load = Load(store, world, ledger.hear, random.Random(1))
    actions = [await store.write(world.workspace, lambda tx: add_action(tx, world)) for _ in range(HOLDERS + 1)]
    for agent in range(HOLDERS):
        await load.say(agent, "claim_action", {"action_pid": actions[agent]})
    await store.close()
    return path, world, actions, list(ledger.acknowledged.values())


class Installation:
    """One copy of the template on the failing disk."""

    def __init__(self, template, folder: Path, disk: Disk) -> None:
        path, self.world, self.actions, before = template
        self.path = folder / "pendesk.db"
        shutil.copy(path, self.path)
        self.ledger = Ledger(self.world)
        for told in before:
            self.ledger.hear(told)
        self.store = SqliteStore(self.path, clock.now_us, vfs=disk.name)
        self.load = Load(self.store, self.world, self.ledger.hear, random.Random(2))
        self.numbers = itertools.count(1)

    async def burst(self) -> list[Told]:
        """Eight callers at once, two of them for the same action."""
        calls = []
        for agent, operation in enumerate(["update_progress", "report_commit", "request_clarification"] * 2):
            number = next(self.numbers)
            unique = f"{number}-{agent}"
            says: dict[str, dict[str, Any]] = {
                "update_progress": {"status": "started", "message": unique},
                "report_commit": {"sha": f"{number:040x}", "message": unique * 400, "criterion_ids": []},
                "request_clarification": {"question": unique},
            }
            calls.append((agent, operation, {"action_pid": self.actions[agent], **says[operation]}))
        calls += [(agent, "claim_action", {"action_pid": self.actions[-1]}) for agent in (HOLDERS, HOLDERS + 1)]
        told = asyncio.gather(
            *(
                self.load.once(agent, operation, {"idempotency_key": f"burst-{next(self.numbers)}", **asked})
                for agent, operation, asked in calls
            )
        )
        return await asyncio.wait_for(told, 10)

    async def let_go(self) -> None:
        """Who got the free action gives it back, so that the next burst is like the first."""
        for told in list(self.ledger.acknowledged.values()):
            if told.operation == "claim_action" and told.answer["pid"] == self.actions[-1]:
                at = {"action_pid": self.actions[-1], "claim_id": told.answer["claim"]["id"]}
                await self.load.say(told.agent, "release_action", at)

    def found_after_kill(self, *, thorough: bool = False) -> list[str]:
        """What a process would find that starts after this one was killed now."""
        return check_file(self.path, self.ledger, thorough=thorough)


async def one_case(template, folder: Path, disk: Disk, fault: Fault) -> bool:
    """False when the fault came too late to be met."""
    desk = Installation(template, folder, disk)
    with disk.broken(fault):
        told = await desk.burst()
        failing = disk.hit > 0 and fault.lasting and fault.kind == "write"
        told += await desk.burst()
        met = disk.hit > 0
    codes = {one.answer["code"] for one in told if one.said != "ack"}
    assert codes <= {"unavailable", "outcome_unknown", "already_claimed"}
    if "already_claimed" in codes:  # true only if the claim that stood in the way was saved
        assert any(one.said == "ack" and one.operation == "claim_action" for one in told)
    if failing:
        assert all(one.said != "ack" for one in told[AGENTS:])
    assert desk.found_after_kill() == []
    # The disk works again.
    await desk.let_go()
    after = await desk.burst()
    assert sum(one.said == "ack" for one in after) == AGENTS - 1
    # What could not be told then can be told now: nothing of it was saved.
    for one in told:
        if one.said == "unknown":
            desk.ledger.hear(one._replace(said="no"))
    assert desk.found_after_kill() == []
    await desk.store.close()
    assert desk.found_after_kill(thorough=True) == []
    return met


def places():
    """Every place at first, then wider apart."""
    return itertools.chain(range(1, 13), range(13, 60, 5), range(60, 2000, 41))


@pytest.mark.parametrize("cache_kib", [64, 64 * 1024], ids=["spilling", "cached"])
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("kind", ERRORS)
async def test_a_disk_that_fails(template, tmp_path, disk, monkeypatch, kind, lasting, cache_kib):
    monkeypatch.setattr(sqlite, "CACHE_KIB", cache_kib)
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 20)
    for error in ERRORS[kind]:
        for nth in places():
            folder = tmp_path / f"{id(error)}-{nth}"
            folder.mkdir()
            met = await one_case(template, folder, disk, Fault(kind, nth, error, lasting))
            shutil.rmtree(folder)
            if not met:
                break
        assert nth > 1 or kind == "truncate"
