"""What one claim, one brief, one progress and one release cost on both engines; on SQLite, where the time goes.

One client, so that nothing overlaps. The statements are timed where the operation calls them (apsw and SQLite
together), the COMMIT in its thread; what is left of an operation is its own Python; what is left of the answer's
time is the way in and out of the loop and of the helper thread.
"""

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import uvloop

from bench.dispatch import SHAPE
from bench.figures import median, show
from bench.load import CYCLE, arguments, at_terminal, open_dispatcher, works
from bench.places import copied, seeded
from bench.seed import seed_postgres
from bench.trace import record
from pendesk import clock
from pendesk.operations.decode_input import decode_input
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import encode_json
from pendesk.store.engine import sqlite
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.postgres_link import PipelinedConnection
from pendesk.store.engine.sqlite import SqliteStore, SqliteTx
from tests.disk import Disk
from tests.postgres import PostgresCluster

# What is timed is named by the function itself, so that mypy finds one that has another name by now.
STATEMENTS: tuple[Callable[..., Any], ...] = (
    SqliteTx.one,
    SqliteTx.all,
    SqliteTx.run,
    SqliteTx.append_event_returning_id,
    SqliteTx.begin_savepoint,
    SqliteTx.release_savepoint,
)
CYCLES = 400
PARTS = ("decode", "statements", "operation", "encode", "commit", "hand-over", "answer")


class Stopwatch:
    """Adds up the time of what it wraps; a call within a call counts once."""

    def __init__(self) -> None:
        self.spent = 0
        self.cpu = 0
        self._depth = 0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return function(*args, **kwargs)
            self._depth = 1
            begun, cpu = time.perf_counter_ns(), time.thread_time_ns()
            try:
                return function(*args, **kwargs)
            finally:
                self.spent += time.perf_counter_ns() - begun
                self.cpu += time.thread_time_ns() - cpu
                self._depth = 0

        return timed

    def take(self) -> float:
        """Microseconds since the last time, and start anew."""
        spent, self.spent = self.spent, 0
        return spent / 1e3


def main(rounds: int = 3) -> None:
    source = seeded(SHAPE)
    parts: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in CYCLE}
    cpu: dict[str, list[float]] = {name: [] for name in CYCLE}
    for _ in range(rounds):
        with copied(source) as path:
            uvloop.run(_measure(path, parts))
        with copied(source) as path:
            uvloop.run(_measure_cpu(path, cpu))
    with copied(source) as path:
        trace = uvloop.run(record(path, SHAPE, 1, CYCLES, at_terminal))
    with copied(source) as path:
        syncs = uvloop.run(_count_syncs(path))
    rows = []
    for place, name in enumerate(CYCLE):
        counts = [len(operation) for operation in trace.operations[place :: len(CYCLE)]]
        times = [f"{median(parts[name][part]):.0f}" for part in PARTS]
        rows.append((name, *times, f"{median(cpu[name]):.0f}", f"{median(counts):.0f}", f"{syncs[place]:.2f}"))
    head = ("operation", *(f"{part} µs" for part in PARTS), "CPU µs", "statements", "fsyncs")
    show(f"SQLite: where the time of one operation goes, one client, medians of {CYCLES * rounds}", head, rows)
    with PostgresCluster() as cluster:
        url = cluster.create_database("profile")
        seed_postgres(url, SHAPE)
        counts_of = uvloop.run(_measure_postgres(url))
    rows = [
        (name, *(f"{median([count[place] for count in counts_of[name]]):.0f}" for place in range(4))) for name in CYCLE
    ]
    head = ("operation", "statements", "round trips", "CPU µs", "answer µs")
    show(f"PostgreSQL: what one operation sends, one client, medians of {CYCLES}", head, rows)


