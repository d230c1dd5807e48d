"""SQLite: one writer with group commit, reads beside it.

Writes queue up. A batch runs them one after the other in one transaction, each in a savepoint of its own, on the
event loop's thread; only the COMMIT, which waits for the disk, runs in a helper thread. Writes that arrive
meanwhile form the next batch, so one fsync serves many callers. An answer leaves only after its commit.

Statements stay on the loop's thread because they take microseconds and a second Python thread would fight for the
interpreter (measured: docs/internals/storage.md).
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pendesk.clock import Clock
from pendesk.domain.errors import Refusal, Unavailable
from pendesk.store import dialect
from pendesk.store.tx import Row

T = TypeVar("T")

BATCH_WRITES = 256
BUSY_WAIT_S = 10.0
BUSY_PAUSE_S = 0.002
CACHE_KIB = 64 * 1024
MMAP_BYTES = 8 * 1024**3
# The first release without the WAL-reset fault that can corrupt a database with several connections.
OLDEST_SQLITE = (3, 51, 3)


class SqliteTx:
    __slots__ = ("_execute", "now", "workspace", "wrote")

    def __init__(self, connection: apsw.Connection, workspace: str, now: int) -> None:
        self._execute = connection.execute
        self.workspace = workspace
        self.now = now
        self.wrote = False

    def one(self, sql: str, **params: Any) -> Row | None:
        params["workspace"] = self.workspace
        cursor = self._execute(dialect.for_sqlite(sql), params)
        row = cursor.fetchone()
        cursor.close()
        return row

    def all(self, sql: str, **params: Any) -> list[Row]:
        params["workspace"] = self.workspace
        return self._execute(dialect.for_sqlite(sql), params).fetchall()

    def run(self, sql: str, **params: Any) -> None:
        if not self.wrote:
            self.begin_write()
        params["workspace"] = self.workspace
        self._execute(dialect.for_sqlite(sql), params)

    def lock(self, sql: str, **params: Any) -> None:
        pass

    def append_event(self, sql_values: dict[str, Any]) -> int:
        if not self.wrote:
            self.begin_write()
        sql_values["workspace"] = self.workspace
        cursor = self._execute(dialect.SQLITE_APPEND_EVENT, sql_values)
        row = cursor.fetchone()
        cursor.close()
        assert row is not None
        seq: int = row[0]
        return seq

    def search(self, words: list[str], project_id: str | None, limit: int) -> list[Row]:
        sql = dialect.SQLITE_SEARCH.format(project="AND t.project_id = :project_id" if project_id else "")
        params = {"query": dialect.sqlite_search_query(words), "limit": limit, "workspace": self.workspace}
        if project_id:
            params["project_id"] = project_id
        return self._execute(sql, params).fetchall()

    # A savepoint is opened by the first statement that writes: most refusals come before it and cost nothing.

    def begin_write(self) -> None:
        self._execute("SAVEPOINT work")
        self.wrote = True

    def keep(self) -> None:
        if self.wrote:
            self._execute("RELEASE work")

    def undo(self) -> None:
        if self.wrote:
            self._execute("ROLLBACK TO work")
            self._execute("RELEASE work")
            self.wrote = False


class Pending:
    __slots__ = ("future", "outcome", "work", "workspace", "wrote")

    def __init__(self, workspace: str, work: Callable[[Any], Any], future: "asyncio.Future[Any]") -> None:
        self.workspace = workspace
        self.work = work
        self.future = future
        self.outcome: Any = None
        self.wrote = False

    def settle(self) -> None:
        if self.future.done():  # the caller went away; its write stands
            return
        if isinstance(self.outcome, BaseException):
            self.future.set_exception(self.outcome)
        else:
            self.future.set_result(self.outcome)


def connect(path: Path, *, readonly: bool = False) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags, statementcachesize=300)
    connection.set_busy_timeout(int(BUSY_WAIT_S * 1000))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("foreign_keys", True)
    connection.pragma("cache_size", -CACHE_KIB)
    connection.pragma("mmap_size", MMAP_BYTES)
    connection.pragma("temp_store", "memory")
    # Plans must not depend on the values bound: else SQLite prepares most statements anew for each execution.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    if readonly:
        connection.pragma("query_only", True)
    return connection


class SqliteStore:
    engine = "sqlite"

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._writer = connect(path)
        # A batch waits for another process's lock by sleeping in the loop, never by blocking it.
        self._writer.set_busy_timeout(0)
        self._reader = connect(path, readonly=True)
        self._queue: deque[Pending] = deque()
        self._active = False
        self._batches = self._batched_writes = 0
        self._committer = ThreadPoolExecutor(1, thread_name_prefix="pendesk-commit")
        self._scanners = ThreadPoolExecutor(2, thread_name_prefix="pendesk-scan")

    async def write(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        loop = asyncio.get_running_loop()
        pending = Pending(workspace, work, loop.create_future())
        self._queue.append(pending)
        if not self._active:
            self._active = True
            loop.call_soon(self._start_batch, loop)
        answer: T = await pending.future
        return answer

    async def read(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        return self._read_on(self._reader, workspace, work)

    async def scan(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        """A read that may take long: in a thread, on a connection of its own."""

        def run() -> T:
            connection = connect(self._path, readonly=True)
            try:
                return self._read_on(connection, workspace, work)
            finally:
                connection.close()

        return await asyncio.get_running_loop().run_in_executor(self._scanners, run)

    async def close(self) -> None:
        while self._active:
            await asyncio.sleep(BUSY_PAUSE_S)
        self._committer.shutdown()
        self._scanners.shutdown()
        self._reader.close()
        self._writer.close()

    def gauges(self) -> dict[str, float]:
        """Figures for /metrics."""
        return {
            "write_batches": self._batches,
            "batched_writes": self._batched_writes,
            "queued_writes": len(self._queue),
        }

    def _read_on(self, connection: apsw.Connection, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        connection.execute("BEGIN")
        try:
            return work(SqliteTx(connection, workspace, self._clock()))
        finally:
            connection.execute("COMMIT")

    def _start_batch(self, loop: asyncio.AbstractEventLoop, waited_s: float = 0.0) -> None:
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            if waited_s < BUSY_WAIT_S:
                loop.call_later(BUSY_PAUSE_S, self._start_batch, loop, waited_s + BUSY_PAUSE_S)
                return
            self._fail(self._take(), "another process has held the database for too long")
            self._next_batch(loop)
            return
        except apsw.Error as error:
            self._fail(self._take(), str(error))
            self._next_batch(loop)
            return
        batch = self._take()
        self._batches += 1
        self._batched_writes += len(batch)
        for pending in batch:
            self._run(pending)
        loop.run_in_executor(self._committer, self._commit).add_done_callback(
            lambda done: self._finish_batch(loop, batch, done)
        )

    def _run(self, pending: Pending) -> None:
        tx = SqliteTx(self._writer, pending.workspace, self._clock())
        try:
            pending.outcome = pending.work(tx)
            pending.wrote = tx.wrote
            tx.keep()
        except BaseException as error:
            pending.outcome = error
            if not self._writer.in_transaction:
                return  # SQLite gave up the whole batch (disk full, I/O error); the commit will say so
            tx.undo()

    def _commit(self) -> None:
        if not self._writer.in_transaction:
            raise apsw.FullError("the transaction was rolled back by the database")
        self._writer.execute("COMMIT")

    def _finish_batch(
        self, loop: asyncio.AbstractEventLoop, batch: list[Pending], done: "asyncio.Future[None]"
    ) -> None:
        error = done.exception()
        if error is None:
            for pending in batch:
                pending.settle()
        else:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            self._fail(batch, str(error))
        self._next_batch(loop)

    def _next_batch(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not at once: callers that were just answered get to queue their next write first.
        if self._queue:
            loop.call_soon(self._start_batch, loop)
        else:
            self._active = False

    def _take(self) -> list[Pending]:
        return [self._queue.popleft() for _ in range(min(len(self._queue), BATCH_WRITES))]

    def _fail(self, batch: list[Pending], reason: str) -> None:
        for pending in batch:
            # A refusal that wrote nothing needs no commit to be true.
            if pending.wrote or not isinstance(pending.outcome, Refusal):
                pending.outcome = Unavailable(
                    f"The database cannot write now ({reason}). Nothing was changed; try again when it can."
                )
            pending.settle()
