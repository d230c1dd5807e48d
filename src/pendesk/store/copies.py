"""A database as one file, taken while the server writes, and put back."""

import os
import shutil
import subprocess
from pathlib import Path

import apsw

from pendesk.store.sqlite import connect


class CopyFailed(Exception):
    """The database could not be copied or put back; says what to do."""


KEPT_FILES = "SELECT storage_key FROM attachments WHERE removed_at IS NULL"


def copy_sqlite(source: Path, target: Path) -> None:
    """One moment of the database: all in one step, so that no write can come between."""
    from_, to = connect(source, readonly=True), apsw.Connection(str(target))
    try:
        with to.backup("main", from_, "main") as copying:
            copying.step(-1)
        to.pragma("journal_mode", "delete")  # a single file, without a log beside it
        check_sqlite(to, target)
    finally:
        to.close()
        from_.close()


def check_sqlite(connection: apsw.Connection, path: Path) -> None:
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        raise CopyFailed(f"{path} is damaged: {'; '.join(found)}. Run `pendesk doctor --full`.")


def kept_files(copy: Path) -> set[str]:
    """The attachments that the copy refers to."""
    connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return {str(row[0]) for row in connection.execute(KEPT_FILES)}
    finally:
        connection.close()


def dump_postgres(url: str, target: Path) -> None:
    """By PostgreSQL's own program, which knows how to take one moment of a busy database."""
    _run_tool("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def load_postgres(url: str, source: Path) -> None:
    options = ["--no-owner", "--no-privileges", "--clean", "--if-exists", "--single-transaction", "--exit-on-error"]
    _run_tool("pg_restore", url, *options, f"--dbname={_environment(url)['PGDATABASE']}", str(source))


def has_tables(url: str) -> bool:
    import psycopg

    with psycopg.connect(url, connect_timeout=5) as connection:
        row = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
        assert row is not None
        return bool(row[0])


def _run_tool(name: str, url: str, *arguments: str) -> None:
    program = shutil.which(name)
    if program is None:
        raise CopyFailed(
            f"{name} is not on the PATH. Install PostgreSQL's client programs, or copy the database yourself and use "
            "--files-only."
        )
    # Where to go stands in the environment: a command line is for all to read.
    environ = {**os.environ, **_environment(url)}
    done = subprocess.run([program, *arguments], env=environ, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise CopyFailed(f"{name} failed: {done.stderr.strip()[-500:]}")


def _environment(url: str) -> dict[str, str]:
    from psycopg.conninfo import conninfo_to_dict

    told = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD", "dbname": "PGDATABASE"}
    more = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "options": "PGOPTIONS"}
    return {variable: told[name] for name, variable in {**names, **more}.items() if name in told}
