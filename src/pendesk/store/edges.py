"""Queries on the edges between actions."""

from collections.abc import Collection

from pendesk.domain.edge import Edge
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

NO_LIMIT = 2**53

INSERT = insert_sql("edges", Edge)

BY_ID = f"""
SELECT {columns_sql(Edge)} FROM edges WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

SAME = f"""
SELECT {columns_sql(Edge)} FROM edges
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

# Everything on the ways from the start, nearest first. One query: a walk that asks step by step would cost one a step.
# CROSS JOIN: SQLite keeps that order, in which each step looks its edges up; left to choose, it goes through every
# edge of the workspace for each step.
_WAY = """
WITH RECURSIVE way (id) AS (
  SELECT CAST(:start AS TEXT)
  UNION
  SELECT e.{there} FROM way w CROSS JOIN edges e WHERE e.workspace_id = :workspace AND e.{here} = w.id
)
"""
_WALK = f"""
{_WAY}
SELECT e.before_id, e.after_id FROM way w CROSS JOIN edges e WHERE e.workspace_id = :workspace AND e.{{here}} = w.id
LIMIT :limit
"""
ORDER_AFTER = _WALK.format(here="before_id", there="after_id")
ORDER_BEFORE = _WALK.format(here="after_id", there="before_id")
REACHES = _WAY.format(here="before_id", there="after_id") + "SELECT 1 FROM way WHERE id = :target LIMIT 1"

# Everything behind several.
BEHIND = """
WITH RECURSIVE way (id) AS (
  SELECT e.after_id FROM edges e WHERE e.workspace_id = :workspace AND e.before_id IN (EACH :ids)
  UNION
  SELECT e.after_id FROM way w CROSS JOIN edges e WHERE e.workspace_id = :workspace AND e.before_id = w.id
)
SELECT id FROM way LIMIT :limit
"""

FROM_ACTIONS = (
    f"SELECT {columns_sql(Edge)} FROM edges WHERE workspace_id = :workspace AND from_action_id IN (EACH :ids)"
)

BETWEEN = f"""
SELECT {columns_sql(Edge)} FROM edges
WHERE workspace_id = :workspace AND from_action_id = :source AND to_action_id = :target ORDER BY label
"""

# Two halves, as in COUNT_OF_ACTION.
OF_ACTION = f"""
SELECT {columns_sql(Edge, "e")}, a.ref_number, a.label, a.state FROM edges e
JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.to_action_id
WHERE e.workspace_id = :workspace AND e.from_action_id = :action_id
UNION ALL
SELECT {columns_sql(Edge, "e")}, a.ref_number, a.label, a.state FROM edges e
JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.from_action_id
WHERE e.workspace_id = :workspace AND e.to_action_id = :action_id
"""

REMOVE = "DELETE FROM edges WHERE workspace_id = :workspace AND id = :id"

PREREQUISITES = """
SELECT a.id, a.ref_number, a.label, a.state, a.drop_accepted_at, min(e.id) FROM edges e
JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.before_id
WHERE e.workspace_id = :workspace AND e.after_id = :action_id
GROUP BY a.id, a.ref_number, a.label, a.state, a.drop_accepted_at ORDER BY a.ref_number
"""


def add(tx: Tx, edge: Edge) -> None:
    tx.run(INSERT, **edge._asdict())


def by_id(tx: Tx, edge_id: str) -> Edge | None:
    row = tx.one(BY_ID, id=edge_id)
    return Edge(*row) if row else None


def by_ends_and_label(tx: Tx, from_action_id: str, to_action_id: str, label: str) -> Edge | None:
    row = tx.one(SAME, source=from_action_id, target=to_action_id, label=label)
    return Edge(*row) if row else None


def count_from_or_to_action(tx: Tx, action_id: str) -> int:
    row = tx.one(COUNT_OF_ACTION, id=action_id)
    assert row is not None
    count: int = row[0]
    return count


def downstream_before_after_id_pairs(tx: Tx, start_action_id: str, limit: int = NO_LIMIT) -> list[Row]:
    """(comes first, comes after) of the start and everything behind it, however far."""
    return tx.all(ORDER_AFTER, start=start_action_id, limit=limit)


def ids_behind(tx: Tx, action_ids: Collection[str], limit: int) -> set[str]:
    """What comes after any of them, however far."""
    return {row[0] for row in tx.all(BEHIND, ids=to_json(sorted(action_ids)), limit=limit)}


def upstream_before_after_id_pairs(tx: Tx, start_action_id: str, limit: int) -> list[Row]:
    """The same of everything that leads to the start."""
    return tx.all(ORDER_BEFORE, start=start_action_id, limit=limit)


def is_reachable(tx: Tx, start_action_id: str, target_action_id: str) -> bool:
    """Whether the target comes after the start, however far. No row is read: others can go on meanwhile."""
    return tx.one(REACHES, start=start_action_id, target=target_action_id) is not None


def outgoing_of_actions(tx: Tx, action_ids: list[str]) -> list[Edge]:
    """Sorted here: by an ORDER BY, SQLite would rather go through every edge of the workspace, which are in order."""
    return sorted(Edge(*row) for row in tx.all(FROM_ACTIONS, ids=to_json(action_ids)))


def between(tx: Tx, from_action_id: str, to_action_id: str) -> list[Edge]:
    """All that lead from the one to the other, each with a label of its own."""
    return [Edge(*row) for row in tx.all(BETWEEN, source=from_action_id, target=to_action_id)]


def of_action_with_other_end(tx: Tx, action_id: str) -> list[tuple[Edge, int, str, str]]:
    """Each edge of the action with the ref number, label and state of the action at its other end, in their order."""
    size = len(Edge._fields)
    rows = [(Edge(*row[:size]), *row[size:]) for row in tx.all(OF_ACTION, action_id=action_id)]
    return sorted(rows, key=lambda row: (row[1], row[0].id))


def remove(tx: Tx, edge_id: str) -> None:
    tx.run(REMOVE, id=edge_id)


def prerequisites(tx: Tx, action_id: str) -> list[Row]:
    """Id, ref number, label, state, when its drop was accepted and the edge, of every action that comes first, done or
    not.
    """
    return tx.all(PREREQUISITES, action_id=action_id)
