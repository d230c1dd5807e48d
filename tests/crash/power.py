"""Power cuts on SQLite: the real store on a recorded disk, found again at any place of the record."""

import asyncio
import random
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from pendesk import clock
from pendesk.store.engine import sqlite
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from tests.crash.kills import Tally, check_file
from tests.crash.ledger import Ledger
from tests.crash.load import Load, Told, World, seed
from tests.disk import Disk, Platters

CUTS_PER_RUN = 10
RUNS_PER_FILE = 4
CALLS_PER_AGENT = 40


def power_cuts(cuts: int, synchronous: str, chance: random.Random) -> Tally:
    """Each run is recorded once and cut at many places; the next run goes on from one of the disks so found."""
    disk = Disk(f"recorded-{synchronous}")
    faults: list[str] = []
    acknowledged = done = lossy = broken = runs = 0
    try:
        while done < cuts:
            with TemporaryDirectory(prefix="pendesk-power-") as folder:
                here, ledger = Path(folder) / "0", Ledger(World.new())
                here.mkdir()
                migrate(here / "pendesk.db", None)
                for number in range(1, RUNS_PER_FILE + 1):
                    if done >= cuts:
                        break
                    runs += 1
                    before = Platters(here)
                    asyncio.run(_record(disk, here, ledger.world, synchronous, chance))
                    acknowledged += sum(isinstance(entry, Told) and entry.said == "ack" for entry in disk.log)
                    places = sorted(chance.randrange(len(disk.log) + 1) for _ in range(min(CUTS_PER_RUN, cuts - done)))
                    position = 0
                    for place in places:
                        done += 1
                        for entry in disk.log[position:place]:
                            if isinstance(entry, Told):
                                ledger.hear(entry)
                            else:
                                before.feed(entry)
                        position = place
                        found = Path(folder) / f"{number}-{done}"
                        found.mkdir()
                        before.cut(found, chance)
                        wrong = check_file(found / "pendesk.db", ledger, thorough=True)
                        lossy += any(fault.startswith("lost") for fault in wrong)
                        broken += any(not fault.startswith("lost") for fault in wrong)
                        faults += [f"cut {done}, at {place} of {len(disk.log)}: {fault}" for fault in wrong]
                        if place != places[-1]:
                            shutil.rmtree(found)
                    shutil.rmtree(here)
                    here = found
                    if wrong:
                        break
    finally:
        disk.close()
    notes = f"{runs} recorded runs, {lossy} cuts lost acknowledged writes, {broken} left something half or damaged"
    return Tally(f"power cuts, SQLite, synchronous={synchronous}", done, acknowledged, notes, faults)


async def _record(disk: Disk, folder: Path, world: World, synchronous: str, chance: random.Random) -> None:
    disk.log = []
    disk.recording = True
    sqlite.CHECKPOINT_PAGES = chance.choice([50, 200, 1000])
    store = SqliteStore(folder / "pendesk.db", clock.now_us, vfs=disk.name)
    try:
        store._writer.pragma("synchronous", synchronous)
        await seed(store, world)
        await Load(store, world, disk.log.append, chance).run([], CALLS_PER_AGENT)
    finally:
        disk.recording = chance.random() < 0.5  # the orderly end, with its checkpoint, may be cut too
        await store.close()
        disk.recording = False
