"""Queries on where a project's tasks stand."""

from typing import NamedTuple

from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql


class CanvasTask(NamedTuple):
    id: str
    ref_number: int
    label: str
    state: str
    x: float | None
    y: float | None


PLACES = f"""
SELECT {columns_sql(CanvasTask)} FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY ref_number LIMIT :limit
"""

_OF_PROJECT = "FROM actions WHERE workspace_id = :workspace AND project_id = :project_id"
AMONG = f"SELECT id {_OF_PROJECT} AND id IN (EACH :ids)"

# In one order, so that two who move many tasks at once do not wait for one another.
LOCK = f"{AMONG} ORDER BY id FOR NO KEY UPDATE"
LOCK_PLACED = f"SELECT id {_OF_PROJECT} AND x IS NOT NULL ORDER BY id FOR NO KEY UPDATE"

PLACE = "UPDATE actions SET x = :x, y = :y WHERE workspace_id = :workspace AND id = :id"

FORGET = """
UPDATE actions SET x = NULL, y = NULL
WHERE workspace_id = :workspace AND project_id = :project_id AND x IS NOT NULL
"""


def tasks(tx: Tx, project_id: str, limit: int) -> list[CanvasTask]:
    return [CanvasTask(*row) for row in tx.all(PLACES, project_id=project_id, limit=limit)]


def lock_and_filter_project_task_ids(tx: Tx, project_id: str, task_ids: list[str]) -> set[str]:
    """Those of the project among them, locked."""
    tx.lock(LOCK, project_id=project_id, ids=to_json(task_ids))
    return {row[0] for row in tx.all(AMONG, project_id=project_id, ids=to_json(task_ids))}


def set_position(tx: Tx, action_id: str, x: float, y: float) -> None:
    tx.run(PLACE, id=action_id, x=x, y=y)


def clear_positions(tx: Tx, project_id: str) -> None:
    tx.lock(LOCK_PLACED, project_id=project_id)
    tx.run(FORGET, project_id=project_id)
