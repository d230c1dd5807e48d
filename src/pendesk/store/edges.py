"""Queries on the edges between actions."""

from pendesk.domain.edge import Edge
from pendesk.store.tx import Row, Tx, columns, insert

INSERT = insert("edges", Edge)

BY_ID = f"SELECT {columns(Edge)} FROM edges WHERE workspace_id = :workspace AND id = :id"

SAME = f"""
SELECT {columns(Edge)} FROM edges
WHERE workspace_id = :workspace AND from_action_id = :source AND to_action_id = :target AND label = :label
"""

# UNION ALL: an OR over the two ends would use no index.
COUNT_OF_ACTION = """
SELECT count(*) FROM (
  SELECT 1 FROM edges WHERE workspace_id = :workspace AND from_action_id = :id
  UNION ALL
  SELECT 1 FROM edges WHERE workspace_id = :workspace AND to_action_id = :id
) ends
"""


def _walk(here: str, there: str) -> str:
    """All edges on the ways from the start, nearest first, until there are enough.

    One query: a walk that asks step by step would cost one a step. CROSS JOIN: SQLite keeps that order, in which each
    step looks its edges up; left to choose, it goes through every edge of the workspace for each step.
    """
    return f"""
WITH RECURSIVE way (id) AS (
  SELECT CAST(:start AS TEXT)
  UNION
  SELECT e.{there} FROM way w CROSS JOIN edges e WHERE e.workspace_id = :workspace AND e.{here} = w.id
)
SELECT e.before_id, e.after_id FROM way w CROSS JOIN edges e WHERE e.workspace_id = :workspace AND e.{here} = w.id
LIMIT :limit
"""


ORDER_AFTER = _walk("before_id", "after_id")
ORDER_BEFORE = _walk("after_id", "before_id")

ORDER_OF_PROJECT = """
SELECT before_id, after_id FROM edges
WHERE workspace_id = :workspace AND project_id = :project_id AND before_id IS NOT NULL
"""

OF_PROJECT = (
    f"SELECT {columns(Edge)} FROM edges WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY id"
)

REMOVE = "DELETE FROM edges WHERE workspace_id = :workspace AND id = :id"

PREREQUISITES = """
SELECT DISTINCT a.id, a.ref_number, a.label, a.state FROM edges e
JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.before_id
WHERE e.workspace_id = :workspace AND e.after_id = :action_id ORDER BY a.ref_number
"""


def add(tx: Tx, edge: Edge) -> None:
    tx.run(INSERT, **edge._asdict())


def by_id(tx: Tx, edge_id: str) -> Edge | None:
    row = tx.one(BY_ID, id=edge_id)
    return Edge(*row) if row else None


def same(tx: Tx, source: str, target: str, label: str) -> Edge | None:
    row = tx.one(SAME, source=source, target=target, label=label)
    return Edge(*row) if row else None


def count_of_action(tx: Tx, action_id: str) -> int:
    row = tx.one(COUNT_OF_ACTION, id=action_id)
    assert row is not None
    count: int = row[0]
    return count


def order_after(tx: Tx, start: str, limit: int) -> list[Row]:
    """(comes first, comes after) of the start and everything behind it, however far."""
    return tx.all(ORDER_AFTER, start=start, limit=limit)


def order_before(tx: Tx, start: str, limit: int) -> list[Row]:
    """The same of everything that leads to the start."""
    return tx.all(ORDER_BEFORE, start=start, limit=limit)


def order_of_project(tx: Tx, project_id: str) -> list[tuple[str, str]]:
    """(comes first, comes after) of every edge that orders."""
    return [(row[0], row[1]) for row in tx.all(ORDER_OF_PROJECT, project_id=project_id)]


def of_project(tx: Tx, project_id: str) -> list[Edge]:
    return [Edge(*row) for row in tx.all(OF_PROJECT, project_id=project_id)]


def remove(tx: Tx, edge_id: str) -> None:
    tx.run(REMOVE, id=edge_id)


def prerequisites(tx: Tx, action_id: str) -> list[Row]:
    """Id, ref number, label and state of every action that comes first, done or not."""
    return tx.all(PREREQUISITES, action_id=action_id)
