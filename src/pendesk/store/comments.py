"""Queries on comments."""

from pendesk.domain.comment import Comment, Thread
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("comments", Comment)

BY_ID = f"""
SELECT {columns_sql(Comment)} FROM comments WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM comments WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

QUOTING = f"""
SELECT {columns_sql(Comment)} FROM comments
WHERE workspace_id = :workspace AND document_id = :document_id AND passage IS NOT NULL ORDER BY id
"""

# One statement for each way of looking, so that each walks its own index.
_PAGE = f"SELECT {columns_sql(Comment)} FROM comments WHERE workspace_id = :workspace AND id > :after"
_ORDER = " ORDER BY id LIMIT :limit"
_OPEN = " AND resolved_at IS NULL AND deleted_at IS NULL"
_COLUMN = {kind: f"{kind}_id" for kind in ("project", "document", "action", "spec")}
PAGE = {kind: f"{_PAGE} AND {column} = :id{_ORDER}" for kind, column in _COLUMN.items()}
OPEN = {kind: f"{_PAGE} AND {column} = :id{_OPEN}{_ORDER}" for kind, column in _COLUMN.items()}
COUNT = {
    kind: f"SELECT count(*) FROM comments WHERE workspace_id = :workspace AND {column} = :id"
    for kind, column in _COLUMN.items()
    if kind != "project"
}

MOVE = """
UPDATE comments SET passage = :passage, passage_start = :passage_start, passage_lost = :passage_lost
WHERE workspace_id = :workspace AND id = :id
"""

EDIT = "UPDATE comments SET body = :body, edited_at = :now WHERE workspace_id = :workspace AND id = :id"

RESOLVE = "UPDATE comments SET resolved_by = :user_id, resolved_at = :now WHERE workspace_id = :workspace AND id = :id"

EMPTY = """
UPDATE comments SET body = '', passage = NULL, passage_start = NULL, passage_lost = 0, deleted_by = :user_id,
  deleted_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, comment: Comment) -> None:
    tx.run(INSERT, **comment._asdict())


def by_id(tx: Tx, comment_id: str) -> Comment | None:
    row = tx.one(BY_ID, id=comment_id)
    return Comment(*row) if row else None


def lock(tx: Tx, comment_id: str) -> None:
    tx.lock(LOCK, id=comment_id)


def count_of_thread(tx: Tx, thread: Thread) -> int:
    row = tx.one(COUNT[thread.kind], id=thread.id)
    assert row is not None
    count: int = row[0]
    return count


def on_passages_of_document(tx: Tx, document_id: str) -> list[Comment]:
    """The comments on a passage, resolved ones too."""
    return [Comment(*row) for row in tx.all(QUOTING, document_id=document_id)]


def page_of_project(tx: Tx, project_id: str, include_resolved: bool, after: str, limit: int) -> list[Comment]:
    return _page(tx, "project", project_id, include_resolved, after, limit)


def page_of_thread(tx: Tx, thread: Thread, include_resolved: bool, after: str, limit: int) -> list[Comment]:
    """With `include_resolved` also those that were deleted."""
    return _page(tx, thread.kind, thread.id, include_resolved, after, limit)


def _page(tx: Tx, kind: str, ident: str, include_resolved: bool, after: str, limit: int) -> list[Comment]:
    sql = (PAGE if include_resolved else OPEN)[kind]
    return [Comment(*row) for row in tx.all(sql, id=ident, after=after, limit=limit)]


def save_commented_passage(tx: Tx, comment: Comment) -> None:
    tx.run(
        MOVE,
        id=comment.id,
        passage=comment.passage,
        passage_start=comment.passage_start,
        passage_lost=comment.passage_lost,
    )


def edit(tx: Tx, comment_id: str, body: str) -> None:
    tx.run(EDIT, id=comment_id, body=body, now=tx.now)


def resolve(tx: Tx, comment_id: str, resolved_by: str) -> None:
    tx.run(RESOLVE, id=comment_id, user_id=resolved_by, now=tx.now)


def delete_words(tx: Tx, comment_id: str, deleted_by: str) -> None:
    """What it said goes, and that it was there stays."""
    tx.run(EMPTY, id=comment_id, user_id=deleted_by, now=tx.now)
