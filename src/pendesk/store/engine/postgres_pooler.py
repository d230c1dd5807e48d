"""Whether prepared statements stay with us: behind a pooler that lends connections by the transaction they may not."""

import threading
from contextlib import suppress

import psycopg
from psycopg import errors
from psycopg.pq import ExecStatus

from pendesk.settings import SettingError
from pendesk.store.engine.postgres_connect import connect

_NAME = b"pendesk_probe"
_HOLD_S = 5.0

LOST_STATEMENT = (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement)
NO_PREPARED_STATEMENTS = (
    "The pooler between Pendesk and PostgreSQL lends connections by the transaction and does not carry prepared "
    "statements along. Use PgBouncer 1.21 or newer with max_prepared_statements = 500, or pool_mode = session, or "
    "PostgreSQL's own address in database_url."
)


def check_prepared_statements_stay(url: str) -> None:
    """Refuses a pooler that loses them. What else is wrong, whoever uses the database next finds, and says why."""
    with suppress(psycopg.OperationalError), connect(url, autocommit=True) as ours:
        ours.pgconn.prepare(_NAME, b"SELECT 1")
        with connect(url, autocommit=True) as other:
            # A pooler gives the connection that was used last to who comes next. If there is only one, we would wait
            # for it for ever.
            give_up = threading.Timer(_HOLD_S, other.close)
            give_up.start()
            try:
                other.execute("BEGIN")
                if ours.pgconn.exec_prepared(_NAME, []).status != ExecStatus.TUPLES_OK:
                    raise SettingError(NO_PREPARED_STATEMENTS)
            finally:
                give_up.cancel()
