"""Versioned migrations: numbered SQL files, each applied whole in one transaction together with its record.

`0001_core.sql` is for both engines; `0001_core.sqlite.sql` or `0001_core.postgres.sql`, where there is one, follows
it in the same transaction. A kill at any step leaves the database at the version before or after, never between.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pendesk.store.engine import sqlite

_FILE = re.compile(r"(\d{4})_([a-z_]+)\.sql\Z")
_LOCK_KEY = 0x70656E6465736B  # "pendesk", so that processes that start together queue up

CREATE_TABLE = "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)"
APPLIED = "SELECT version FROM schema_migrations ORDER BY version"
RECORD = "INSERT INTO schema_migrations (version, name) VALUES ({version}, '{name}')"


class NewerDatabase(Exception):
    """The database was written by a newer program; this one would misread it."""


class Migration(NamedTuple):
    version: int
    name: str
    sql: str


class Database(Protocol):
    """The little of a connection that a migration needs."""

    engine: str

    def run_script(self, sql: str) -> None: ...
    def applied_versions(self) -> list[int]: ...


def all_migrations(engine: str) -> list[Migration]:
    folder = resources.files("pendesk.store.engine") / "migrations"
    texts = {entry.name: entry for entry in folder.iterdir()}
    migrations = []
    for filename in sorted(texts):
        match = _FILE.match(filename)
        if match is None:
            continue
        sql = texts[filename].read_text("utf-8")
        engine_text = texts.get(filename.replace(".sql", f".{engine}.sql"))
        migrations.append(
            Migration(int(match[1]), match[2], sql + (engine_text.read_text("utf-8") if engine_text else ""))
        )
    return migrations


class SqliteDatabase:
    engine = "sqlite"

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def run_script(self, sql: str) -> None:
        self._connection.execute(sql).fetchall()  # to the end: a statement with rows would stop there

    def applied_versions(self) -> list[int]:
        return [row[0] for row in self._connection.execute(APPLIED)]


class PostgresDatabase:
    engine = "postgres"

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def run_script(self, sql: str) -> None:
        self._connection.execute(sql)

    def applied_versions(self) -> list[int]:
        return [row[0] for row in self._connection.execute(APPLIED).fetchall()]


@contextmanager
def open_database_with_begin_statement(
    sqlite_path: Path | None, postgres_url: str | None
) -> Iterator[tuple[Database, str]]:
    """A connection for migrations, with the statement that begins a transaction no other migration shares."""
    if postgres_url is not None:
        from pendesk.store.engine.postgres_connect import connect

        with connect(postgres_url, autocommit=True) as connection:
            yield PostgresDatabase(connection), f"BEGIN; SELECT pg_advisory_xact_lock({_LOCK_KEY})"
    else:
        assert sqlite_path is not None
        link = sqlite.connect(sqlite_path)
        try:
            yield SqliteDatabase(link), "BEGIN IMMEDIATE"
        finally:
            link.close()


def migrate(sqlite_path: Path | None, postgres_url: str | None) -> list[Migration]:
    """Bring the database to this program's version; what was applied is given back."""
    with open_database_with_begin_statement(sqlite_path, postgres_url) as (database, begin):
        migrations = all_migrations(database.engine)
        newest = migrations[-1].version
        return [
            migration
            for migration in migrations
            if _apply_if_pending(database, begin, migration, newest_known_version=newest)
        ]


def pending_migrations(sqlite_path: Path | None, postgres_url: str | None) -> list[Migration]:
    with open_database_with_begin_statement(sqlite_path, postgres_url) as (database, begin):
        database.run_script(begin)
        database.run_script(CREATE_TABLE)
        applied = _read_and_check_applied_versions(
            database, newest_known_version=all_migrations(database.engine)[-1].version
        )
        database.run_script("ROLLBACK")
        return [migration for migration in all_migrations(database.engine) if migration.version not in applied]


def _apply_if_pending(database: Database, begin_sql: str, migration: Migration, *, newest_known_version: int) -> bool:
    # An error needs no ROLLBACK here: the connection is closed at once, and with it what was begun.
    database.run_script(begin_sql)
    database.run_script(CREATE_TABLE)
    if migration.version in _read_and_check_applied_versions(database, newest_known_version=newest_known_version):
        database.run_script("ROLLBACK")
        return False
    database.run_script(migration.sql)
    database.run_script(RECORD.format(version=migration.version, name=migration.name))
    database.run_script("COMMIT")
    return True


def _read_and_check_applied_versions(database: Database, *, newest_known_version: int) -> list[int]:
    applied = database.applied_versions()
    if applied and applied[-1] > newest_known_version:
        raise NewerDatabase(
            f"The database is at version {applied[-1]}, this program knows up to {newest_known_version}. "
            "Install the newer pendesk that wrote it, or restore a backup made by this version."
        )
    return applied
