"""The mixed load through the dispatcher on PostgreSQL, by 1, 2 and 4 processes, beside pgbench; fsync is real.

Then with commits that take longer, as with a synchronous replica (commit_delay), and with few and many connections: how
much is written, and how many wait for a lock meanwhile. With PENDESK_BENCH_BASELINE another checkout of the program
(with its .venv) runs the same load in the same rounds, on a database of its own.
"""

import os
import subprocess
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import uvloop

from bench import pgbench
from bench.figures import median, percentile, ratio, show, spread
from bench.load import Served
from bench.seed import Shape, seed_postgres
from bench.worker import together
from tests.postgres import PostgresCluster

ACTIONS = 20_480
WORKSPACES = (1, 8)
CLIENTS = 32
PROCESSES = (1, 2, 4)
DELAYS_MS = (0, 3, 8)
CONNECTIONS = (8, 64)
LOOK_EVERY_S = 0.02
LOCK_WAITS = """
SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'), count(*) FROM pg_stat_activity
WHERE datname = 'run' AND state <> 'idle' AND pid <> pg_backend_pid()
"""
SEED = """
import sys
from bench.seed import Shape, seed_postgres
seed_postgres(sys.argv[1], Shape(*map(int, sys.argv[2:])))
"""


class Bench:
    """A cluster with seeded databases; every run gets a fresh copy of one."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self.cluster = cluster

    def seed(self, shape: Shape) -> list[pgbench.Statement]:
        """Its statements are those of one cycle."""
        seed_postgres(self.cluster.create_database(_name(shape)), shape)
        return uvloop.run(pgbench.record(self.new_database(shape), shape))

    def seed_by(self, checkout: Path, shape: Shape) -> None:
        url = self.cluster.create_database(_name(shape, checkout))
        command = [str(checkout / ".venv/bin/python"), "-c", SEED, url, *map(str, shape)]
        subprocess.run(command, cwd=checkout, check=True)

    def new_database(self, shape: Shape, checkout: Path | None = None) -> str:
        self.cluster.drop_database("run")
        with psycopg.connect(self.cluster.url(), autocommit=True) as link:
            link.execute(f"CREATE DATABASE run TEMPLATE {_name(shape, checkout)}")
            link.execute("CHECKPOINT")
        return self.cluster.url("run")

    def set_commit_delay(self, delay_ms: int) -> None:
        with psycopg.connect(self.cluster.url(), autocommit=True) as link:
            link.execute("ALTER SYSTEM SET commit_siblings = 0")
            link.execute(f"ALTER SYSTEM SET commit_delay = {delay_ms * 1000}")
            link.execute("SELECT pg_reload_conf()")

    @contextmanager
    def counted_lock_waits(self) -> Iterator[list[float]]:
        """What share of the connections that work waits for a lock: one figure, when it is over."""
        shares: list[float] = []
        result: list[float] = []
        over = threading.Event()

        def look() -> None:
            with psycopg.connect(self.cluster.url(), autocommit=True) as link:
                while not over.wait(LOOK_EVERY_S):
                    row = link.execute(LOCK_WAITS).fetchone()
                    assert row is not None
                    shares.append(row[0] / row[1] if row[1] else 0.0)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield result
        finally:
            over.set()
            looking.join()
            result.append(sum(shares) / max(1, len(shares)))


def _name(shape: Shape, checkout: Path | None = None) -> str:
    return f"seeded_{shape.actions}_{shape.workspaces}{'_baseline' if checkout else ''}"


@contextmanager
def opened() -> Iterator[Bench]:
    with PostgresCluster() as cluster:
        yield Bench(cluster)


def main(rounds: int = 3, seconds: float = 4.0) -> None:
    ours: dict[tuple[int, int], list[Served]] = defaultdict(list)
    plain: dict[int, list[float]] = defaultdict(list)
    piped: dict[int, list[float]] = defaultdict(list)
    with opened() as bench:
        shapes = [Shape(ACTIONS, workspaces) for workspaces in WORKSPACES]
        scripts = {shape: bench.seed(shape) for shape in shapes}
        for _ in range(rounds):
            for shape in shapes:
                for into, pipeline in ((plain, False), (piped, True)):
                    text = pgbench.script(scripts[shape], shape, CLIENTS, pipeline=pipeline)
                    into[shape.workspaces].append(
                        pgbench.run(bench.cluster, bench.new_database(shape), text, CLIENTS, seconds)
                    )
                for processes in PROCESSES:
                    served = together(bench.new_database(shape), shape, CLIENTS, processes, seconds)
                    ours[shape.workspaces, processes].append(served)
    head = ["workspaces", "processes", "dispatch ops/s", "spread", "CPU µs/op", "p50 ms", "p99 ms"]
    head += ["pgbench", "dispatch/pgbench", "pipelined", "dispatch/pipelined"]
    rows = []
    for (workspaces, processes), runs in ours.items():
        speeds = [run.per_second for run in runs]
        waits = [wait * 1e3 for run in runs for wait in run.latencies]
        rows.append(
            (
                workspaces,
                processes,
                f"{median(speeds):,.0f}",
                spread(speeds),
                f"{median([run.cpu_us for run in runs]):.0f}",
                f"{median(waits):.1f}",
                f"{percentile(waits, 0.99):.0f}",
                f"{median(plain[workspaces]):,.0f}",
                ratio(speeds, plain[workspaces]),
                f"{median(piped[workspaces]):,.0f}",
                ratio(speeds, piped[workspaces]),
            )
        )
    show(f"PostgreSQL: the mixed load of {CLIENTS} clients, {rounds} interleaved rounds", head, rows)
    slow_commits(rounds, seconds)


class Slow(NamedTuple):
    """A run with commits that take so long."""

    delay_ms: int
    workspaces: int
    processes: int
    connections: int
    program: str


def slow_commits(rounds: int, seconds: float) -> None:
    baseline = Path(os.environ["PENDESK_BENCH_BASELINE"]) if "PENDESK_BENCH_BASELINE" in os.environ else None
    programs = {"baseline": baseline, "this": None} if baseline else {"this": None}
    runs: dict[Slow, list[tuple[Served, float]]] = defaultdict(list)
    with opened() as bench:
        shapes = {workspaces: Shape(ACTIONS, workspaces) for workspaces in WORKSPACES}
        for shape in shapes.values():
            bench.seed(shape)
            if baseline:
                bench.seed_by(baseline, shape)
        for _ in range(rounds):
            for slow in _slow_runs(list(programs)):
                shape, checkout = shapes[slow.workspaces], programs[slow.program]
                url = bench.new_database(shape, checkout)
                bench.set_commit_delay(slow.delay_ms)
                with bench.counted_lock_waits() as lock_waits:
                    served = together(url, shape, slow.connections, slow.processes, seconds, checkout)
                runs[slow].append((served, lock_waits[0]))
                bench.set_commit_delay(0)
    head = [*Slow._fields, "ops/s", "p50 ms", "p99 ms", "CPU µs/op", "waiting for a lock"]
    rows = []
    for slow, results in runs.items():
        waits = [wait * 1e3 for served, _ in results for wait in served.latencies]
        rows.append(
            (
                *slow,
                f"{median([served.per_second for served, _ in results]):,.0f}",
                f"{median(waits):.1f}",
                f"{percentile(waits, 0.99):.0f}",
                f"{median([served.cpu_us for served, _ in results]):.0f}",
                f"{median([share for _, share in results]):.0%}",
            )
        )
    show(f"PostgreSQL: commits that take longer, {rounds} interleaved rounds", head, rows)


def _slow_runs(programs: list[str]) -> Iterator[Slow]:
    for delay_ms in DELAYS_MS:
        for workspaces in WORKSPACES:
            for processes in PROCESSES:
                for connections in CONNECTIONS:
                    for program in programs:
                        yield Slow(delay_ms, workspaces, processes, connections, program)
