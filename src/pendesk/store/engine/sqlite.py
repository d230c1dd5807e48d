"""SQLite: one writer with group commit, reads beside it.

Writes queue up. A batch runs them one after the other in one transaction, each in a savepoint of its own, on the
event loop's thread; only the COMMIT, which waits for the disk, runs in a helper thread. Writes that arrive
meanwhile form the next batch, so one fsync serves many callers. An answer leaves only after its commit.

Statements stay on the loop's thread because they take microseconds and a second Python thread would fight for the
interpreter (measured: docs/internals/storage.md).
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pendesk.clock import Clock
from pendesk.domain.errors import Unavailable
from pendesk.store.engine import dialect
from pendesk.store.engine.callbacks import (
    CommitListener,
    run_stop_iteration_as_runtime_error,
    with_errors_logged_not_raised,
)
from pendesk.store.engine.heavy_reads import HeavyReads
from pendesk.store.engine.sqlite_turn import LongWriteTurn
from pendesk.store.engine.tx import Row, count_text_bytes

T = TypeVar("T")

BATCH_WRITES = 256
BUSY_WAIT_S = 10.0
BUSY_PAUSE_S = 0.002
SYNCHRONOUS = "full"  # a commit waits for the disk; the tests' own databases need not outlive a power cut
CACHE_KIB = 64 * 1024
MMAP_BYTES = 8 * 1024**3
CHECKPOINT_PAGES = 1_000
SCANS_AT_ONCE = HEAVY_AT_ONCE = 4
DAMAGES_NAMED = 5
STEPS_BETWEEN_LOOKS = 10_000  # of SQLite's machine: whether the server ends meanwhile
# The first release without the WAL-reset fault that can corrupt a database with several connections.
OLDEST_SQLITE = (3, 51, 3)
# The disk, not the caller or the program: the same call may well succeed later.
DISK_ERRORS = (
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.CorruptError,
    apsw.NoMemError,
    apsw.BusyError,
)


class SqliteTx:
    __slots__ = ("_execute", "logged", "now", "text_bytes", "workspace", "wrote")
    writes_alone = True
    saves_in_parts = False

    def __init__(self, connection: apsw.Connection, workspace: str, now: int) -> None:
        self._execute = connection.cursor().execute  # one cursor for all: making one takes as long as a short statement
        self.workspace = workspace
        self.now = now
        self.wrote = False
        self.logged = False  # has it written an event
        self.text_bytes = 0

    def one(self, sql: str, **params: Any) -> Row | None:
        params["workspace"] = self.workspace
        rows = self._execute(dialect.to_sqlite_sql(sql), params).fetchall()
        return rows[0] if rows else None

    def all(self, sql: str, **params: Any) -> list[Row]:
        params["workspace"] = self.workspace
        return self._execute(dialect.to_sqlite_sql(sql), params).fetchall()

    def read_ahead(self, sql: str, **params: Any) -> None:
        pass

    def run(self, sql: str, **params: Any) -> None:
        if not self.wrote:
            self.begin_savepoint()
        params["workspace"] = self.workspace
        self.text_bytes += count_text_bytes(params)
        self._execute(dialect.to_sqlite_sql(sql), params)

    def run_returning(self, sql: str, **params: Any) -> list[Row]:
        if not self.wrote:
            self.begin_savepoint()
        self.text_bytes += count_text_bytes(params)
        return self.all(sql, **params)

    def lock(self, sql: str, **params: Any) -> None:
        pass

    def let_others_write(self) -> None:
        pass  # nobody waits for it for long

    def while_others_write(self, read: Callable[[], T]) -> T:
        return read()

    def update_statistics_after_commit(self, tables: Collection[str]) -> None:
        pass

    def append_event(self, sql_values: dict[str, Any]) -> None:
        self.append_event_returning_id(sql_values)

    def append_event_returning_id(self, sql_values: dict[str, Any]) -> int:
        if not self.wrote:
            self.begin_savepoint()
        sql_values["workspace"] = self.workspace
        self.text_bytes += count_text_bytes(sql_values)
        rows: list[Row] = self._execute(dialect.SQLITE_APPEND_EVENT, sql_values).fetchall()
        event_id: int = rows[0][0]  # its number
        self.logged = True
        return event_id

    def full_text_search(self, words: list[str], project_id: str, kind: str, parts: str, limit: int) -> list[Row]:
        scope = {"project_id": project_id, "kind": kind}
        query = dialect.build_sqlite_fts_query(words)
        return self.all(dialect.SQLITE_SEARCH, query=query, parts=parts, limit=limit, **scope)

    def full_text_action_ids(self, words: list[str], project_id: str, after: str, limit: int) -> list[str]:
        query = dialect.build_sqlite_fts_query(words)
        rows = self.all(dialect.SQLITE_SEARCH_ACTION_IDS, query=query, project_id=project_id, after=after, limit=limit)
        return [row[0] for row in rows]

    # A savepoint is opened by the first statement that writes: most refusals come before it and cost nothing.

    def begin_savepoint(self) -> None:
        self._execute("SAVEPOINT work")
        self.wrote = True

    def release_savepoint(self) -> None:
        if self.wrote:
            self._execute("RELEASE work")

    def rollback(self) -> None:
        if self.wrote:
            self._execute("ROLLBACK TO work")
            self._execute("RELEASE work")
            self.wrote = self.logged = False
            self.text_bytes = 0


class LongWriteTx(SqliteTx):
    """One that others wait for, until it lets them write."""

    __slots__ = ("_clock", "_connection", "_turn")
    saves_in_parts = True

    def __init__(self, connection: apsw.Connection, workspace: str, clock: Clock, turn: LongWriteTurn) -> None:
        super().__init__(connection, workspace, clock())
        self._connection = connection
        self._clock = clock
        self._turn = turn

    def let_others_write(self) -> None:
        if self._turn.is_over():
            self.while_others_write(self._turn.pause)

    def while_others_write(self, read: Callable[[], T]) -> T:
        self.release_savepoint()
        commit(self._connection)
        self.wrote = False
        try:
            return self._turn.while_others_write(read)
        finally:
            self.now = self._clock()


class PendingWrite:
    __slots__ = ("future", "logged", "outcome", "work", "workspace")

    def __init__(self, workspace: str, work: Callable[[Any], Any], future: "asyncio.Future[Any]") -> None:
        self.workspace = workspace
        self.work = work
        self.future = future
        self.logged = False
        self.outcome: Any = None

    def deliver_result(self) -> None:
        if self.future.done():  # the caller went away; its write stands
            return
        if isinstance(self.outcome, BaseException):
            self.future.set_exception(self.outcome)
        else:
            self.future.set_result(self.outcome)


def connect(path: Path, *, readonly: bool = False, vfs: str | None = None) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    connection = apsw.Connection(str(path), flags=flags, vfs=vfs, statementcachesize=300)
    _enable_wal(connection)
    connection.set_busy_timeout(int(BUSY_WAIT_S * 1000))
    connection.pragma("synchronous", SYNCHRONOUS)
    connection.pragma("foreign_keys", True)
    connection.pragma("cache_size", -CACHE_KIB)
    connection.pragma("mmap_size", MMAP_BYTES)
    connection.pragma("temp_store", "memory")
    # Plans must not depend on the values bound: else SQLite prepares most statements anew for each execution.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    if readonly:
        connection.pragma("query_only", True)
    return connection


def _enable_wal(connection: apsw.Connection) -> None:
    """SQLite does not wait here by itself: of several processes that open a new file at once, all but one fail."""
    for _ in range(int(BUSY_WAIT_S / BUSY_PAUSE_S)):
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            time.sleep(BUSY_PAUSE_S)
    connection.pragma("journal_mode", "wal")


class SqliteStore:
    engine = "sqlite"

    def __init__(self, path: Path, clock: Clock, *, vfs: str | None = None) -> None:
        """`vfs` names another way to the disk; tests give one that fails."""
        self._path = path
        self._vfs = vfs
        self._clock = clock
        self._writer = connect(path, vfs=vfs)
        # A batch waits for another process's lock by sleeping in the loop, never by blocking it.
        self._writer.set_busy_timeout(0)
        # In place of SQLite's own checkpoint, which is part of the COMMIT: ours comes when the callers have left.
        self._log_pages = 0
        self._writer.set_wal_hook(self._on_wal_commit)
        self._reader = connect(path, readonly=True, vfs=vfs)
        self._queue: deque[PendingWrite] = deque()
        # Long writes that wait for their turn: to begin, or to go on.
        self._loads: deque[Callable[[], None]] = deque()
        self._active = False
        self._long_writes_under_way = 0  # one that lets others write is still under way
        self._batches = self._batched_writes = 0
        self._notify: Callable[[str], None] = lambda _workspace: None
        self._committer = ThreadPoolExecutor(1, thread_name_prefix="pendesk-commit")
        self._scanners = ThreadPoolExecutor(SCANS_AT_ONCE, thread_name_prefix="pendesk-scan")
        self._heavy = HeavyReads(HEAVY_AT_ONCE)
        self._idle: deque[apsw.Connection] = deque()  # connections of scans that are over: making one takes 2 ms
        self._closing = False
        self._damage = ""

    async def write(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        loop = asyncio.get_running_loop()
        pending = PendingWrite(workspace, work, loop.create_future())
        self._queue.append(pending)
        self._ensure_active(loop)
        answer: T = await pending.future
        return answer

    async def long_write(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        """A write that may take long: in a thread, on a connection of its own. Other writers wait, readers do not.

        It takes turns with the batches. Each would otherwise have to catch a moment at which the other lets go of the
        database, and give up where there is none. One that `Tx.let_others_write` takes as many turns as it needs.
        """
        loop = asyncio.get_running_loop()
        pending = PendingWrite(workspace, work, loop.create_future())
        self._long_writes_under_way += 1
        self._wait_for_turn(loop, partial(self._start_long_write, loop, pending))
        answer: T = await pending.future
        return answer

    def _wait_for_turn(self, loop: asyncio.AbstractEventLoop, begin: Callable[[], None]) -> None:
        self._loads.append(begin)
        self._ensure_active(loop)

    def _ensure_active(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._active:
            self._active = True
            loop.call_soon(self._start_next_writes, loop)

    async def read(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        return self._run_read_on_connection(self._reader, workspace, work)

    async def look_up(self, work: Callable[[SqliteTx], T]) -> T:
        return self._run_read_on_connection(self._reader, "", work)

    async def long_read(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        """A read that may take long: in a thread, on a connection of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._scanners, self._run_long_read, workspace, work)

    async def heavy_read(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        """The same for what may take seconds, in threads that nothing else waits for."""
        running = await self._heavy.start(partial(self._run_long_read, workspace, work))
        return await asyncio.wrap_future(running)

    def _run_long_read(self, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        connection = self._take_read_connection()
        try:
            answer = self._run_read_on_connection(connection, workspace, work)
        except BaseException:
            connection.close()  # whatever is wrong with it is not for the next one
            raise
        self._idle.append(connection)
        return answer

    def _take_read_connection(self) -> apsw.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            pass
        try:
            return connect(self._path, readonly=True, vfs=self._vfs)
        except DISK_ERRORS as error:
            raise database_unusable_error(error) from error

    def on_commit(self, listener: CommitListener) -> None:
        self._notify = with_errors_logged_not_raised(listener)

    async def look_for_damage(self, *, full: bool) -> str:
        """What is wrong with the file, empty where nothing is; it stays so until a full look finds nothing."""
        damage = await asyncio.get_running_loop().run_in_executor(self._scanners, self._examine, full)
        if damage is not None and (damage or full):
            self._damage = damage
        return self._damage

    def known_damage(self) -> str:
        return self._damage

    def _examine(self, full: bool) -> str | None:
        """None where it was broken off by the end of the server. It may take minutes, so it runs in a thread."""
        connection = self._take_read_connection()
        connection.set_progress_handler(lambda: self._closing, STEPS_BETWEEN_LOOKS)
        try:
            rows = connection.execute(f"PRAGMA {'integrity_check' if full else 'quick_check'}({DAMAGES_NAMED})")
            problems = [str(row[0]) for row in rows]
            return "" if problems == ["ok"] else "; ".join(problems)
        except apsw.InterruptError:
            return None
        except (apsw.CorruptError, apsw.NotADBError) as error:
            return str(error)
        except DISK_ERRORS as error:
            raise database_unusable_error(error) from error
        finally:
            connection.close()

    async def close(self) -> None:
        while self._active or self._long_writes_under_way:
            await asyncio.sleep(BUSY_PAUSE_S)
        self._closing = True
        self._committer.shutdown()
        self._scanners.shutdown()
        self._heavy.close()
        while self._idle:
            self._idle.pop().close()
        self._reader.close()
        self._writer.close()

    def metric_gauges(self) -> dict[str, float]:
        """Figures for /metrics."""
        return {
            "write_batches": self._batches,
            "batched_writes": self._batched_writes,
            "queued_writes": len(self._queue),
        }

    def recent_failure_reason(self) -> str:
        """Each caller is told its own; nothing is behind a connection that others could have lost."""
        return ""

    def _run_read_on_connection(self, connection: apsw.Connection, workspace: str, work: Callable[[SqliteTx], T]) -> T:
        try:
            connection.execute("BEGIN")
            return run_stop_iteration_as_runtime_error(work, SqliteTx(connection, workspace, self._clock()))
        except DISK_ERRORS as error:
            raise database_unusable_error(error) from error
        finally:
            roll_back(connection)

    def _start_long_write(self, loop: asyncio.AbstractEventLoop, pending: PendingWrite) -> None:
        # In a thread of its own: between its turns it waits, and others must not wait for it then.
        threading.Thread(
            target=self._run_long_write, args=(loop, pending), name="pendesk-long-write", daemon=True
        ).start()

    def _run_long_write(self, loop: asyncio.AbstractEventLoop, pending: PendingWrite) -> None:
        try:
            connection = connect(self._path, vfs=self._vfs)
            try:
                pending.outcome = self._run_long_write_on_connection(loop, connection, pending)
            finally:
                connection.close()
        except DISK_ERRORS as error:
            pending.outcome = database_unusable_error(error)
        except BaseException as error:
            pending.outcome = error
        loop.call_soon_threadsafe(self._finish_long_write, loop, pending)

    def _run_long_write_on_connection(
        self, loop: asyncio.AbstractEventLoop, connection: apsw.Connection, pending: PendingWrite
    ) -> Any:
        turn = LongWriteTurn(
            connection,
            give=lambda: loop.call_soon_threadsafe(self._start_writes_of_others, loop),
            ask=lambda begin: loop.call_soon_threadsafe(self._wait_for_turn, loop, begin),
        )
        try:
            turn.begin()
            tx = LongWriteTx(connection, pending.workspace, self._clock, turn)
            outcome = run_stop_iteration_as_runtime_error(pending.work, tx)
            tx.release_savepoint()
            commit(connection)
            pending.logged = tx.logged
            return outcome
        except DISK_ERRORS as error:
            raise cannot_write_error(error) from error
        finally:
            roll_back(connection)

    def _finish_long_write(self, loop: asyncio.AbstractEventLoop, pending: PendingWrite) -> None:
        self._long_writes_under_way -= 1
        self._deliver_result_and_notify(pending)
        self._start_writes_of_others(loop)

    def _start_writes_of_others(self, loop: asyncio.AbstractEventLoop) -> None:
        """Whoever waited meanwhile comes before the next one that takes long."""
        if self._queue:
            self._start_batch(loop)
        else:
            self._start_next_writes(loop)

    def _start_batch(self, loop: asyncio.AbstractEventLoop, waited_s: float = 0.0) -> None:
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            if waited_s < BUSY_WAIT_S:
                loop.call_later(BUSY_PAUSE_S, self._start_batch, loop, waited_s + BUSY_PAUSE_S)
                return
            self._fail_batch(
                self._take_batch(), cannot_write_error("another process has held the database for too long")
            )
            self._schedule_next_writes(loop)
            return
        except apsw.Error as error:
            self._fail_batch(self._take_batch(), cannot_write_error(error))
            self._schedule_next_writes(loop)
            return
        batch = self._take_batch()
        self._batches += 1
        self._batched_writes += len(batch)
        wrote = False
        for pending in batch:
            wrote |= self._run_pending_and_check_if_wrote(pending)
            if not self._writer.in_transaction:
                # The database gave up the whole batch. What ran on now would be saved by itself.
                wrote = True
                break
        if not wrote:
            # Briefs read again, retries, refusals: nothing to save, so nobody waits for the disk or for a thread.
            roll_back(self._writer)
            self._deliver_batch_results(loop, batch)
            return
        loop.run_in_executor(self._committer, commit, self._writer).add_done_callback(
            lambda finished: self._finish_batch(loop, batch, finished)
        )

    def _run_pending_and_check_if_wrote(self, pending: PendingWrite) -> bool:
        """Has it written anything?"""
        tx = SqliteTx(self._writer, pending.workspace, self._clock())
        try:
            pending.outcome = run_stop_iteration_as_runtime_error(pending.work, tx)
            tx.release_savepoint()
            pending.logged = tx.logged
        except BaseException as error:
            pending.outcome = database_unusable_error(error) if isinstance(error, DISK_ERRORS) else error
            try:
                if self._writer.in_transaction:
                    tx.rollback()
            except apsw.Error:  # then none of the batch may stay
                roll_back(self._writer)
        return tx.wrote

    def _finish_batch(
        self, loop: asyncio.AbstractEventLoop, batch: list[PendingWrite], finished: "asyncio.Future[None]"
    ) -> None:
        error = finished.exception()
        if error is not None:
            self._fail_batch(batch, error)
            self._schedule_next_writes(loop)
        else:
            self._deliver_batch_results(loop, batch)

    def _deliver_batch_results(self, loop: asyncio.AbstractEventLoop, batch: list[PendingWrite]) -> None:
        for pending in batch:
            self._deliver_result_and_notify(pending)
        self._schedule_next_writes(loop)

    def _deliver_result_and_notify(self, pending: PendingWrite) -> None:
        pending.deliver_result()
        if pending.logged:
            self._notify(pending.workspace)

    def _on_wal_commit(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _checkpoint_wal(self) -> None:
        """Runs in the helper thread. One that fails costs nothing but a longer log; the next one tries again."""
        self._log_pages = 0
        with suppress(apsw.Error):
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _schedule_next_writes(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._log_pages >= CHECKPOINT_PAGES:
            checkpointing = loop.run_in_executor(self._committer, self._checkpoint_wal)
            checkpointing.add_done_callback(lambda _: self._schedule_next_writes(loop))
            return
        # Not at once: callers that were just answered get to queue their next write first.
        loop.call_soon(self._start_next_writes, loop)

    def _start_next_writes(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._loads:
            self._loads.popleft()()
        elif self._queue:
            self._start_batch(loop)
        else:
            self._active = False

    def _take_batch(self) -> list[PendingWrite]:
        return [self._queue.popleft() for _ in range(min(len(self._queue), BATCH_WRITES))]

    def _fail_batch(self, batch: list[PendingWrite], error: BaseException) -> None:
        """For all alike: a rule that refused one of them may have seen what another had not saved."""
        for pending in batch:
            pending.outcome = error
            pending.deliver_result()


def commit(connection: apsw.Connection) -> None:
    """Waits for the disk, so it runs in a thread. Raises the refusal for all that was to be saved."""
    if not connection.in_transaction:
        raise cannot_write_error("it took back what it had begun")
    try:
        connection.execute("COMMIT")
    except apsw.Error as error:
        roll_back(connection)
        raise _failed_commit_error(connection, error) from error


def _failed_commit_error(connection: apsw.Connection, error: apsw.Error) -> Unavailable:
    """This process will not see what it wrote, but its log may hold it whole, where the next one would find it."""
    try:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except apsw.Error:
        busy = None
    if busy is not None and busy[0] == 0:
        return cannot_write_error(error)
    return Unavailable(
        f"The database failed while it was saving ({error}). Whether this was saved is not known: "
        "repeat it with the same idempotency_key, or look before you repeat it.",
        code="outcome_unknown",
    )


def roll_back(connection: apsw.Connection) -> None:
    """End the transaction, if the database has not ended it already. An error on the way does not keep it open."""
    if connection.in_transaction:
        with suppress(apsw.Error):
            connection.execute("ROLLBACK")


def cannot_write_error(reason: object) -> Unavailable:
    return Unavailable(f"The database cannot write now ({reason}). Nothing was changed; try again when it can.")


def database_unusable_error(error: apsw.Error) -> Unavailable:
    return Unavailable(f"The database cannot be used now ({error}). Nothing was changed; try again when it can.")
