"""A database of an older version, with rows of that time, brought to this version."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest import mock

from pendesk.operations.dispatch import Store
from pendesk.store.engine import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.desk import HandClock

Target = tuple[Path | None, str | None]


@asynccontextmanager
async def migrated(target: Target, version: int, old_rows: Iterable[str]) -> AsyncIterator[Store]:
    known = migrate.all_migrations
    with mock.patch.object(migrate, "all_migrations", lambda engine: known(engine)[:version]):
        migrate.migrate(*target)
    with migrate.open_database_with_begin_statement(*target) as (database, _):
        for statement in old_rows:
            database.run_script(statement)
    migrate.migrate(*target)
    path, url = target
    store = SqliteStore(path, HandClock()) if path else PostgresStore(url or "", HandClock(), connections=2)
    yield store
    await store.close()
