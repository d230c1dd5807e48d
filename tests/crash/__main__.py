"""python -m tests.crash: run every method, print what was seen, end with 1 if anything was lost or half."""

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import partial

from tests.crash.imports import import_kills
from tests.crash.kills import Tally, postgres_kills, sqlite_kills
from tests.crash.log_order import order_under_kills
from tests.crash.migrations import migration_kills, postgres_target, sqlite_target
from tests.crash.power import power_cuts
from tests.crash.restarts import postgres_restarts
from tests.crash.rotations import rotation_kills
from tests.postgres import PostgresCluster

FAULTS_SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--postgres-kills", type=int, default=100)
    parser.add_argument("--postgres-restarts", type=int, default=20)
    parser.add_argument("--writer-kills", type=int, default=60, help="of processes that write and number events")
    parser.add_argument("--import-kills", type=int, default=60)
    parser.add_argument("--statements", type=int, default=1, help="kill migrations at every so many statements")
    parser.add_argument("--rotation-steps", type=int, default=1, help="kill rotations at every so many steps")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    chance = random.Random(asked.seed)
    good = _show(lambda: sqlite_kills(asked.kills, chance))
    good &= _show(lambda: import_kills(asked.import_kills, chance))
    good &= _show(lambda: migration_kills("sqlite", sqlite_target, asked.statements))
    good &= _show(lambda: rotation_kills("sqlite", None, asked.rotation_steps))
    good &= _show(lambda: power_cuts(asked.cuts, "full", chance))
    # The method must be able to fail: a store that syncs less does lose what it acknowledged.
    good &= _show(lambda: power_cuts(asked.cuts, "normal", chance), expected=True)
    with PostgresCluster(fast=True) as cluster:  # it stays up; only its clients are killed
        fresh = partial(postgres_target, cluster.create_database("migrations"))
        good &= _show(lambda: migration_kills("postgres", fresh, asked.statements))
        server_url = cluster.url().rpartition("/")[0]
        good &= _show(lambda: rotation_kills("postgres", server_url, asked.rotation_steps))
    with PostgresCluster() as cluster:
        good &= _show(lambda: postgres_kills(cluster, asked.postgres_kills, chance))
        good &= _show(lambda: postgres_restarts(cluster, asked.postgres_restarts, chance))
        good &= _show(lambda: order_under_kills(cluster, asked.writer_kills, chance))
    print("nothing acknowledged was lost, nothing is half" if good else "FAILED")
    return 0 if good else 1


def _show(method: Callable[[], Tally], *, expected: bool = False) -> bool:
    started = time.monotonic()
    tally = method()
    seconds = time.monotonic() - started
    print(f"{tally.method}: {tally.times} times in {seconds:.0f} s, {tally.acknowledged} writes acknowledged")
    print(f"  {tally.notes}; {len(tally.faults)} faults{' (expected: not 0)' if expected else ''}", flush=True)
    if not expected:
        for fault in tally.faults[:FAULTS_SHOWN]:
            print(f"  {fault}")
    return bool(tally.faults) == expected


sys.exit(main())
