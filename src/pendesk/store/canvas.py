"""Queries on where a project's tasks stand."""

from typing import NamedTuple

from pendesk.store.tx import Tx, columns


class Place(NamedTuple):
    id: str
    ref_number: int
    label: str
    state: str
    x: float | None
    y: float | None


PLACES = f"""
SELECT {columns(Place)} FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY ref_number LIMIT :limit
"""

IDS = "SELECT id FROM actions WHERE workspace_id = :workspace AND project_id = :project_id"

# In one order, so that two who move many tasks at once do not wait for one another.
LOCK = IDS + " ORDER BY id FOR NO KEY UPDATE"

PLACE = "UPDATE actions SET x = :x, y = :y WHERE workspace_id = :workspace AND id = :id"

FORGET = "UPDATE actions SET x = NULL, y = NULL WHERE workspace_id = :workspace AND project_id = :project_id"


def places(tx: Tx, project_id: str, limit: int) -> list[Place]:
    return [Place(*row) for row in tx.all(PLACES, project_id=project_id, limit=limit)]


def ids(tx: Tx, project_id: str) -> set[str]:
    return {row[0] for row in tx.all(IDS, project_id=project_id)}


def lock(tx: Tx, project_id: str) -> None:
    tx.lock(LOCK, project_id=project_id)


def place(tx: Tx, action_id: str, x: float, y: float) -> None:
    tx.run(PLACE, id=action_id, x=x, y=y)


def forget(tx: Tx, project_id: str) -> None:
    tx.run(FORGET, project_id=project_id)
