"""Queries on documents."""

from pendesk.domain.document import Document
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("documents", Document)

BY_ID = f"""
SELECT {columns_sql(Document)} FROM documents WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM documents WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

PAGE = f"""
SELECT {columns_sql(Document)} FROM documents
WHERE workspace_id = :workspace AND project_id = :project_id AND id > :after ORDER BY id LIMIT :limit
"""

# As in runs.py: SQLite would rather go through all of them in their order.
LINKED_TO_ACTION = f"""
WITH linked AS MATERIALIZED (
  SELECT {columns_sql(Document)} FROM documents WHERE workspace_id = :workspace AND linked_action_id = :action_id
)
SELECT {columns_sql(Document)} FROM linked ORDER BY id LIMIT :limit
"""

EDIT = """
UPDATE documents SET title = :title, body = :body, status_line = :status_line, revision = :revision,
  updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""

SET_PARENT = """
UPDATE documents SET parent_id = :parent_id, updated_at = :now WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, document: Document) -> None:
    tx.run(INSERT, **document._asdict())


def by_id(tx: Tx, document_id: str) -> Document | None:
    row = tx.one(BY_ID, id=document_id)
    return Document(*row) if row else None


def lock(tx: Tx, document_id: str) -> None:
    tx.lock(LOCK, id=document_id)


def page(tx: Tx, project_id: str, after: str, limit: int) -> list[Document]:
    return [Document(*row) for row in tx.all(PAGE, project_id=project_id, after=after, limit=limit)]


def linked_to_action(tx: Tx, action_id: str, limit: int) -> list[Document]:
    return [Document(*row) for row in tx.all(LINKED_TO_ACTION, action_id=action_id, limit=limit)]


def update(tx: Tx, document: Document) -> None:
    tx.run(
        EDIT,
        id=document.id,
        title=document.title,
        body=document.body,
        status_line=document.status_line,
        revision=document.revision,
        now=tx.now,
    )


def set_parent(tx: Tx, document_id: str, parent_id: str | None) -> None:
    tx.run(SET_PARENT, id=document_id, parent_id=parent_id, now=tx.now)
