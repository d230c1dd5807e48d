"""A database as one file, taken while the server writes, and put back. `Progress` gets how much is done of how much."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from pendesk.store.engine.sqlite import connect
from pendesk.store.installation import FINGERPRINT, READ_FINGERPRINT

Progress = Callable[[int, int], None]

PAGES_AT_ONCE = 2_000


class CopyFailed(Exception):
    """The database could not be copied or put back; says what to do."""


class CopyInfo(NamedTuple):
    """The attachments that a copy refers to, and the fingerprint of the secret that it is bound to."""

    files: set[str]
    fingerprint: str | None


ATTACHED_FILES = "SELECT storage_key FROM attachments WHERE removed_at IS NULL"
ANALYZE = "ANALYZE"
COUNT_TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


def copy_sqlite(source: Path, target: Path, progress: Progress) -> CopyInfo:
    """One moment of the database.

    The transaction holds that moment: without it each write of the server would make the copy begin anew.
    """
    original, copy = connect(source, readonly=True), apsw.Connection(str(target))
    try:
        original.execute("BEGIN; SELECT count(*) FROM schema_migrations").fetchall()
        with copy.backup("main", original, "main") as copying:
            while not copying.done:
                copying.step(PAGES_AT_ONCE)
                progress(copying.page_count - copying.remaining, copying.page_count)
        copy.pragma("journal_mode", "delete")  # a single file, without a log beside it
        check_sqlite_integrity(copy, target)
        return CopyInfo(
            {str(row[0]) for row in copy.execute(ATTACHED_FILES)}, _fetch_first_value(copy.execute(READ_FINGERPRINT))
        )
    finally:
        copy.close()
        original.close()


def sqlite_secret_fingerprint(path: Path) -> str | None:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return _fetch_first_value(connection.execute(READ_FINGERPRINT))
    finally:
        connection.close()


def check_sqlite_integrity(connection: apsw.Connection, path: Path) -> None:
    problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if problems != ["ok"]:
        raise CopyFailed(f"{path} is damaged: {'; '.join(problems)}. Run `pendesk doctor --full`.")


def copy_postgres(url: str, target: Path, progress: Progress) -> CopyInfo:
    """By PostgreSQL's own program, at a moment that our transaction holds; what it refers to is read there too."""
    import psycopg

    from pendesk.store.engine import postgres_connect

    with postgres_connect.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        snapshot, tables = connection.execute(f"SELECT pg_export_snapshot(), ({COUNT_TABLES})").fetchone()  # type: ignore[misc]
        copied = CopyInfo(
            {str(row[0]) for row in connection.execute(ATTACHED_FILES)},
            _fetch_first_value(connection.execute(READ_FINGERPRINT)),
        )
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={target}"]
        _capture_postgres_tool_output("pg_dump", url, options, lambda tables_done: progress(tables_done, tables))
    return copied


def postgres_secret_fingerprint(url: str) -> str | None:
    """Of the database as it is; None where nothing is in it yet."""
    from pendesk.store.engine import postgres_connect

    with postgres_connect.connect(url) as connection:
        has_table = _fetch_first_value(connection.execute("SELECT to_regclass('installation')::text"))
        return _fetch_first_value(connection.execute(READ_FINGERPRINT)) if has_table else None


def secret_fingerprint_in_dump(url: str, dump: Path) -> str | None:
    """Out of a copy, before it is loaded."""
    options = ["--data-only", "--table=installation", "--file=-", str(dump)]
    rows = _capture_postgres_tool_output("pg_restore", url, options, lambda _done: None)
    match = re.search(rf"^{FINGERPRINT}\t([0-9a-f]{{64}})$", rows, re.MULTILINE)
    return match[1] if match else None


def restore_postgres(url: str, dump: Path, progress: Progress) -> None:
    """All of it or nothing: one transaction."""
    tables = read_dump_table_of_contents(url, dump).count(" TABLE DATA ")
    options = ["--no-owner", "--no-privileges", "--clean", "--if-exists", "--single-transaction", "--exit-on-error"]
    where = f"--dbname={_libpq_environment(url)['PGDATABASE']}"
    _capture_postgres_tool_output(
        "pg_restore", url, [*options, where, str(dump)], lambda tables_done: progress(tables_done, tables)
    )
    _update_statistics(url)


def _update_statistics(url: str) -> None:
    """A copy has none. Without them plans are worse until PostgreSQL looks by itself, and nothing else."""
    import psycopg

    from pendesk.store.engine import postgres_connect

    with suppress(psycopg.Error), postgres_connect.connect(url, autocommit=True) as connection:
        connection.execute(ANALYZE)


def read_dump_table_of_contents(url: str, dump: Path) -> str:
    """What a copy holds; a damaged one, or one of a newer PostgreSQL, is refused."""
    return _capture_postgres_tool_output("pg_restore", url, ["--list", str(dump)], lambda _done: None)


def is_postgres_initialized(url: str) -> bool:
    from pendesk.store.engine import postgres_connect

    with postgres_connect.connect(url) as connection:
        row = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
        assert row is not None
        return bool(row[0])


def _fetch_first_value(cursor: Any) -> str | None:
    row = cursor.fetchone()
    return row[0] if row else None


_TABLE_BEGUN = re.compile("dumping contents of table|processing data for table")


def _capture_postgres_tool_output(
    name: str, url: str, arguments: list[str], on_started_table_count: Callable[[int], None]
) -> str:
    """What it prints; `on_started_table_count` is called with how many tables it has begun."""
    program = shutil.which(name)
    if program is None:
        raise CopyFailed(
            f"{name} is not on the PATH. Install PostgreSQL's client programs, or copy the database yourself and use "
            "--files-only."
        )
    # Where to go stands in the environment: a command line is for all to read.
    environ = {**os.environ, **_libpq_environment(url), "LC_ALL": "C"}
    tables_begun = 0
    last_lines: list[str] = []
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed,
        subprocess.Popen(  # noqa: S603
            [program, "--verbose", *arguments], env=environ, stdout=printed, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            tables_begun += bool(_TABLE_BEGUN.search(line))
            on_started_table_count(tables_begun)
            last_lines = [*last_lines[-5:], line]
        if process.wait() != 0:
            raise CopyFailed(f"{name} failed: {''.join(last_lines).strip()[-500:]}")
        printed.seek(0)
        return printed.read()


def _libpq_environment(url: str) -> dict[str, str]:
    from psycopg.conninfo import conninfo_to_dict

    from pendesk.store.engine.postgres_connect import conninfo_with_defaults

    parameters = {
        name: str(value) for name, value in conninfo_to_dict(conninfo_with_defaults(url)).items() if value is not None
    }
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
    more = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "options": "PGOPTIONS"}
    more["target_session_attrs"] = "PGTARGETSESSIONATTRS"
    return {variable: parameters[name] for name, variable in {**names, **more}.items() if name in parameters}
