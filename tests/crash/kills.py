"""kill -9 under load, again and again on the same database."""

import random
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import apsw
import psycopg

from pendesk import clock
from pendesk.operations.dispatch import Store
from pendesk.store.engine import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.crash.child import STARTED, Child
from tests.crash.ledger import Ledger, Rows, some
from tests.crash.load import Told, World
from tests.postgres import PostgresCluster

KILLS_PER_FILE = 20
LONGEST_LIFE_S = 0.25
MIGRATION_S = 0.06
START_S = 30.0
CONNECTIONS = 8


class Tally(NamedTuple):
    """What one run of a method has seen."""

    method: str
    times: int
    acknowledged: int
    notes: str
    faults: list[str]


def sqlite_kills(kills: int, chance: random.Random) -> Tally:
    faults: list[str] = []
    acknowledged = in_migration = unanswered = done = 0
    while done < kills:
        with TemporaryDirectory(prefix="pendesk-crash-") as folder:
            path = Path(folder) / "pendesk.db"
            ledger = Ledger(World.new())
            for turn in range(min(KILLS_PER_FILE, kills - done)):
                done += 1
                in_migration += _one_kill(path, ledger, chance, first=turn == 0, number=done)
                unanswered += len(ledger.tried)
                faults += [f"kill {done}: {fault}" for fault in check_file(path, ledger, thorough=turn % 5 == 0)]
            faults += [f"file of kill {done}: {fault}" for fault in check_file(path, ledger, thorough=True)]
            acknowledged += len(ledger.acknowledged)
    notes = f"{in_migration} before the first answer, {unanswered} calls under way when killed"
    return Tally("kill -9 of the server, SQLite", done, acknowledged, notes, faults)


def _one_kill(path: Path, ledger: Ledger, chance: random.Random, *, first: bool, number: int) -> bool:
    """True when it was killed before it had started."""

    def open_store() -> Store:
        migrate.migrate(path, None)
        return SqliteStore(path, clock.now_us)

    child = Child(ledger.world, open_store, some(ledger, 2), number)
    if first and chance.random() < 0.5:
        told = _until_killed(child, chance.uniform(0, MIGRATION_S), started=False)
    else:
        told = _until_killed(child, chance.uniform(0, LONGEST_LIFE_S), started=chance.random() < 0.9)
    return not _hear(told, ledger)


def _until_killed(child: Child, life_s: float, *, started: bool) -> list[Told]:
    """Its life counts from its birth, or from when it has `started` to work."""
    told = []
    for each in child.heard(START_S if started else 0):
        told.append(each)
        if each == STARTED:
            break
    return [*told, *child.heard(life_s), *child.kill()]


def _hear(told: list[Told], ledger: Ledger) -> bool:
    """True when it had started."""
    for each in told:
        if each != STARTED:
            ledger.hear(each)
    return STARTED in told


def check_file(path: Path, ledger: Ledger, *, thorough: bool) -> list[str]:
    """Looks at a copy: the next server has to recover the file itself."""
    with TemporaryDirectory(prefix="pendesk-found-") as folder:
        for part in path.parent.glob(f"{path.name}*"):
            if not part.name.endswith("-shm"):
                shutil.copy(part, folder)
        return _check_copy(Path(folder) / path.name, ledger, thorough=thorough)


def _check_copy(path: Path, ledger: Ledger, *, thorough: bool) -> list[str]:
    if not path.exists():
        return ["lost: the file"] if ledger.acknowledged else []
    with closing(apsw.Connection(str(path))) as connection:
        connection.pragma("synchronous", "off")  # of the copy

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql).fetchall()

        faults = check_version(rows) if not ledger.acknowledged else []
        if faults == [EMPTY]:
            return []
        faults += ledger.check(rows)
        if thorough:
            faults += [f"integrity_check: {row}" for row in rows("PRAGMA integrity_check") if row != ("ok",)]
            faults += [f"foreign_key_check: {row}" for row in rows("PRAGMA foreign_key_check")]
        return faults


EMPTY = "empty"


def check_version(rows: Rows) -> list[str]:
    """A migration is there whole or not at all."""
    tables = {row[0] for row in rows("SELECT name FROM sqlite_master")}
    if not tables:
        return [EMPTY]
    whole = apsw.Connection(":memory:")
    whole.execute(migrate.CREATE_TABLE)
    for each in migrate.all_migrations("sqlite"):
        whole.execute(each.sql)
    expected = {row[0] for row in whole.execute("SELECT name FROM sqlite_master")}
    versions = [row[0] for row in rows(migrate.APPLIED)]
    known = [each.version for each in migrate.all_migrations("sqlite")]
    if versions != known[: len(versions)] or (versions == known and tables != expected):
        return [f"migration: half, {sorted(tables ^ expected)}"]
    return [EMPTY] if versions != known else []


def postgres_kills(cluster: PostgresCluster, kills: int, chance: random.Random) -> Tally:
    """kill -9 of the process that uses the database."""
    url = cluster.create_database("kills")
    migrate.migrate(None, url)
    ledger = Ledger(World.new())
    faults: list[str] = []
    unanswered = 0
    for number in range(1, kills + 1):
        child = Child(ledger.world, _opener(url), some(ledger, 2), number)
        _hear(_until_killed(child, chance.uniform(0, 3 * LONGEST_LIFE_S), started=chance.random() < 0.9), ledger)
        unanswered += len(ledger.tried)
        faults += [f"kill {number}: {fault}" for fault in check_server(url, ledger, alone=True)]
    notes = f"{unanswered} calls under way when killed"
    return Tally("kill -9 of the server, PostgreSQL", kills, len(ledger.acknowledged), notes, faults)


def _opener(url: str) -> Callable[[], Store]:
    return lambda: PostgresStore(url, None, connections=CONNECTIONS)


OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


def check_server(url: str, ledger: Ledger, *, alone: bool) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        # What the killed process had sent may still be under way.
        while alone and connection.execute(OTHERS).fetchall() != [(0,)]:
            time.sleep(0.005)
        if alone:  # and left without a number
            connection.execute("SELECT number_events('0', NULL)")
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return ledger.check(lambda sql: connection.execute(sql.encode()).fetchall())
