"""kill -9 of an import that is saved in parts: nothing of it is seen, and nothing stays."""

import asyncio
import multiprocessing
import random
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from pendesk import clock
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.limits import Limits
from pendesk.domain.people import Member, User, Workspace
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.exchange import delete_unfinished_imports
from pendesk.operations.exchange.import_flow import run_import
from pendesk.operations.exchange.staging import stage_import_from_export
from pendesk.operations.operation import Installation
from pendesk.operations.registry import OPERATIONS
from pendesk.store import people, purge
from pendesk.store.engine import sqlite_turn
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.store.files import Files
from tests.crash.kills import Tally
from tests.exchange_scale import MADE, big_export, ident

ACTIONS = 500
TURN_S = 0.01
OWNER = Actor(ident(8, 1), ident(8, 2), "Owner", Role.OWNER, ALL_SCOPES, "cli")
PROJECT_ID = ident(1, 1)
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_index%'"


def import_kills(kills: int, chance: random.Random) -> Tally:
    """Each kills an import of the same file on the same database; then the server's start deletes what it saved."""
    with TemporaryDirectory(prefix="pendesk-imports-") as name:
        folder = Path(name)
        file = folder / "big.jsonl"
        file.write_bytes(b"".join(big_export(ACTIONS, 1024)))
        migrate(folder / "pendesk.db", None)
        asyncio.run(_found(folder))
        began = time.monotonic()
        longest_s = _one_run(folder, file, None)
        faults = [] if _imported(folder) else ["an import that nobody kills fails"]
        asyncio.run(_delete_project(folder))
        before, half = _rows(folder), 0
        for kill in range(kills):
            _one_run(folder, file, chance.uniform(0, longest_s))
            if _imported(folder):  # it was quicker
                asyncio.run(_delete_project(folder))
                before = _rows(folder)
                continue
            half += _rows(folder) != before
            faults += [f"kill {kill}: {fault}" for fault in asyncio.run(_faults_after_start(folder, before))]
        _one_run(folder, file, None)
        faults += [] if _imported(folder) else ["what was killed so often is not imported again"]
    notes = f"{half} with some rows saved, {time.monotonic() - began:.0f} s"
    return Tally("kill -9 of an import, SQLite", kills, 0, notes, faults)


def _one_run(folder: Path, file: Path, life_s: float | None) -> float:
    """How long it ran; it is killed after `life_s`."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_import, args=(folder, file, theirs))
    process.start()
    ours.recv()
    began = time.monotonic()
    process.join(life_s)
    process.kill()
    process.join()
    return time.monotonic() - began


def _import(folder: Path, file: Path, begun: Connection) -> None:
    sqlite_turn.TURN_S = TURN_S

    async def run() -> None:
        dispatcher = _open(folder)

        def stage() -> Any:
            staged = _stage(dispatcher, file)
            begun.send(None)
            return staged

        await run_import(dispatcher, OWNER, stage)
        await dispatcher.store.close()

    asyncio.run(run())


def _stage(dispatcher: Dispatcher, file: Path) -> Any:
    with file.open("rb") as source:
        return stage_import_from_export(
            dispatcher.installation.files, source, as_copy=False, keep_attachments=True, max_attachment_bytes=10_000
        )


def _open(folder: Path) -> Dispatcher:
    store = SqliteStore(folder / "pendesk.db", clock.now_us)
    files = Files(folder / "attachments")
    return Dispatcher(store, OPERATIONS, Installation(Limits(), b"a key", "http://127.0.0.1", files))


async def _found(folder: Path) -> None:
    def add(tx: Any) -> None:
        people.add_workspace(tx, Workspace(OWNER.workspace_id, "Here", MADE))
        people.add_user(tx, User(OWNER.user_id, "person", None, "Owner", None, MADE))
        people.add_member(tx, Member(OWNER.user_id, "owner", MADE, None))

    store = _open(folder).store
    await store.write(OWNER.workspace_id, add)
    await store.close()


async def _delete_project(folder: Path) -> None:
    store = _open(folder).store
    await store.long_write(OWNER.workspace_id, lambda tx: purge.delete_project(tx, PROJECT_ID))
    await store.close()


async def _faults_after_start(folder: Path, before: dict[str, int]) -> list[str]:
    dispatcher = _open(folder)
    await dispatcher.call_as_server(delete_unfinished_imports.OPERATION, None)
    await dispatcher.store.close()
    after = _rows(folder)
    faults = [f"left: {table}" for table in before if after[table] != before[table]]
    with closing(apsw.Connection(str(folder / "pendesk.db"))) as connection:
        for check in ("integrity_check", "foreign_key_check"):
            faults += [f"{check}: {row}" for row in connection.execute(f"PRAGMA {check}") if row != ("ok",)]
    return faults


def _imported(folder: Path) -> bool:
    return _rows(folder)["projects"] > 0


def _rows(folder: Path) -> dict[str, int]:
    with closing(apsw.Connection(str(folder / "pendesk.db"))) as connection:
        tables = [str(row[0]) for row in connection.execute(TABLES)]
        return {table: next(connection.execute(f"SELECT count(*) FROM {table}"))[0] for table in tables}
