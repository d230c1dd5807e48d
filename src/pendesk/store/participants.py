"""Queries on who takes part in a spec, and the one rule of it: whoever is invited, or in a workspace where everyone
takes part, every member but viewers.

Every statement that asks whether a user takes part has its condition from here.
"""

from pendesk.store.engine.tx import Row, Tx, any_row_sql

_EVERYONE = """EXISTS (SELECT 1 FROM workspaces w JOIN members m ON m.workspace_id = w.id AND m.user_id = :user_id
    WHERE w.id = :workspace AND w.participation = 'everyone' AND m.removed_at IS NULL AND m.role <> 'viewer')"""


def takes_part(spec_id: str) -> str:
    """The condition that `:user_id` takes part in the spec of that column or parameter."""
    invited = any_row_sql(f"""SELECT 1 FROM participants t
    WHERE t.workspace_id = :workspace AND t.spec_id = {spec_id} AND t.user_id = :user_id""")
    return f"({invited} OR {_EVERYONE})"


_OPEN_ACTION = """SELECT 1 FROM actions a WHERE a.workspace_id = s.workspace_id AND a.spec_id = s.id
  AND a.state IN ('todo', 'in_progress', 'in_review', 'changes_requested')"""
_FINISHED = f"s.build_id IS NOT NULL AND p.state = 'active' AND NOT {any_row_sql(_OPEN_ACTION)}"
_PROJECT = "JOIN projects p ON p.workspace_id = s.workspace_id AND p.id = s.project_id"

DOES_EVERYONE = "SELECT 1 FROM workspaces WHERE id = :workspace AND participation = 'everyone'"

TAKES_PART = f"SELECT 1 WHERE {takes_part(':spec_id')}"

# The newest of them: each part walks its index from the end.
FINISHED_SPECS = f"""
SELECT id FROM (SELECT s.id FROM participants t CROSS JOIN specs s {_PROJECT}
  WHERE t.workspace_id = :workspace AND t.user_id = :user_id
    AND s.workspace_id = t.workspace_id AND s.id = t.spec_id AND {_FINISHED}
  ORDER BY t.spec_id DESC LIMIT :limit) invited
UNION
SELECT id FROM (SELECT s.id FROM specs s {_PROJECT}
  WHERE s.workspace_id = :workspace AND {_FINISHED} AND {_EVERYONE} ORDER BY s.id DESC LIMIT :limit) everyones
"""

IS_INVITED = """
SELECT 1 FROM participants WHERE workspace_id = :workspace AND spec_id = :spec_id AND user_id = :user_id
"""

ADD = """
INSERT INTO participants (workspace_id, spec_id, user_id, added_by, added_at)
VALUES (:workspace, :spec_id, :user_id, :added_by, :now)
"""

ADD_TO_ALL_SPECS = """
INSERT INTO participants (workspace_id, spec_id, user_id, added_by, added_at)
SELECT workspace_id, id, :user_id, :user_id, :now FROM specs
WHERE workspace_id = :workspace AND project_id = :project_id
ON CONFLICT (workspace_id, spec_id, user_id) DO NOTHING
"""

REMOVE = """
DELETE FROM participants WHERE workspace_id = :workspace AND spec_id = :spec_id AND user_id = :user_id
"""

INVITED = """
SELECT p.user_id, u.name, u.kind FROM participants p JOIN users u ON u.id = p.user_id
WHERE p.workspace_id = :workspace AND p.spec_id = :spec_id ORDER BY p.added_at, p.user_id
"""


def is_participant(tx: Tx, spec_id: str, user_id: str) -> bool:
    return tx.one(TAKES_PART, spec_id=spec_id, user_id=user_id) is not None


def does_everyone_take_part(tx: Tx) -> bool:
    return tx.one(DOES_EVERYONE) is not None


def finished_spec_ids(tx: Tx, user_id: str, limit: int) -> list[str]:
    """Published ones of active projects that the user takes part in and that have nothing open; the newest."""
    return sorted(row[0] for row in tx.all(FINISHED_SPECS, user_id=user_id, limit=limit))[-limit:]


def is_invited(tx: Tx, spec_id: str, user_id: str) -> bool:
    return tx.one(IS_INVITED, spec_id=spec_id, user_id=user_id) is not None


def add(tx: Tx, spec_id: str, user_id: str, added_by: str) -> None:
    tx.run(ADD, spec_id=spec_id, user_id=user_id, added_by=added_by, now=tx.now)


def add_to_all_specs(tx: Tx, project_id: str, user_id: str) -> None:
    tx.run(ADD_TO_ALL_SPECS, project_id=project_id, user_id=user_id, now=tx.now)


def remove(tx: Tx, spec_id: str, user_id: str) -> None:
    tx.run(REMOVE, spec_id=spec_id, user_id=user_id)


def invited_ids_names_and_kinds(tx: Tx, spec_id: str) -> list[Row]:
    """User ids, names and kinds, in the order they joined."""
    return tx.all(INVITED, spec_id=spec_id)
