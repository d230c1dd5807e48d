"""The mixed load through the dispatcher on PostgreSQL, by 1, 2 and 4 processes, beside pgbench; fsync is real."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

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


class Bench:
    """A cluster with seeded databases; every run gets a fresh copy of one."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self.cluster = cluster

    def seed(self, shape: Shape) -> list[pgbench.Statement]:
        """Its statements are those of one cycle."""
        seed_postgres(self.cluster.create_database(_name(shape)), shape)
        return uvloop.run(pgbench.record(self.new_database(shape), shape))

    def new_database(self, shape: Shape) -> str:
        self.cluster.drop_database("run")
        with psycopg.connect(self.cluster.url(), autocommit=True) as link:
            link.execute(f"CREATE DATABASE run TEMPLATE {_name(shape)}")
            link.execute("CHECKPOINT")
        return self.cluster.url("run")

    def add_sequence(self, url: str) -> None:
        """For counter.py: numbers above all that are taken."""
        with psycopg.connect(url, autocommit=True) as link:
            link.execute("CREATE SEQUENCE unlocked START 100000000")


def _name(shape: Shape) -> str:
    return f"seeded_{shape.actions}_{shape.workspaces}"


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
