from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pendesk.store.engine import sqlite_turn
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.store.files import Files
from tests.desk import TestDesk
from tests.postgres import PostgresCluster


@pytest.fixture(scope="session")
def second_database(postgres: PostgresCluster) -> str:
    url = postgres.create_database("elsewhere")
    migrate(None, url)
    return url


@pytest.fixture
async def elsewhere(desk: TestDesk, second_database: str, tmp_path: Path) -> AsyncIterator[TestDesk]:
    """Another installation, on the other engine, with files of its own."""
    if desk.store.engine == "postgres":
        migrate(tmp_path / "pendesk.db", None)
        store: SqliteStore | PostgresStore = SqliteStore(tmp_path / "pendesk.db", desk.clock)
    else:
        store = PostgresStore(second_database, desk.clock, connections=2)
    other = await TestDesk(store, desk.clock).open("Elsewhere")
    other.installation = other.dispatcher.installation = other.installation._replace(files=Files(tmp_path / "files"))
    yield other
    await store.close()


@pytest.fixture(autouse=True)
def every_step_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite an import lets others write whenever it may."""
    monkeypatch.setattr(sqlite_turn, "TURN_S", 0.0)
    monkeypatch.setattr(sqlite_turn, "PAUSE_S", 0.0)
