"""Queries on comments."""

from pendesk.domain.comment import Comment
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("comments", Comment)

BY_ID = f"""
SELECT {columns_sql(Comment)} FROM comments WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM comments WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

COUNT_OF_DOCUMENT = "SELECT count(*) FROM comments WHERE workspace_id = :workspace AND document_id = :document_id"

QUOTING = f"""
SELECT {columns_sql(Comment)} FROM comments
WHERE workspace_id = :workspace AND document_id = :document_id AND passage IS NOT NULL ORDER BY id
"""

# One statement for each way of looking, so that each walks its own index.
_PAGE = f"SELECT {columns_sql(Comment)} FROM comments WHERE workspace_id = :workspace AND id > :after"
_ORDER = " ORDER BY id LIMIT :limit"
_OPEN = " AND resolved_at IS NULL"
PAGE_OF_PROJECT = _PAGE + " AND project_id = :project_id" + _ORDER
PAGE_OF_DOCUMENT = _PAGE + " AND document_id = :document_id" + _ORDER
OPEN_OF_PROJECT = _PAGE + " AND project_id = :project_id" + _OPEN + _ORDER
OPEN_OF_DOCUMENT = _PAGE + " AND document_id = :document_id" + _OPEN + _ORDER

MOVE = """
UPDATE comments SET passage = :passage, passage_start = :passage_start, passage_lost = :passage_lost
WHERE workspace_id = :workspace AND id = :id
"""

RESOLVE = "UPDATE comments SET resolved_by = :user_id, resolved_at = :now WHERE workspace_id = :workspace AND id = :id"


def add(tx: Tx, comment: Comment) -> None:
    tx.run(INSERT, **comment._asdict())


def by_id(tx: Tx, comment_id: str) -> Comment | None:
    row = tx.one(BY_ID, id=comment_id)
    return Comment(*row) if row else None


def lock(tx: Tx, comment_id: str) -> None:
    tx.lock(LOCK, id=comment_id)


def count_of_document(tx: Tx, document_id: str) -> int:
    row = tx.one(COUNT_OF_DOCUMENT, document_id=document_id)
    assert row is not None
    count: int = row[0]
    return count


def on_passages_of_document(tx: Tx, document_id: str) -> list[Comment]:
    """The comments on a passage, resolved ones too."""
    return [Comment(*row) for row in tx.all(QUOTING, document_id=document_id)]


def page(
    tx: Tx, project_id: str, document_id: str | None, include_resolved: bool, after: str, limit: int
) -> list[Comment]:
    if document_id is not None:
        sql = PAGE_OF_DOCUMENT if include_resolved else OPEN_OF_DOCUMENT
        return [Comment(*row) for row in tx.all(sql, document_id=document_id, after=after, limit=limit)]
    sql = PAGE_OF_PROJECT if include_resolved else OPEN_OF_PROJECT
    return [Comment(*row) for row in tx.all(sql, project_id=project_id, after=after, limit=limit)]


def save_commented_passage(tx: Tx, comment: Comment) -> None:
    tx.run(
        MOVE,
        id=comment.id,
        passage=comment.passage,
        passage_start=comment.passage_start,
        passage_lost=comment.passage_lost,
    )


def resolve(tx: Tx, comment_id: str, resolved_by: str) -> None:
    tx.run(RESOLVE, id=comment_id, user_id=resolved_by, now=tx.now)
