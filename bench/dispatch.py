"""Operations per second through the dispatcher on SQLite, beside the same statements replayed in C."""

import uvloop

from bench import raw, trace
from bench.figures import median, percentile, ratio, show, spread
from bench.load import Served, serve
from bench.places import copied, seeded
from bench.seed import Shape
from pendesk import clock
from pendesk.store.engine.sqlite import SqliteStore

SHAPE = Shape(20_480)
CLIENTS = (1, 8, 32, 128)
TRACED_CYCLES = 2_560  # of all clients together


def main(rounds: int = 5, seconds: float = 2.0) -> None:
    source, program = seeded(SHAPE), raw.build()
    ours: dict[int, list[Served]] = {clients: [] for clients in CLIENTS}
    same: dict[int, list[raw.Replayed]] = {clients: [] for clients in CLIENTS}
    by_32: list[raw.Replayed] = []
    traces = {}
    for clients in CLIENTS:
        with copied(source) as path:
            traces[clients] = uvloop.run(trace.record(path, SHAPE, clients, TRACED_CYCLES // clients))
    for _ in range(rounds):
        for clients in CLIENTS:
            with copied(source) as path:
                ours[clients].append(uvloop.run(_serve(SqliteStore(path, clock.now_us), clients, seconds)))
            with copied(source) as path:
                same[clients].append(raw.replay(program, path, traces[clients]))
        with copied(source) as path:
            by_32.append(raw.replay(program, path, traces[32].in_batches_of(32)))
    _show(ours, same, by_32, rounds)


async def _serve(store: SqliteStore, clients: int, seconds: float) -> Served:
    served = await serve(store, SHAPE, clients, seconds)
    await store.close()
    return served


def _show(
    ours: dict[int, list[Served]], same: dict[int, list[raw.Replayed]], by_32: list[raw.Replayed], rounds: int
) -> None:
    head = (
        "clients",
        "dispatch ops/s",
        "spread",
        "CPU µs/op",
        "p50 ms",
        "p99 ms",
        "raw C ops/s",
        "raw CPU µs",
        "dispatch/raw",
    )
    rows = []
    for clients in CLIENTS:
        served, replayed = ours[clients], same[clients]
        waits = [wait * 1e3 for run in served for wait in run.latencies]
        rows.append(
            (
                clients,
                f"{median([run.per_second for run in served]):,.0f}",
                spread([run.per_second for run in served]),
                f"{median([run.cpu_us for run in served]):.0f}",
                f"{median(waits):.2f}",
                f"{percentile(waits, 0.99):.2f}",
                f"{median([run.per_second for run in replayed]):,.0f}",
                f"{median([run.cpu_us for run in replayed]):.0f}",
                ratio([run.per_second for run in served], [run.per_second for run in replayed]),
            )
        )
    show(f"SQLite: the mixed load through the dispatcher, {rounds} interleaved rounds", head, rows)
    against = ratio([run.per_second for run in ours[32]], [run.per_second for run in by_32])
    print(f"\n32 clients against raw C in batches of exactly 32: {against}; raw C is SQLite {by_32[0].version}")
