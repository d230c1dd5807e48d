"""The mixed load through the dispatcher on PostgreSQL, by 1, 2 and 4 processes, beside pgbench; fsync is real.

Then with commits that take longer, as with a synchronous replica (commit_delay), and with few and many connections: how
much is written, what it costs the processor here and in PostgreSQL, and how many wait for a lock meanwhile. With
PENDESK_BENCH_BASELINE another checkout of the program (with its .venv) runs the same load in the same rounds, on a
database of its own.
"""

import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psycopg
import uvloop

from bench import pgbench
from bench.figures import median, percentile, ratio, show, spread
from bench.load import CYCLE, Served
from bench.seed import Shape
from bench.worker import together
from tests.postgres import PostgresCluster

ACTIONS = 20_480
WORKSPACES = (1, 8)
CLIENTS = 32
PROCESSES = (1, 2, 4)
DELAYS_MS = (0, 3, 8)
CONNECTIONS, MORE_CONNECTIONS = 8, 64
# Each connection has prepared what it needs; where a commit takes long, more would take longer than the measurement.
WARM_CYCLES = 4
LOOK_EVERY_S = 0.02
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
LOCK_WAITS = """
SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'), count(*) FROM pg_stat_activity
WHERE datname = 'run' AND state <> 'idle' AND pid <> pg_backend_pid()
"""
# Used for a second: where PostgreSQL has only seen empty tables of claims and events, it plans to read them whole.
SEED = """
import sys
import psycopg
import uvloop
from bench.load import serve
from bench.seed import Shape, seed_postgres
from pendesk.store.engine.postgres import PostgresStore

async def use(url, shape):
    store = PostgresStore(url, None, connections=8)
    await serve(store, shape, 8, 1.0)
    await store.close()

url, shape = sys.argv[1], Shape(*map(int, sys.argv[2:]))
seed_postgres(url, shape)
uvloop.run(use(url, shape))
with psycopg.connect(url, autocommit=True) as link:
    link.execute("VACUUM ANALYZE")
"""


class Bench:
    """A cluster with seeded databases; every run gets a fresh copy of one."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self.cluster = cluster

    def seed(self, shape: Shape, checkout: Path | None = None) -> None:
        """By another checkout of the program, if one is given."""
        url = self.cluster.create_database(_name(shape, checkout))
        python = str(checkout / ".venv/bin/python") if checkout else sys.executable
        subprocess.run([python, "-c", SEED, url, *map(str, shape)], cwd=checkout, check=True)

    def new_database(self, shape: Shape, checkout: Path | None = None) -> str:
        self.cluster.drop_database("run")
        with psycopg.connect(self.cluster.url(), autocommit=True) as link:
            # By copying files, with a checkpoint, in a quarter of the time that writing all of it to the log takes.
            link.execute(f"CREATE DATABASE run TEMPLATE {_name(shape, checkout)} STRATEGY FILE_COPY")
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


def cluster_cpu_s(cluster: PostgresCluster) -> float:
    """All that the server's processes have used, those that have ended too."""
    server = cluster.process.pid
    spent = sum(_ticks(server))
    for directory in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if _parent(int(directory.name)) == server:
                spent += sum(_ticks(int(directory.name)))
    return spent / TICKS_PER_S


def _stat(pid: int) -> list[str]:
    """The fields after the name of the program, which may hold blanks."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _ticks(pid: int) -> list[int]:
    """Its own, and those of its children that have ended."""
    return [int(field) for field in _stat(pid)[11:15]]


def _name(shape: Shape, checkout: Path | None = None) -> str:
    return f"seeded_{shape.actions}_{shape.workspaces}{'_baseline' if checkout else ''}"


@contextmanager
def opened() -> Iterator[Bench]:
    with PostgresCluster() as cluster:
        yield Bench(cluster)


def main(rounds: int = 1, seconds: float = 2.0) -> None:
    with opened() as bench:
        shapes = {workspaces: Shape(ACTIONS, workspaces) for workspaces in WORKSPACES}
        for shape in shapes.values():
            bench.seed(shape)
        beside_pgbench(bench, list(shapes.values()), rounds, seconds)
        slow_commits(bench, shapes, rounds, seconds)


def beside_pgbench(bench: Bench, shapes: list[Shape], rounds: int, seconds: float) -> None:
    scripts = {shape: uvloop.run(pgbench.record(bench.new_database(shape), shape)) for shape in shapes}
    ours: dict[tuple[int, int], list[Served]] = defaultdict(list)
    plain: dict[int, list[float]] = defaultdict(list)
    piped: dict[int, list[float]] = defaultdict(list)
    for _ in range(rounds):
        for shape, statements in scripts.items():
            for into, pipeline in ((plain, False), (piped, True)):
                text = pgbench.script(statements, shape, CLIENTS, pipeline=pipeline)
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


class Slow(NamedTuple):
    """A run with commits that take so long."""

    delay_ms: int
    workspaces: int
    processes: int
    connections: int
    program: str


class Measured(NamedTuple):
    served: Served
    database_us: float
    lock_waits: float


def slow_commits(bench: Bench, shapes: dict[int, Shape], rounds: int, seconds: float) -> None:
    baseline = Path(os.environ["PENDESK_BENCH_BASELINE"]) if "PENDESK_BENCH_BASELINE" in os.environ else None
    programs = {"baseline": baseline, "this": None} if baseline else {"this": None}
    if baseline:
        for shape in shapes.values():
            bench.seed(shape, baseline)
    runs: dict[Slow, list[Measured]] = defaultdict(list)
    for _ in range(rounds):
        for slow in _slow_runs(list(programs)):
            runs[slow].append(_measure_slow(bench, slow, shapes[slow.workspaces], programs[slow.program], seconds))
    head = [*Slow._fields, "ops/s", "p50 ms", "p99 ms", "our CPU µs/op", "PostgreSQL's", "waiting for a lock"]
    rows = []
    for slow, results in runs.items():
        waits = [wait * 1e3 for result in results for wait in result.served.latencies]
        rows.append(
            (
                *slow,
                f"{median([result.served.per_second for result in results]):,.0f}",
                f"{median(waits):.1f}",
                f"{percentile(waits, 0.99):.0f}",
                f"{median([result.served.cpu_us for result in results]):.0f}",
                f"{median([result.database_us for result in results]):.0f}",
                f"{median([result.lock_waits for result in results]):.0%}",
            )
        )
    show(f"PostgreSQL: commits that take longer, {rounds} interleaved rounds", head, rows)


def _measure_slow(bench: Bench, slow: Slow, shape: Shape, checkout: Path | None, seconds: float) -> Measured:
    url = bench.new_database(shape, checkout)
    bench.set_commit_delay(slow.delay_ms)
    before = cluster_cpu_s(bench.cluster)
    with bench.counted_lock_waits() as lock_waits:
        served = together(url, shape, slow.connections, slow.processes, seconds, checkout, WARM_CYCLES)
    bench.set_commit_delay(0)
    operations = served.operations + slow.connections * WARM_CYCLES * len(CYCLE)
    return Measured(served, (cluster_cpu_s(bench.cluster) - before) / operations * 1e6, lock_waits[0])


def _slow_runs(programs: list[str]) -> Iterator[Slow]:
    for delay_ms in DELAYS_MS:
        for workspaces in WORKSPACES:
            for processes in PROCESSES:
                for program in programs:
                    yield Slow(delay_ms, workspaces, processes, CONNECTIONS, program)
        for program in programs:
            yield Slow(delay_ms, 1, 2, MORE_CONNECTIONS, program)
