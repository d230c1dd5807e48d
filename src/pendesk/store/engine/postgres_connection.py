"""One of the server's connections, set as its statements need it."""

import time
from typing import Any, Self

import psycopg

from pendesk.store.engine.postgres_connect import FailureLog
from pendesk.store.engine.postgres_link import PipelinedConnection
from pendesk.store.engine.tx import Row

STATEMENT_LIMIT = "30s"
IDLE_LIMIT = "60s"


class PgConnection(psycopg.Connection[Row]):
    link: PipelinedConnection
    connected_at: float

    @classmethod
    def connect(cls, conninfo: str = "", *, failures: FailureLog, **options: Any) -> Self:  # type: ignore[override]
        """The pool calls this in a thread of its own and keeps the reason of a failure to itself."""
        began_at = time.monotonic()
        try:
            connection = super().connect(conninfo, **options)
            configure_connection(connection)
        except psycopg.Error as error:
            failures.record(error, began_at)
            raise
        failures.record_connected()
        return connection


def configure_connection(connection: PgConnection) -> None:
    connection.autocommit = True  # transactions are begun and ended here, by name
    connection.execute(f"SET statement_timeout = '{STATEMENT_LIMIT}'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_LIMIT}'")
    # Nearly every statement finds rows by their key: planning it anew for its values takes longer than running it. What
    # takes long is no better off, with few exceptions (measured: docs/internals/storage.md).
    connection.execute("SET plan_cache_mode = force_generic_plan")
    # A plan that was made while a table was empty would read it whole for ever after; and where events wait for their
    # numbers there are few, but the remains of many.
    connection.execute("SET enable_seqscan = off")
    connection.execute("SET jit = off")  # compiling takes longer than any of them runs
    connection.link = PipelinedConnection(connection)
    connection.connected_at = time.monotonic()
