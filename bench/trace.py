"""Every statement, with its values, that the dispatcher executes for the mixed load.

A trace is a list of operations; an operation is a list of statements. BEGIN and COMMIT are not part of an operation:
how many operations shared one commit is kept beside it, as the size of each batch.
"""

import asyncio
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import apsw

from bench.load import CYCLE, Work, cycle, open_dispatcher, works
from bench.seed import Shape
from pendesk import clock
from pendesk.store.engine.sqlite import SqliteStore

T = TypeVar("T")
Statement = tuple[str, tuple[Any, ...]]

_NAME = re.compile(r"(?<!:):([a-z_]+)")


class Trace(NamedTuple):
    operations: list[list[Statement]]
    batches: list[int]

    def in_batches_of(self, size: int) -> "Trace":
        full_batches, rest = divmod(len(self.operations), size)
        return Trace(self.operations, [size] * full_batches + ([rest] if rest else []))


class TracingStore(SqliteStore):
    """The real store, which also keeps what it executes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, clock.now_us)
        self.trace = Trace([], [])
        self._in_batch = 0
        self._writer.exec_trace = self._keep

    async def write(self, workspace: str, work: Callable[[Any], T]) -> T:
        def traced(tx: Any) -> T:
            self.trace.operations.append([])
            self._in_batch += 1
            return work(tx)

        return await super().write(workspace, traced)

    def _keep(self, cursor: apsw.Cursor, sql: str, bindings: Any) -> bool:
        if sql in ("COMMIT", "ROLLBACK"):
            self.trace.batches.append(self._in_batch)
            self._in_batch = 0
        elif not sql.startswith(("BEGIN", "PRAGMA")):  # the checkpoint comes between batches; C makes its own
            self.trace.operations[-1].append((sql, _values(sql, bindings)))
        return True


def _values(sql: str, bindings: Any) -> tuple[Any, ...]:
    """The values in the order in which SQLite numbers their names."""
    return tuple(bindings[name] for name in dict.fromkeys(_NAME.findall(sql))) if bindings else ()


async def record(
    path: Path, shape: Shape, clients: int, cycles: int, prepare: Callable[[Work], Work] = lambda work: work
) -> Trace:
    """The load of `clients` clients, each going through so many cycles, on the database at `path`."""
    store = TracingStore(path)
    dispatcher = open_dispatcher(store)

    async def run(client: int) -> None:
        lane = works(shape, client, clients)
        for _ in range(cycles):
            await cycle(dispatcher, prepare(next(lane)), [])

    await asyncio.gather(*(run(client) for client in range(clients)))
    await store.close()
    assert len(store.trace.operations) == sum(store.trace.batches) == clients * cycles * len(CYCLE)
    return store.trace


def save(trace: Trace, path: Path) -> None:
    """For raw_sqlite.c: the texts, then the executions; lengths and numbers are little-endian.

    An execution is the number of its text, its count of values, and each value as a type and its bytes.
    """
    numbers: dict[str, int] = {"BEGIN IMMEDIATE": 0, "COMMIT": 1}
    body: list[bytes] = []
    operations = iter(trace.operations)
    for size in trace.batches:
        body.append(struct.pack("<II", 0, 0))
        for _ in range(size):
            for sql, values in next(operations):
                number = numbers.setdefault(sql, len(numbers))
                body.append(struct.pack("<II", number, len(values)) + b"".join(map(_packed, values)))
        body.append(struct.pack("<II", 1, 0))
    texts = b"".join(struct.pack("<I", len(sql.encode())) + sql.encode() for sql in numbers)
    head = struct.pack("<III", len(numbers), len(trace.operations), len(body))
    path.write_bytes(head + texts + b"".join(body))


def _packed(value: Any) -> bytes:
    match value:
        case None:
            return b"n"
        case int():
            return b"i" + struct.pack("<q", value)
        case str():
            text = value.encode()
            return b"t" + struct.pack("<I", len(text)) + text
    raise TypeError(f"no statement of the load binds a {type(value).__name__}")
