"""Queries on imports of which some rows are saved and not all, and on the rows that one leaves behind."""

from collections.abc import Iterator
from typing import NamedTuple

from pendesk.store import purge
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx

ROWS_PER_STEP = 100

_MINE = "workspace_id = :workspace AND"

ADD = """
INSERT INTO unfinished_imports (workspace_id, project_id, storage_key, begun_at)
VALUES (:workspace, :project_id, :storage_key, :now)
"""

REMOVE = f"""
DELETE FROM unfinished_imports WHERE {_MINE} project_id = :project_id AND storage_key = :storage_key RETURNING 1
"""

STORAGE_KEY = f"SELECT storage_key FROM unfinished_imports WHERE {_MINE} project_id = :project_id"

ALL = "SELECT workspace_id, project_id, storage_key FROM unfinished_imports ORDER BY begun_at, project_id"

_TEXTS = ("documents", "notes", "goals")
# What more hangs on than the project knows, by its ids: where the next ones are, and what deletes them.
NEXT_IDS = {
    table: f"SELECT id FROM {table} WHERE {_MINE} project_id = :project_id LIMIT :limit"
    for table in ("actions", "specs", *_TEXTS)
}
BY_IDS = {
    "actions": purge.ACTIONS["ids"],
    "specs": purge.SPECS["ids"],
    **{
        table: [
            f"DELETE FROM revisions WHERE {_MINE} object_id IN (EACH :ids)",
            f"DELETE FROM {table} WHERE {_MINE} id IN (EACH :ids)",
        ]
        for table in _TEXTS
    },
}

# The rest: the next rows of each, by the keys that it has beside the project.
_KEYS = {
    "comments": "id",
    "attachments": "id",
    "agent_runs": "id",
    "inbox_items": "id",
    "shares": "id",
    "pull_requests": "number",
    "checks": "sha, name",
    "commits": "id",
    "imported_events": "number",
    "search_texts": "object_id",
}
OF_PROJECT = {
    table: f"""DELETE FROM {table} WHERE {_MINE} project_id = :project_id AND ({keys}) IN (
      SELECT {keys} FROM {table} WHERE {_MINE} project_id = :project_id LIMIT :limit) RETURNING 1"""
    for table, keys in _KEYS.items()
}
REVISIONS = f"DELETE FROM revisions WHERE {_MINE} object_id = :project_id"


class UnfinishedImport(NamedTuple):
    """`storage_key` is its staged file's, which is locked as long as the import runs."""

    workspace_id: str
    project_id: str
    storage_key: str


def all_unfinished(tx: Tx) -> list[UnfinishedImport]:
    return [UnfinishedImport(*row) for row in tx.all(ALL)]


def of_project(tx: Tx, project_id: str) -> UnfinishedImport | None:
    row = tx.one(STORAGE_KEY, project_id=project_id)
    return UnfinishedImport(tx.workspace, project_id, row[0]) if row else None


def add(tx: Tx, project_id: str, storage_key: str) -> None:
    tx.run(ADD, project_id=project_id, storage_key=storage_key, now=tx.now)


def remove(tx: Tx, unfinished: UnfinishedImport) -> bool:
    """False where it is not known any more: somebody else has removed it, and what was saved of it."""
    keys = {"project_id": unfinished.project_id, "storage_key": unfinished.storage_key}
    return bool(tx.run_returning(REMOVE, **keys))


def delete_saved_rows(tx: Tx, unfinished: UnfinishedImport) -> None:
    """A few at a time. Whoever has taken over its project meanwhile has deleted them, and saves their own."""
    tx.while_others_write(lambda: None)  # a document may stand below one of the next step
    for _ in _steps_of_deletion(tx, unfinished.project_id):
        tx.let_others_write()
        if of_project(tx, unfinished.project_id) != unfinished:
            return
    remove(tx, unfinished)


def _steps_of_deletion(tx: Tx, project_id: str) -> Iterator[None]:
    """In the order of references, so that what hangs on a row is found by it. Gives way before each step."""
    place = {"project_id": project_id, "limit": ROWS_PER_STEP}
    for table, statements in BY_IDS.items():
        yield
        while ids := [row[0] for row in tx.all(NEXT_IDS[table], **place)]:
            for statement in statements:
                tx.run(statement, ids=to_json(ids), now=tx.now)
            yield
    for statement in OF_PROJECT.values():
        yield
        while tx.run_returning(statement, **place):
            yield
    tx.run(REVISIONS, project_id=project_id)
