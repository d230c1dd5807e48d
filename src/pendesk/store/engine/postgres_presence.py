"""Which processes work with a PostgreSQL database, wherever they run: the locks of a data folder do not tell.

Their connections say so: each carries the process's name, which `pg_stat_activity` shows. A lock held for their whole
life would not do: behind a pooler that lends connections by the transaction it stays with the connection when its
owner is gone, for everybody. So the lock here lasts only as long as a start or a restore. There the names can deceive
as well (docs/internals/storage.md), but the locks of a shared data folder hold.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from pendesk.store.engine.folder_lock import POLL_S, SHARED_WAIT_S, InUse, ProcessInfo
from pendesk.store.engine.postgres_connect import connect, conninfo_with_defaults

_LOCK_KEY = 0x70656E6465736B02  # beside that of the migrations
_NAME_BYTES = 63  # as much as PostgreSQL keeps
_SETTINGS = """
SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN '{wait_ms}' ELSE '0' END, true) FROM pg_settings
WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
"""
_OTHERS = """
SELECT DISTINCT application_name, coalesce(host(client_addr), 'its own machine') FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'pendesk %' ORDER BY 1, 2
"""


def conninfo_with_process_name(url: str, process: ProcessInfo) -> str:
    """The address of the database, by which connections carry the process's name."""
    return make_conninfo(
        conninfo_with_defaults(url), application_name=f"{process.command} {process.version} {process.url}"[:_NAME_BYTES]
    )


@contextmanager
def hold_releasable_startup_lock(url: str) -> Iterator[Callable[[], None]]:
    """Nobody replaces the database until what is given is called: by then our connections must be seen."""
    with _hold_advisory_lock(url, "pg_advisory_xact_lock_shared", SHARED_WAIT_S) as connection:
        yield connection.close


@contextmanager
def hold_exclusive_database_lock(database_url: str, wait_s: float) -> Iterator[None]:
    """No other process works with the database, and none starts."""
    with _hold_advisory_lock(database_url, "pg_advisory_xact_lock", max(wait_s, POLL_S)) as connection:
        deadline = time.monotonic() + wait_s
        while others := _other_process_names_and_hosts(connection):
            if time.monotonic() >= deadline:
                raise InUse(_database_in_use_message(others))
            time.sleep(POLL_S)  # the connections of a process that has just ended are closed a moment later
        yield


@contextmanager
def _hold_advisory_lock(url: str, pg_lock_function_name: str, wait_s: float) -> Iterator["psycopg.Connection[Any]"]:
    connection = connect(url)
    try:
        connection.execute(_SETTINGS.format(wait_ms=int(wait_s * 1000)))
        try:
            connection.execute(f"SELECT {pg_lock_function_name}({_LOCK_KEY})")
        except psycopg.errors.LockNotAvailable:
            raise InUse(
                "Another process starts with this PostgreSQL database, migrates or replaces it. Try again when it is "
                "done."
            ) from None
        yield connection
    finally:
        with suppress(psycopg.Error):
            connection.close()


def _other_process_names_and_hosts(connection: "psycopg.Connection[Any]") -> list[tuple[str, str]]:
    connection.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it saw first
    return connection.execute(_OTHERS).fetchall()


def _database_in_use_message(process_names_and_hosts: list[tuple[str, str]]) -> str:
    listed = "; ".join(f"`{name.strip()}` from {host}" for name, host in process_names_and_hosts)
    return (
        f"The PostgreSQL database is in use: {listed}. Stop that first, then run this again. If it no longer runs, a "
        "pooler or a lost machine keeps its connection: see pg_stat_activity, and end it with pg_terminate_backend."
    )