async def _measure_postgres(url: str) -> dict[str, list[tuple[float, ...]]]:
    """Of each operation: statements, round trips, the processor's time of our process, and the time to the answer."""
    counts: dict[str, list[tuple[float, ...]]] = {name: [] for name in CYCLE}
    sent = mock.Mock(side_effect=PipelinedConnection.send)
    read = mock.Mock(side_effect=PipelinedConnection._read_results_and_find_failure)
    with (
        mock.patch.object(PipelinedConnection, "send", lambda *args: sent(*args)),
        mock.patch.object(PipelinedConnection, "_read_results_and_find_failure", lambda *args: read(*args)),
    ):
        store = PostgresStore(url, None, connections=1)
        dispatcher, lane = open_dispatcher(store), works(SHAPE, 0, 1)
        for _ in range(CYCLES):
            work = at_terminal(next(lane))
            for name in CYCLE:
                sent.reset_mock()
                read.reset_mock()
                begun, cpu = time.perf_counter_ns(), time.process_time_ns()
                encode_json(await dispatcher.call(work.actor, name, arguments(name, work)))
                spent = (time.process_time_ns() - cpu) / 1e3, (time.perf_counter_ns() - begun) / 1e3
                counts[name].append((sent.call_count, read.call_count, *spent))
        await store.close()
    return counts


async def _measure(path: Path, parts: dict[str, dict[str, list[float]]]) -> None:
    statements, operation, commit, answer = Stopwatch(), Stopwatch(), Stopwatch(), Stopwatch()
    with ExitStack() as patched:
        timed: list[tuple[object, Callable[..., Any], Stopwatch]] = [
            *((SqliteTx, function, statements) for function in STATEMENTS),
            (SqliteStore, SqliteStore._run_pending_and_check_if_wrote, operation),
            (sqlite, sqlite.commit, commit),
        ]
        for owner, function, watch in timed:
            patched.enter_context(mock.patch.object(owner, function.__name__, watch.wrap(function)))
        store = SqliteStore(path, clock.now_us)
        dispatcher, lane = open_dispatcher(store), works(SHAPE, 0, 1)
        for _ in range(CYCLES):
            work = at_terminal(next(lane))
            for name in CYCLE:
                raw = arguments(name, work)
                begun = time.perf_counter_ns()
                result = await dispatcher.call(work.actor, name, raw)
                answer.spent = time.perf_counter_ns() - begun
                took = {"decode": _decode(dispatcher, name, raw), "encode": _encode(result)}
                took |= {"statements": statements.take(), "commit": commit.take(), "answer": answer.take()}
                took["operation"] = operation.take() - took["statements"]
                took["hand-over"] = took["answer"] - took["statements"] - took["operation"] - took["commit"]
                took["hand-over"] -= took["decode"]
                for part in PARTS:
                    parts[name][part].append(took[part])
        await store.close()


def _decode(dispatcher: Dispatcher, name: str, raw: bytes) -> float:
    begun = time.perf_counter_ns()
    decode_input(dispatcher._decoders[name], raw)
    return (time.perf_counter_ns() - begun) / 1e3


def _encode(result: Any) -> float:
    begun = time.perf_counter_ns()
    encode_json(result)
    return (time.perf_counter_ns() - begun) / 1e3


async def _measure_cpu(path: Path, cpu: dict[str, list[float]]) -> None:
    """Without stopwatches: the processor's time of the whole process, helper thread included."""
    store = SqliteStore(path, clock.now_us)
    dispatcher, lane = open_dispatcher(store), works(SHAPE, 0, 1)
    for _ in range(CYCLES):
        work = at_terminal(next(lane))
        for name in CYCLE:
            raw = arguments(name, work)
            begun = time.process_time_ns()
            encode_json(await dispatcher.call(work.actor, name, raw))
            cpu[name].append((time.process_time_ns() - begun) / 1e3)
    await store.close()


async def _count_syncs(path: Path) -> list[float]:
    """Of each operation of the cycle; what the store does after the answer counts for the next one."""
    disk = Disk("bench")
    store = SqliteStore(path, clock.now_us, vfs=disk.name)
    dispatcher, lane = open_dispatcher(store), works(SHAPE, 0, 1)
    syncs = [0] * len(CYCLE)
    for _ in range(CYCLES):
        work = at_terminal(next(lane))
        for place, name in enumerate(CYCLE):
            before = disk.counts.get("sync", 0)
            await dispatcher.call(work.actor, name, arguments(name, work))
            syncs[place] += disk.counts.get("sync", 0) - before
    await store.close()
    disk.close()
    return [count / CYCLES for count in syncs]
