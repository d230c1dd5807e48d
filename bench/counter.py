"""What numbering the events of a workspace costs on PostgreSQL.

The counter's row is locked until the commit, so the commits of one workspace come one after the other and do not
share an fsync. pgbench runs the same cycle with the counter and, for comparison only, with numbers that need no lock.
"""

from collections import defaultdict

from bench import pgbench
from bench.figures import median, ratio, show
from bench.postgres import ACTIONS, CLIENTS, opened
from bench.seed import Shape
from pendesk.store.engine.dialect import POSTGRES_APPEND_EVENT

WORKSPACES = (1, 2, 8)

# Numbers that are unique without asking anyone; a reader could miss some, which is why the store does not do this.
UNLOCKED = POSTGRES_APPEND_EVENT.replace(
    "UPDATE event_counters SET last_seq = last_seq + 1 WHERE workspace_id = :workspace RETURNING last_seq",
    "SELECT nextval('unlocked') AS last_seq",
)


def main(rounds: int = 3, seconds: float = 4.0) -> None:
    locked: dict[int, list[float]] = defaultdict(list)
    free: dict[int, list[float]] = defaultdict(list)
    with opened() as bench:
        shapes = [Shape(ACTIONS, workspaces) for workspaces in WORKSPACES]
        cycles = {shape: bench.seed(shape) for shape in shapes}
        for _ in range(rounds):
            for shape in shapes:
                unlocked = [
                    (UNLOCKED if sql == POSTGRES_APPEND_EVENT else sql, params) for sql, params in cycles[shape]
                ]
                for into, statements in ((locked, cycles[shape]), (free, unlocked)):
                    url = bench.new_database(shape)
                    bench.add_sequence(url)
                    text = pgbench.script(statements, shape, CLIENTS)
                    into[shape.workspaces].append(pgbench.run(bench.cluster, url, text, CLIENTS, seconds))
    rows = [
        (
            workspaces,
            f"{median(locked[workspaces]):,.0f}",
            f"{median(free[workspaces]):,.0f}",
            ratio(locked[workspaces], free[workspaces]),
        )
        for workspaces in WORKSPACES
    ]
    head = ("workspaces", "with the counter, ops/s", "without a lock, ops/s", "ratio")
    show(f"PostgreSQL: the event counter under pgbench, {CLIENTS} clients, {rounds} interleaved rounds", head, rows)
