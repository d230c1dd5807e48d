"""Queries on projects and goals."""

from pendesk.domain.project import Goal, Project
from pendesk.store.tx import Tx, columns, insert

INSERT = insert("projects", Project)
INSERT_GOAL = insert("goals", Goal)

BY_ID = f"SELECT {columns(Project)} FROM projects WHERE workspace_id = :workspace AND id = :id"

BY_KEY = f"SELECT {columns(Project)} FROM projects WHERE workspace_id = :workspace AND key = :key"

LOCK = "SELECT 1 FROM projects WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

KEYS = "SELECT key FROM projects WHERE workspace_id = :workspace"

NEXT_REF = """
UPDATE projects SET last_ref = last_ref + 1 WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, project: Project) -> None:
    tx.run(INSERT, **project._asdict())


def by_id(tx: Tx, project_id: str) -> Project | None:
    row = tx.one(BY_ID, id=project_id)
    return Project(*row) if row else None


def by_key(tx: Tx, key: str) -> Project | None:
    row = tx.one(BY_KEY, key=key)
    return Project(*row) if row else None


def lock(tx: Tx, project_id: str) -> None:
    tx.lock(LOCK, id=project_id)


def keys(tx: Tx) -> set[str]:
    return {row[0] for row in tx.all(KEYS)}


def take_ref(tx: Tx, project: Project) -> int:
    """The next number for a ref code; the project must be locked."""
    tx.run(NEXT_REF, id=project.id)
    return project.last_ref + 1


def add_goal(tx: Tx, goal: Goal) -> None:
    tx.run(INSERT_GOAL, **goal._asdict())
