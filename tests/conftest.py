import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from pendesk.clock import Clock
from pendesk.ids import new_id
from pendesk.operations.dispatch import Store
from pendesk.store.engine import sqlite
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.desk import HandClock, TestDesk
from tests.postgres import PostgresCluster

ENGINES = ["sqlite", "postgres"]
# What takes long comes first, so that no worker is left alone with it at the end.
LONGEST_FIRST = ("e2e", "docs", "crash", "cli")

# As PostgreSQL's cluster below. What must outlive a crash is shown by processes of their own.
sqlite.SYNCHRONOUS = "off"


@pytest.fixture
def commits_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "full")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        room = item.path.relative_to(tests).parts[0] if item.path.is_relative_to(tests) else ""
        return LONGEST_FIRST.index(room) if room in LONGEST_FIRST else len(LONGEST_FIRST)

    items.sort(key=rank)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresCluster]:
    with PostgresCluster(fast=True) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "pendesk.db"
    migrate(path, None)
    return path


@pytest.fixture(scope="session")
def postgres_url(postgres: PostgresCluster) -> str:
    url = postgres.create_database("pendesk")
    migrate(None, url)
    return url


@pytest.fixture(scope="session", params=ENGINES)
def open_store(request: pytest.FixtureRequest) -> Callable[[Clock], Store]:
    """Opens the engine's one database of this run. Tests share it, each in a workspace of its own."""
    if request.param == "sqlite":
        path: Path = request.getfixturevalue("sqlite_file")
        return lambda clock: SqliteStore(path, clock)
    url: str = request.getfixturevalue("postgres_url")
    return lambda clock: PostgresStore(url, clock, connections=8)


@pytest.fixture
async def desk(open_store: Callable[[Clock], Store]) -> AsyncIterator[TestDesk]:
    """A fresh workspace, once on each engine."""
    clock = HandClock()
    store = open_store(clock)
    yield await TestDesk(store, clock).open()
    await store.close()


@pytest.fixture(params=ENGINES)
async def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TestDesk]:
    """A desk on a database of its own, in which nothing has been written; once on each engine."""
    clock = HandClock()
    store: Store
    if request.param == "sqlite":
        migrate(tmp_path / "pendesk.sqlite3", None)
        store = SqliteStore(tmp_path / "pendesk.sqlite3", clock)
    else:
        url = request.getfixturevalue("postgres").create_database(f"fresh_{new_id().replace('-', '')}")
        migrate(None, url)
        store = PostgresStore(url, clock, connections=8)
    yield TestDesk(store, clock)
    await store.close()


@pytest.fixture
def own_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever starts the server's log in this process: for the tests that follow it is as it was."""
    for name in ("_srcfile", "logThreads", "logProcesses", "logMultiprocessing"):
        monkeypatch.setattr(logging, name, getattr(logging, name))
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
