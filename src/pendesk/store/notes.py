"""Queries on notes."""

from pendesk.domain.document import Note
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("notes", Note)

BY_ID = f"""
SELECT {columns_sql(Note)} FROM notes WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM notes WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns_sql(Note)} FROM notes
WHERE workspace_id = :workspace AND project_id = :project_id AND id > :after ORDER BY id LIMIT :limit
"""

EDIT = """
UPDATE notes SET title = :title, body = :body, revision = :revision, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, note: Note) -> None:
    tx.run(INSERT, **note._asdict())


def by_id(tx: Tx, note_id: str) -> Note | None:
    row = tx.one(BY_ID, id=note_id)
    return Note(*row) if row else None


def lock(tx: Tx, note_id: str) -> None:
    tx.lock(LOCK, id=note_id)


def page(tx: Tx, project_id: str, after: str, limit: int) -> list[Note]:
    return [Note(*row) for row in tx.all(PAGE, project_id=project_id, after=after, limit=limit)]


def update(tx: Tx, note: Note) -> None:
    tx.run(EDIT, id=note.id, title=note.title, body=note.body, revision=note.revision, now=tx.now)
