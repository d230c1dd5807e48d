"""A migration killed at its 1st, 2nd, 3rd ... statement leaves the version before or the version after."""

import itertools
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import apsw
import psycopg

from pendesk.store.engine import migrate, sqlite
from tests.crash.kills import Tally

SQLITE_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
POSTGRES_OBJECTS = """
SELECT 'relation', relname, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace
ORDER BY 1, 2, 3
"""


class Target:
    """A fresh database of one engine, with what it holds."""

    def __init__(self, path: Path | None, url: str | None) -> None:
        self.path = path
        self.url = url

    def found(self) -> tuple[list[int], list[Any]]:
        """The versions and the whole schema."""
        if self.url is not None:
            with psycopg.connect(self.url) as pg:
                objects = pg.execute(POSTGRES_OBJECTS).fetchall()
                there = any(row[1] == "schema_migrations" for row in objects)
                return ([row[0] for row in pg.execute(migrate.APPLIED)] if there else []), objects
        with closing(apsw.Connection(str(self.path))) as lite:
            objects = lite.execute(SQLITE_OBJECTS).fetchall()
            there = any(row[1] == "schema_migrations" for row in objects)
            return ([row[0] for row in lite.execute(migrate.APPLIED)] if there else []), objects


@contextmanager
def sqlite_target() -> Iterator[Target]:
    with TemporaryDirectory(prefix="pendesk-migration-") as folder:
        yield Target(Path(folder) / "pendesk.db", None)


@contextmanager
def postgres_target(url: str) -> Iterator[Target]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS public CASCADE")
        connection.execute("CREATE SCHEMA public")
    yield Target(None, url)


# Not within the body of a function, which stands between two $$.
STATEMENT_END = re.compile(r";\n(?=(?:[^$]|\$(?!\$))*(?:\$\$(?:[^$]|\$(?!\$))*\$\$(?:[^$]|\$(?!\$))*)*\Z)")
Fresh = Callable[[], AbstractContextManager[Target]]


def migration_kills(engine: str, fresh: Fresh, step: int) -> Tally:
    known = migrate.all_migrations(engine)
    newest = [one.version for one in known]
    whole = _schema_at_each_version(fresh, known)
    faults: list[str] = []
    kills = 0
    for place in itertools.count(1, step):
        with fresh() as target:
            if not _killed_at(place, target):
                break
            kills += 1
            versions, objects = target.found()
            if whole.get(tuple(versions)) != objects:
                faults.append(f"killed at statement {place}: version {versions} with something else in it")
            migrate.migrate(target.path, target.url)
            if target.found() != (newest, whole[tuple(newest)]):
                faults.append(f"killed at statement {place}: the next start did not finish it")
    return Tally(
        f"migration killed, {engine}", kills, 0, f"{len(known)} migrations, at every {step}. statement", faults
    )


def _schema_at_each_version(fresh: Fresh, known: list[migrate.Migration]) -> dict[tuple[int, ...], list[Any]]:
    schemas = {}
    for count in range(len(known) + 1):
        with fresh() as target:
            if count:
                with patch.object(migrate, "all_migrations", lambda _engine, count=count: known[:count]):
                    migrate.migrate(target.path, target.url)
            versions, objects = target.found()
            schemas[tuple(versions)] = objects
    return schemas


def _killed_at(place: int, target: Target) -> bool:
    """False when the migration has fewer statements and was done."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            _count_statements(place)
            migrate.migrate(target.path, target.url)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and status != 0:
        raise RuntimeError(f"the migration failed with status {status}")
    return os.WIFSIGNALED(status)


def _count_statements(place: int) -> None:
    """In the child: die before the statement at that place."""
    count = itertools.count(1)

    def tick(*_: object) -> bool:
        if next(count) == place:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    connect = sqlite.connect

    def counted(path: Path) -> apsw.Connection:
        connection = connect(path)
        connection.exec_trace = tick
        return connection

    def script(self: migrate.PostgresDatabase, sql: str) -> None:
        for statement in STATEMENT_END.split(sql):
            tick()
            self._connection.execute(statement)

    sqlite.connect = counted  # type: ignore[assignment]
    migrate.PostgresDatabase.run_script = script  # type: ignore[method-assign]
