"""One PostgreSQL connection, spoken to in libpq's pipeline mode.

A statement is prepared at its first use and from then on sent by name, without waiting. What was sent is read back
when rows are asked for or the transaction ends. psycopg's cursors can do the same for several times the CPU time
(measured: docs/internals/storage.md); connecting, the pool, errors and the reading of values are psycopg's.
"""

import logging
import select
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import errors
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, ExecStatus, PipelineStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from pendesk.store.engine import dialect
from pendesk.store.engine.tx import Row

log = logging.getLogger("pendesk.postgres")

_IN, _IN_OUT = select.POLLIN, select.POLLIN | select.POLLOUT
_SUCCEEDED = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)


class SentStatement:
    """A statement under way; it has a result once that was read."""

    __slots__ = ("prepared_sql", "result")

    def __init__(self, prepared_sql: str | None = None) -> None:
        self.prepared_sql = prepared_sql
        self.result: PGresult | None = None


class PipelinedConnection:
    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._pgconn = connection.pgconn
        self._values = Transformer(connection)
        self._prepared: dict[str, tuple[bytes, tuple[str, ...]]] = {}
        self._names = 0
        self._unread: list[SentStatement] = []
        self._poll = select.poll()
        self._poll.register(self._pgconn.socket, _IN)
        self._closing_reason = ""
        self._unanswered_syncs = 0
        connection.add_notice_handler(self._on_notice)

    def begin_transaction(self, begin_sql: str) -> None:
        self._pgconn.enter_pipeline_mode()
        self.send(begin_sql, {})

    def send(self, sql: str, params: dict[str, Any]) -> SentStatement:
        prepared = self._prepared.get(sql)
        name, names = prepared if prepared is not None else self._prepare_returning_name_and_params(sql)
        self._pgconn.send_query_prepared(name, [encode_sql_parameter(params[place]) for place in names])
        sent = SentStatement()
        self._unread.append(sent)
        return sent

    def fetch_rows(self, sent: SentStatement) -> list[Row]:
        if sent.result is None:
            self._pgconn.send_flush_request()
            self._raise_if_failed(self._read_results_and_find_failure())
        assert sent.result is not None
        self._values.set_pgresult(sent.result)
        return self._values.load_rows(0, sent.result.ntuples, tuple)

    def end_transaction(self, end_sql: str) -> None:
        """Send the last statement and see that everything that was sent succeeded."""
        self.send(end_sql, {})
        self._pgconn.pipeline_sync()
        failed = self._read_results_and_find_failure()
        self._next_result()  # the answer to the sync
        self._pgconn.exit_pipeline_mode()
        self._raise_if_failed(failed)

    def roll_back_open_transaction(self) -> None:
        """Leave the transaction, in whatever state it is; a connection that cannot is broken, and the pool sees it."""
        with suppress(psycopg.OperationalError):
            if self._pgconn.pipeline_status != PipelineStatus.OFF:
                self._discard_results_and_exit_pipeline()
            if self._pgconn.transaction_status != TransactionStatus.IDLE:
                self._pgconn.exec_(b"ROLLBACK")

    def analyze(self, tables: list[str]) -> None:
        """Between transactions. Without it plans are worse until PostgreSQL does it by itself, and nothing else."""
        try:
            result = self._pgconn.exec_(f"ANALYZE {', '.join(tables)}".encode())
            self._raise_if_failed(result if result.status not in _SUCCEEDED else None)
        except psycopg.Error as error:
            log.warning("the statistics of %d tables were not updated: %s", len(tables), error)

    # Without waiting, for who watches the socket (postgres_lookups.py): each statement is a transaction of its own.

    @property
    def socket(self) -> int:
        return self._pgconn.socket

    def begin_lookups(self) -> None:
        self._pgconn.nonblocking = 1
        self._pgconn.enter_pipeline_mode()

    def end_statement(self) -> None:
        self._pgconn.pipeline_sync()
        self._unanswered_syncs += 1

    def try_flush(self) -> bool:
        """False where something is left that cannot be sent now."""
        return self._pgconn.flush() == 0

    def iter_arrived_results(self) -> Iterator[ExecStatus]:
        """What each is: statements get their results, and a sync follows when all before it have theirs."""
        self._pgconn.consume_input()
        while self._unanswered_syncs and not self._pgconn.is_busy():
            result = self._pgconn.get_result()
            if result is None:
                continue  # the end of one statement's results
            status = ExecStatus(result.status)
            if status == ExecStatus.PIPELINE_SYNC:
                self._unanswered_syncs -= 1
            else:
                self._unread.pop(0).result = result
            yield status

    def close(self) -> None:
        self._pgconn.finish()

    def check_open(self) -> None:
        """Raises if the server has closed the connection: that arrives unasked. Asking would cost a round trip."""
        try:
            while self._poll.poll(0):
                self._pgconn.consume_input()
        except psycopg.OperationalError as error:
            self._pgconn.is_busy()  # takes in what the server said before it closed
            raise psycopg.OperationalError(self._closing_reason or str(error)) from error

    def _on_notice(self, notice: psycopg.errors.Diagnostic) -> None:
        """Unasked, a server says why it ends a connection as if it were a notice."""
        if notice.severity_nonlocalized in ("FATAL", "PANIC"):
            self._closing_reason = notice.message_primary or ""

    def _prepare_returning_name_and_params(self, sql: str) -> tuple[bytes, tuple[str, ...]]:
        text, names = dialect.to_postgres_sql_and_param_names(sql)
        self._names += 1
        name = f"{self._names} {text.split(maxsplit=1)[0]}".encode()  # the word is for whoever reads what is sent
        self._pgconn.send_prepare(name, text.encode())
        self._unread.append(SentStatement(prepared_sql=sql))
        self._prepared[sql] = (name, names)
        return name, names

    def _read_results_and_find_failure(self) -> PGresult | None:
        """Take the results of all that was sent; the first that is a failure is given back."""
        self._flush()
        failure: PGresult | None = None
        unread, self._unread = self._unread, []
        for index, sent in enumerate(unread):
            result = sent.result = self._next_result()
            if result is None:
                raise psycopg.OperationalError("the connection is lost")
            self._next_result()  # None: the end of this statement's results
            if failure is None and result.status not in _SUCCEEDED:
                self._forget_prepared(unread[index:])
                failure = result
        return failure

    def _discard_results_and_exit_pipeline(self) -> None:
        """Read and drop what is under way, up to a new beginning."""
        self._pgconn.pipeline_sync()
        self._flush()
        self._forget_prepared(self._unread)
        self._unread = []
        while (result := self._next_result()) is None or result.status != ExecStatus.PIPELINE_SYNC:
            pass
        self._pgconn.exit_pipeline_mode()

    def _forget_prepared(self, statements: list[SentStatement]) -> None:
        """After a failure nothing that followed was prepared, and what nobody read may be prepared or not.

        Names are never used twice, so a statement that is forgotten is merely prepared again.
        """
        for sent in statements:
            if sent.prepared_sql is not None:
                self._prepared.pop(sent.prepared_sql, None)

    def _flush(self) -> None:
        while self._pgconn.flush():
            self._poll.modify(self._pgconn.socket, _IN_OUT)
            ready = self._poll.poll()
            self._poll.modify(self._pgconn.socket, _IN)
            if ready[0][1] & _IN:
                self._pgconn.consume_input()

    def _next_result(self) -> PGresult | None:
        while self._pgconn.is_busy():
            self._poll.poll()
            self._pgconn.consume_input()
        return self._pgconn.get_result()

    def _raise_if_failed(self, failed_result: PGresult | None) -> None:
        if failed_result is None:
            return
        if self._pgconn.status != ConnStatus.OK:
            raise psycopg.OperationalError(failed_result.get_error_message())
        raise errors.error_from_result(failed_result)


def encode_sql_parameter(value: Any) -> bytes | None:
    """A value as PostgreSQL reads it; its type follows from where it stands in the statement."""
    if value is None:
        return None
    if isinstance(value, str):
        if "\0" in value:
            raise psycopg.DataError("a text of PostgreSQL cannot hold the character 0")
        return value.encode()
    return str(int(value) if isinstance(value, bool) else value).encode()
