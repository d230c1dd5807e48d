"""PostgreSQL: a pool of connections, one transaction per operation, each in a worker thread.

Statements whose rows nobody needs are sent without waiting (pipeline mode), so an operation costs as many round
trips as it reads. Locks are taken in one order everywhere: member, project, spec, action. Events get their numbers
after the commit (postgres_numbering.py); what reads the log by them finds all that this process has committed.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from pendesk.clock import Clock
from pendesk.domain.errors import Unavailable
from pendesk.store.engine.callbacks import (
    CommitListener,
    run_stop_iteration_as_runtime_error,
    with_errors_logged_not_raised,
)
from pendesk.store.engine.heavy_reads import HeavyReads
from pendesk.store.engine.postgres_connect import (
    FailureLog,
    commit_outcome_unknown_error,
    conninfo_with_defaults,
    database_unreachable_error,
    is_connection_lost,
    redacted_error_reason,
)
from pendesk.store.engine.postgres_connection import PgConnection
from pendesk.store.engine.postgres_link import PipelinedConnection
from pendesk.store.engine.postgres_lookups import Lookups, LookupsUnavailable
from pendesk.store.engine.postgres_notify import NOTIFY, iter_notification_payloads
from pendesk.store.engine.postgres_numbering import EventNumbering
from pendesk.store.engine.postgres_pooler import LOST_STATEMENT, NO_PREPARED_STATEMENTS
from pendesk.store.engine.postgres_share import fair_pool_size, heavy_share, read_places_and_servers
from pendesk.store.engine.postgres_threads import TransactionThreads
from pendesk.store.engine.postgres_tx import LogBehind, PostgresTx

T = TypeVar("T")

TRIES = 4
DEADLOCK_PAUSE_S = 0.05
POOL_WAIT_S = 10.0
# Beyond the pool's and the statements' own limits: a server that accepts and then says nothing.
ANSWER_WAIT_S = 45.0
LONG_WAIT_S = 600.0
# The pool waits ever longer between two tries to connect, up to minutes, and begins anew after this time.
RECONNECT_S = 4.0
BEGIN = ("BEGIN",)
BEGIN_READ = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",)
# What may take long may also have to go through a table.
BEGIN_LONG_READ = (*BEGIN_READ, "SET LOCAL enable_seqscan = on")

# Another transaction won a race that only the database could see: the same work, run again, meets the winner's
# rows and decides by the rules.
BROKEN = (errors.UniqueViolation, errors.ForeignKeyViolation)  # made meanwhile, or deleted meanwhile
LOST_RACE = (*BROKEN, errors.SerializationFailure, errors.DeadlockDetected)


async def _wait_for(running: "Future[T]", seconds: float) -> T:
    async with asyncio.timeout(seconds):
        # A caller that goes away must not stop a transaction half-way.
        return await asyncio.shield(asyncio.wrap_future(running))


class ReadOnlyServer(psycopg.OperationalError):
    """It refuses to write: no connection to it is of use, and nothing was saved."""

    sqlstate = errors.ReadOnlySqlTransaction.sqlstate


class PostgresStore:
    engine = "postgres"

    def __init__(self, url: str, clock: Clock | None, connections: int) -> None:
        """The database's own clock decides, so that servers with wrong clocks agree; tests give another."""
        self._clock = clock
        self._url = conninfo_with_defaults(url)
        self._failures = FailureLog()
        self._dropping = threading.Lock()
        self._dropped_at = 0.0
        self._connections = connections
        self._pool = self._open_pool(connections)
        self._threads = TransactionThreads(connections)
        self._heavy = HeavyReads(heavy_share(connections))
        self._numbering = EventNumbering(self._url, self._failures)
        self._lookups = Lookups(self._connect_for_lookups, clock)

    def _open_pool(self, most: int) -> ConnectionPool[PgConnection]:
        return ConnectionPool[PgConnection](
            self._url,
            min_size=1,
            max_size=most,
            timeout=POOL_WAIT_S,
            connection_class=PgConnection,
            check=self._check_connection_is_open,
            reconnect_timeout=RECONNECT_S,
            reconnect_failed=lambda pool: pool.check(),  # which tries anew: somebody may be waiting
            kwargs={"failures": self._failures},
            open=True,
        )

    async def take_fair_share_of_connections(self) -> None:
        """Have no more than is left for each of the servers that there are now."""
        places, servers = await self.read("", read_places_and_servers)
        size = fair_pool_size(places, servers, self._connections)
        if size == self._pool.max_size:
            return
        # A pool that is made smaller would keep what it has: who waits for the old one asks the new one.
        former, self._pool = self._pool, self._open_pool(size)
        self._heavy.allow(heavy_share(size))
        await asyncio.to_thread(former.close)

    async def write(self, workspace: str, work: Callable[[PostgresTx], T]) -> T:
        return await self._run_transaction_in_thread(BEGIN, workspace, work)

    async def read(self, workspace: str, work: Callable[[PostgresTx], T]) -> T:
        return await self._run_transaction_in_thread(BEGIN_READ, workspace, work)

    async def look_up(self, work: Callable[[Any], T]) -> T:
        try:
            return await self._lookups.run(work)
        except LookupsUnavailable:
            return await self.read("", work)

    async def long_read(self, workspace: str, work: Callable[[PostgresTx], T]) -> T:
        return await self._run_transaction_in_thread(BEGIN_LONG_READ, workspace, work, LONG_WAIT_S)

    async def heavy_read(self, workspace: str, work: Callable[[PostgresTx], T]) -> T:
        """The same for what may take seconds: it has no more than a part of the connections."""
        running = await self._heavy.start(self._transaction(BEGIN_LONG_READ, workspace, work))
        return await self._answer(_wait_for(running, LONG_WAIT_S), running.cancel, BEGIN_LONG_READ)

    async def long_write(self, workspace: str, work: Callable[[PostgresTx], T]) -> T:
        """A write that may take long."""
        return await self._run_transaction_in_thread(BEGIN, workspace, work, LONG_WAIT_S)

    def on_commit(self, listener: CommitListener) -> None:
        """When its events have their numbers: who is woken reads the log by them."""
        loop, notify = asyncio.get_running_loop(), with_errors_logged_not_raised(listener)
        self._numbering.start(lambda workspace: loop.call_soon_threadsafe(notify, workspace))

    async def notify_other_servers(self, payload: str) -> None:
        """In a transaction of its own: see feed/peers.py."""
        await self.write("", lambda tx: tx.run(NOTIFY, message=payload))

    def iter_notification_payloads(self) -> AsyncIterator[str]:
        return iter_notification_payloads(self._url)

    def recent_failure_reason(self) -> str:
        """Why there is no connection; empty while nothing is known to be wrong."""
        return self._failures.recent_reason_or_empty

    async def close(self) -> None:
        await self._lookups.close()
        self._threads.close()
        self._heavy.close()
        self._numbering.close()
        self._pool.close()

    async def look_for_damage(self, *, full: bool) -> str:
        """PostgreSQL looks after its own pages."""
        return ""

    def known_damage(self) -> str:
        return ""

    def metric_gauges(self) -> dict[str, float]:
        """Figures for /metrics."""
        stats = self._pool.get_stats()
        names = ("pool_size", "pool_available", "requests_waiting", "requests_queued", "connections_errors")
        return {f"pool_{name.removeprefix('pool_')}": stats.get(name, 0) for name in names}

    async def _run_transaction_in_thread(
        self,
        begin_sql: tuple[str, ...],
        workspace: str,
        work: Callable[[PostgresTx], T],
        answer_wait_s: float = ANSWER_WAIT_S,
    ) -> T:
        running = self._threads.start(self._transaction(begin_sql, workspace, work))
        return await self._answer(running.wait_for_answer(answer_wait_s), running.cancel, begin_sql)

    def _transaction(
        self, begin_sql: tuple[str, ...], workspace: str, work: Callable[[PostgresTx], T]
    ) -> Callable[[], T]:
        """For a thread. The wait for a connection counts from here, so that callers who queue for a thread do not add
        theirs up.
        """
        wait_until = time.monotonic() + POOL_WAIT_S
        return partial(self._run_transaction_with_log_numbered, begin_sql, workspace, work, wait_until)

    async def _answer(self, answer: Awaitable[T], cancel: Callable[[], bool], begin_sql: tuple[str, ...]) -> T:
        """Refused where it does not come in time; what has begun by then may still be saved."""
        try:
            return await answer
        except TimeoutError as error:
            why = self._failures.recent_reason_or_empty or "it does not answer"
            raise (
                database_unreachable_error(why) if cancel() or begin_sql != BEGIN else commit_outcome_unknown_error(why)
            ) from error

    def _run_transaction_with_log_numbered(
        self,
        begin_sql: tuple[str, ...],
        workspace: str,
        work: Callable[[PostgresTx], T],
        wait_until: float,
    ) -> T:
        """Where it reads the log, all that was committed before has its number."""
        log_behind = self._numbering.is_behind  # asked before it begins: what it sees is of that moment
        try:
            return self._run_transaction_with_retries(begin_sql, workspace, work, wait_until, log_behind=log_behind)
        except LogBehind:
            self._numbering.catch_up()
            return self._run_transaction_with_retries(begin_sql, workspace, work, wait_until, log_behind=False)

    def _run_transaction_with_retries(
        self,
        begin_sql: tuple[str, ...],
        workspace: str,
        work: Callable[[PostgresTx], T],
        wait_until: float,
        *,
        log_behind: bool,
    ) -> T:
        for attempt in range(1, TRIES + 1):
            progress, began_at = TransactionProgress(), time.monotonic()
            try:
                return self._attempt_transaction(
                    begin_sql, workspace, work, wait_until, progress, log_behind=log_behind
                )
            except LOST_RACE as error:
                if attempt == TRIES and isinstance(error, BROKEN):
                    raise  # no race is lost so often: the work itself is wrong
                if attempt == TRIES:
                    raise Unavailable(
                        "Too many changed the same at once. Nothing of this was saved; try again shortly."
                    ) from error
                if isinstance(error, errors.DeadlockDetected):
                    time.sleep(DEADLOCK_PAUSE_S * attempt)  # whoever was let through goes first
            except LOST_STATEMENT as error:
                raise Unavailable(NO_PREPARED_STATEMENTS) from error
            except PoolTimeout as error:
                raise database_unreachable_error(
                    self._failures.recent_reason_or_empty
                    or f"all {self._pool.max_size} connections of this server are in use"
                ) from error
            except psycopg.OperationalError as error:
                self._failures.record(error, began_at)
                if progress.committing and is_connection_lost(error):
                    raise commit_outcome_unknown_error(redacted_error_reason(error)) from error
                if attempt == TRIES:
                    raise database_unreachable_error(redacted_error_reason(error)) from error
        raise AssertionError("unreachable")

    def _attempt_transaction(
        self,
        begin_sql: tuple[str, ...],
        workspace: str,
        work: Callable[[PostgresTx], T],
        wait_until: float,
        progress: "TransactionProgress",
        *,
        log_behind: bool,
    ) -> T:
        pool, connection = self._get_connection(max(0.0, wait_until - time.monotonic()))
        try:
            return self._run_transaction(connection.link, begin_sql, workspace, work, progress, log_behind=log_behind)
        except errors.ReadOnlySqlTransaction as error:
            if begin_sql != BEGIN:
                raise  # by our own wish it may not write
            self._drain_pool(connection)
            raise ReadOnlyServer(str(error)) from error
        finally:
            pool.putconn(connection)

    def _get_connection(self, pool_wait_s: float) -> tuple[ConnectionPool[PgConnection], PgConnection]:
        while True:
            pool = self._pool
            try:
                return pool, pool.getconn(pool_wait_s)
            except PoolClosed:
                if pool is self._pool:  # the store itself is closed
                    raise

    def _drain_pool(self, failed_connection: PgConnection) -> None:
        """The others lead to the same server: each would cost one more failed write to find out."""
        with self._dropping:
            if failed_connection.connected_at < self._dropped_at:
                return  # those made since may be good
            self._dropped_at = time.monotonic()
            self._pool.drain()
            self._lookups.disconnect()

    def _connect_for_lookups(self) -> PipelinedConnection:
        return PgConnection.connect(self._url, failures=self._failures).link

    def _check_connection_is_open(self, connection: PgConnection) -> None:
        try:
            connection.link.check_open()
        except psycopg.OperationalError as error:
            self._failures.record(error, connection.connected_at)
            raise

    def _run_transaction(
        self,
        pipelined_connection: PipelinedConnection,
        begin_sql: tuple[str, ...],
        workspace: str,
        work: Callable[[PostgresTx], T],
        progress: "TransactionProgress",
        *,
        log_behind: bool,
    ) -> T:
        try:
            pipelined_connection.begin_transaction(begin_sql[0])
            for setting in begin_sql[1:]:
                pipelined_connection.send(setting, {})
            tx = PostgresTx(pipelined_connection, workspace, self._clock, log_behind=log_behind)
            outcome = run_stop_iteration_as_runtime_error(work, tx)
            pipelined_connection.check_open()  # a connection that is gone by now cannot have saved anything
            progress.committing = begin_sql == BEGIN
            pipelined_connection.end_transaction("COMMIT")
        except BaseException:
            pipelined_connection.roll_back_open_transaction()
            raise
        if tx.logged:
            self._numbering.record_commit(workspace)
        if tx.tables_to_analyze:
            pipelined_connection.analyze(tx.tables_to_analyze)
        return outcome


class TransactionProgress:
    """How far a transaction came before its connection broke."""

    committing = False
