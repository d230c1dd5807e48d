"""Queries on saved views."""

from pendesk.domain.saved_view import SavedView
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("saved_views", SavedView)

BY_ID = f"""
SELECT {columns_sql(SavedView)} FROM saved_views
WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM saved_views WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

VISIBLE = f"""
SELECT {columns_sql(SavedView)} FROM saved_views
WHERE workspace_id = :workspace AND project_id = :project_id AND (shared = 1 OR owner_id = :user_id)
ORDER BY lower(name), id LIMIT :limit
"""

COUNT_OF_OWNER = """
SELECT count(*) FROM saved_views WHERE workspace_id = :workspace AND project_id = :project_id AND owner_id = :user_id
"""

EDIT = """
UPDATE saved_views SET name = :name, query = :query, shared = :shared, updated_at = :updated_at
WHERE workspace_id = :workspace AND id = :id
"""

DELETE = "DELETE FROM saved_views WHERE workspace_id = :workspace AND id = :id"


def add(tx: Tx, view: SavedView) -> None:
    tx.run(INSERT, **view._asdict())


def by_id(tx: Tx, view_id: str) -> SavedView | None:
    row = tx.one(BY_ID, id=view_id)
    return SavedView(*row) if row else None


def lock(tx: Tx, view_id: str) -> None:
    tx.lock(LOCK, id=view_id)


def visible(tx: Tx, project_id: str, user_id: str, limit: int) -> list[SavedView]:
    """The user's own, and those that are shared, by name."""
    return [SavedView(*row) for row in tx.all(VISIBLE, project_id=project_id, user_id=user_id, limit=limit)]


def count_of_owner(tx: Tx, project_id: str, user_id: str) -> int:
    row = tx.one(COUNT_OF_OWNER, project_id=project_id, user_id=user_id)
    assert row is not None
    return int(row[0])


def update(tx: Tx, view: SavedView) -> None:
    tx.run(EDIT, id=view.id, name=view.name, query=view.query, shared=view.shared, updated_at=view.updated_at)


def delete(tx: Tx, view_id: str) -> None:
    tx.run(DELETE, id=view_id)
