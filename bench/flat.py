"""Does a claim or a brief cost more in a large desk? 100, 10,000 and 1,000,000 actions, both engines.

The same 100 actions' worth of work in each: spread over the whole desk, gone through twice to warm up, then in
rounds that go from size to size. SQLite by the processor's time of the process; PostgreSQL by the time until the
answer, with fsync off, because the disk is the same for every size and would hide the rest.
"""

import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack

import apsw
import uvloop

from bench.figures import median, show
from bench.load import Work, arguments, open_dispatcher
from bench.places import copied, seeded
from bench.seed import ACTION, Shape, actor, ident, seed_postgres
from bench.trace import TracingStore
from pendesk import clock
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import encode_json
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.postgres import PostgresCluster

SIZES = (100, 10_000, 1_000_000)
SAMPLE = 100
WARM_ROUNDS = 2
CYCLE = ("claim_action", "get_action_brief", "release_action")
FLAT = 1.5

Costs = dict[tuple[str, int], list[float]]


def main(rounds: int = 9) -> None:
    costs = {"SQLite, CPU µs": _sqlite(rounds), "PostgreSQL, µs to the answer": _postgres(rounds)}
    rows = []
    for engine, cost in costs.items():
        for operation in CYCLE[:2]:
            medians = [median(cost[operation, size]) for size in SIZES]
            low = [sorted(cost[operation, size])[len(cost[operation, size]) // 10] for size in SIZES]
            rows.append(
                (
                    engine,
                    operation,
                    *(f"{cost_of_size:.0f}" for cost_of_size in medians),
                    f"{medians[-1] / medians[0]:.2f}",
                    f"{low[-1] / low[0]:.2f}",
                )
            )
            if engine.startswith("SQLite") and medians[-1] / medians[0] > FLAT:
                _explain()
    head = ("engine", "operation", *(f"{size:,}" for size in SIZES), "ratio of medians", "of the quickest tenth")
    show(f"Flat: the cost of one operation by the number of actions, medians of {rounds * SAMPLE}", head, rows)


def works(size: int) -> list[Work]:
    shape = Shape(size)
    spread = max(shape.step, size // SAMPLE)
    return [Work(actor(0, 0), ident(ACTION, number)) for number in range(0, size, spread)][:SAMPLE]


def _sqlite(rounds: int) -> Costs:
    with ExitStack() as places:
        paths = {size: places.enter_context(copied(seeded(Shape(size)), f"flat-{size}.db")) for size in SIZES}
        return uvloop.run(_measure({size: SqliteStore(paths[size], clock.now_us) for size in SIZES}, rounds, cpu=True))


def _postgres(rounds: int) -> Costs:
    with PostgresCluster(fast=True) as cluster:
        stores = {}
        for size in SIZES:
            url = cluster.create_database(f"flat_{size}")
            seed_postgres(url, Shape(size))
            stores[size] = PostgresStore(url, None, connections=1)
        return uvloop.run(_measure(stores, rounds, cpu=False))


async def _measure(stores: Mapping[int, Store], rounds: int, *, cpu: bool) -> Costs:
    read = time.process_time_ns if cpu else time.perf_counter_ns
    dispatchers = {size: open_dispatcher(store) for size, store in stores.items()}
    costs: Costs = defaultdict(list)
    for number in range(-WARM_ROUNDS, rounds):
        for size, dispatcher in dispatchers.items():
            for work in works(size):
                for operation in CYCLE:
                    raw = arguments(operation, work)
                    begun = read()
                    encode_json(await dispatcher.call(work.actor, operation, raw))
                    if number >= 0:
                        costs[operation, size].append((read() - begun) / 1e3)
    for store in stores.values():
        await store.close()
    return costs


def _explain() -> None:
    """How SQLite goes about each statement of the cycle in the largest desk."""
    with copied(seeded(Shape(SIZES[-1]))) as path:
        store = TracingStore(path)
        uvloop.run(_once(open_dispatcher(store), store))
        plain = apsw.Connection(str(path))
        executed = dict(statement for operation in store.trace.operations for statement in operation)
        for sql, values in executed.items():
            for _, _, _, plan in plain.execute(f"EXPLAIN QUERY PLAN {sql}", values):
                print(f"  {plan}")
        plain.close()


async def _once(dispatcher: Dispatcher, store: TracingStore) -> None:
    work = works(SIZES[-1])[0]
    for operation in CYCLE:
        await dispatcher.call(work.actor, operation, arguments(operation, work))
    await store.close()
