"""An import that has not come to its last step is not there, whoever asks, and with whichever operation.

Made from OPERATIONS and the server's own, so that a new reader is covered once it is registered. On SQLite, where an
import is saved in parts.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pendesk.domain.errors import Refusal
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.exchange import delete_unfinished_imports, import_project
from pendesk.operations.operation import Kind, encode_json
from pendesk.operations.registry import OPERATIONS, SERVER_OPERATIONS
from pendesk.store.engine import sqlite_turn
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.store.portable.tables import BY_NAME
from tests.contract.shapes import example, fields, put
from tests.contract.test_bad_input import Rehearsal, furnish
from tests.desk import HandClock, TestDesk
from tests.exchange import exported, import_file, lived_through

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
STORAGE_KEY = re.compile(r"[0-9a-f]{32,}")
BY_OPERATION = {operation.name: operation for operation in OPERATIONS}
READERS = [name for name, operation in BY_OPERATION.items() if operation.kind not in (Kind.WRITE, Kind.LONG_WRITE)]
# Words of the project that is imported.
WORDS = ("Remember", "idea", "Below", "Changed")
TABLE_OF_NOUN = {
    "action": "actions",
    "other action": "actions",
    "attachment": "attachments",
    "claim": "claims",
    "clarification": "clarifications",
    "comment": "comments",
    "criterion": "criteria",
    "document": "documents",
    "edge": "edges",
    "goal": "goals",
    "item": "review_items",
    "note": "notes",
    "plan": "plans",
    "project": "projects",
    "run": "agent_runs",
    "share": "shares",
    "spec": "specs",
    "submission": "inbox_items",
}
IDS = {table: f"SELECT id FROM {table} WHERE workspace_id = :workspace ORDER BY id" for table in TABLE_OF_NOUN.values()}
# What servers on one PostgreSQL share.
NOT_ON_SQLITE = {"delete_old_rate_windows", "delete_old_tool_uses"}
CHORES = [
    operation
    for operation in SERVER_OPERATIONS
    if operation.input is type(None) and operation.name not in {*NOT_ON_SQLITE, "delete_unfinished_imports"}
]


class StoppedError(Exception):
    """In the moment before the last step."""


class World:
    """A workspace with one of everything, and the same half imported as copies."""

    def __init__(self, runner: asyncio.Runner, store: SqliteStore, clock: HandClock) -> None:
        self.runner = runner
        self.store = store
        self.desk = TestDesk(store, clock)
        self.owner, self.own = runner.run(furnish(self.desk, "Homely"))
        self.ada, lived = runner.run(lived_through(self.desk))
        self.file = runner.run(exported(self.desk, self.owner, lived))
        self.rehearsal = Dispatcher(Rehearsal(store), OPERATIONS, self.desk.installation)

    def outcome(self, name: str, arguments: dict[str, Any]) -> str:
        try:
            return encode_json(self.runner.run(self.rehearsal.call(self.owner, name, arguments))).decode()
        except Refusal as refusal:
            return f"{type(refusal).__name__} {refusal.code} {refusal.message}"

    def outcomes(self, name: str) -> list[str]:
        operation = BY_OPERATION[name]
        asked = [example(operation, self.own), *(example(operation, self.own, field) for field in fields(operation))]
        asked += [{"query": word} for word in WORDS] if name == "search" else []
        return [self._without_new_ids(self.outcome(name, arguments)) for arguments in asked]

    def _without_new_ids(self, outcome: str) -> str:
        return STORAGE_KEY.sub("(key)", UUID.sub(self._known_or_blank, outcome))

    def _known_or_blank(self, match: re.Match[str]) -> str:
        """What is made by a rehearsal has another id each time."""
        return match[0] if match[0] in self.own.values() else "(id)"

    def half_import(self) -> dict[str, str]:
        """The ids of what is half there, by their nouns; the tables that an export has have them all."""
        before = self.runner.run(self.store.read(self.desk.workspace, _ids))
        with pytest.raises(StoppedError):
            self.runner.run(import_file(self.desk, self.owner, self.file, as_copy=True, take_part=True))
        after = self.runner.run(self.store.read(self.desk.workspace, _ids))
        saved = {table: sorted(after[table] - before[table]) for table in after}
        assert not saved.pop("projects")
        assert all(saved.values()), saved
        return {noun: saved[table][0] for noun, table in TABLE_OF_NOUN.items() if table in saved}


def _ids(tx: Any) -> dict[str, set[str]]:
    return {table: {row[0] for row in tx.all(sql)} for table, sql in IDS.items()}


def _stop(*_arguments: Any) -> None:
    raise StoppedError


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Iterator[World]:
    path = tmp_path_factory.mktemp("unfinished") / "pendesk.db"
    migrate(path, None)
    clock = HandClock()
    with asyncio.Runner() as runner:
        store = SqliteStore(path, clock)
        yield World(runner, store, clock)
        runner.run(store.close())


@pytest.fixture(scope="module")
def before_and_half_there(world) -> tuple[dict[str, list[str]], dict[str, str]]:
    before = {name: world.outcomes(name) for name in READERS}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite_turn, "TURN_S", 0.0)
        patched.setattr(import_project, "_check_anew", _stop)
        return before, world.half_import()


@pytest.mark.parametrize("name", READERS)
def test_every_answer_is_as_before(world, before_and_half_there, name):
    before, _ = before_and_half_there
    assert world.outcomes(name) == before[name]


@pytest.mark.parametrize("name", BY_OPERATION)
def test_what_is_half_there_is_not_found_by_its_id(world, before_and_half_there, name):
    """Nor is it changed: it is refused as an id that nobody has."""
    _, half = before_and_half_there
    operation = BY_OPERATION[name]
    unknown = {noun: new_id() for noun in half}
    for field in fields(operation):
        if field.noun in half:
            outcomes = [
                UUID.sub("(id)", world.outcome(name, put(example(operation, world.own, field), field.path, ident)))
                for ident in (half[field.noun], unknown[field.noun])
            ]
            assert outcomes[0] == outcomes[1], field.path


def test_the_file_has_something_for_every_table(world):
    filled = {word for line in world.file.splitlines() for word in json.loads(line)}
    assert {table.row_kind for table in BY_NAME.values()} <= filled


def test_the_servers_own_work_meets_nothing_of_it(world, before_and_half_there):
    before, _ = before_and_half_there
    assert "fold_tallies" in {operation.name for operation in CHORES}
    for operation in CHORES:
        world.runner.run(world.desk.dispatcher.call_as_server(operation, None))
    assert {name: world.outcomes(name) for name in READERS} == before


def test_nothing_of_it_is_left_once_it_is_deleted(world, before_and_half_there):
    before, half = before_and_half_there
    deleted = world.runner.run(world.desk.dispatcher.call_as_server(delete_unfinished_imports.OPERATION, None))
    there = world.runner.run(world.store.read(world.desk.workspace, _ids))
    assert deleted == 1
    assert not {ident for ids in there.values() for ident in ids} & set(half.values())
    assert {name: world.outcomes(name) for name in READERS} == before
