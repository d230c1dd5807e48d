"""What an action waits for: the one place where a query says which prerequisites still hold it back."""

from typing import NamedTuple

from pendesk.domain.action import ActionState, ref_code
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, any_row_sql


class Dependent(NamedTuple):
    """An open action that comes after another."""

    id: str
    ref: str
    label: str
    state: ActionState


def unresolved(action: str) -> str:
    """A condition on the row of a prerequisite, under its name in the query: domain/prerequisite.is_resolved, in SQL.

    A check of the table holds that only what is dropped has been accepted.
    """
    return f"{action}.state <> 'done' AND {action}.drop_accepted_at IS NULL"


def waits(action: str) -> str:
    """A condition on the row of an action: something that comes before it is not resolved."""
    return any_row_sql(f"""
    SELECT 1 FROM edges e JOIN actions b ON b.workspace_id = e.workspace_id AND b.id = e.before_id
    WHERE e.workspace_id = {action}.workspace_id AND e.after_id = {action}.id AND {unresolved("b")}""")


def has_open_dependents(action: str) -> str:
    """A condition on the row of an action: something open comes after it."""
    return any_row_sql(f"""
    SELECT 1 FROM edges e JOIN actions d ON d.workspace_id = e.workspace_id AND d.id = e.after_id
      AND d.state NOT IN ('done', 'wont_do')
    WHERE e.workspace_id = {action}.workspace_id AND e.before_id = {action}.id""")


# What the actions wait for, and what that waits for, nearest first. CROSS JOIN as in edges.py.
BELOW = f"""
WITH RECURSIVE way (after_id, before_id) AS (
  SELECT e.after_id, e.before_id FROM edges e
  JOIN actions b ON b.workspace_id = e.workspace_id AND b.id = e.before_id
  WHERE e.workspace_id = :workspace AND e.after_id IN (EACH :ids) AND {unresolved("b")}
  UNION
  SELECT e.after_id, e.before_id FROM way w CROSS JOIN edges e
  CROSS JOIN actions b
  WHERE e.workspace_id = :workspace AND e.after_id = w.before_id
    AND b.workspace_id = e.workspace_id AND b.id = e.before_id AND {unresolved("b")}
)
SELECT after_id, before_id FROM way LIMIT :limit
"""

# Those that are open. What is closed waits for nothing.
DEPENDENTS = """
SELECT DISTINCT e.before_id, a.id, p.key, a.ref_number, a.label, a.state FROM edges e
JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.after_id AND a.state NOT IN ('done', 'wont_do')
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE e.workspace_id = :workspace AND e.before_id IN (EACH :ids)
ORDER BY a.ref_number
"""


def unresolved_below(tx: Tx, action_ids: list[str], limit: int) -> dict[str, list[str]]:
    """Action id -> the ids that it waits for; also those of what it waits for, as far as the limit goes."""
    below: dict[str, list[str]] = {}
    for after, before in tx.all(BELOW, ids=to_json(action_ids), limit=limit) if action_ids else ():
        below.setdefault(after, []).append(before)
    return below


def open_dependents(tx: Tx, action_id: str) -> list[Dependent]:
    """What waits for the action, or would if it were not resolved."""
    return open_dependents_by_action_id(tx, [action_id]).get(action_id, [])


def open_dependents_by_action_id(tx: Tx, action_ids: list[str]) -> dict[str, list[Dependent]]:
    dependents: dict[str, list[Dependent]] = {}
    for before_id, pid, key, number, label, state in tx.all(DEPENDENTS, ids=to_json(action_ids)):
        dependents.setdefault(before_id, []).append(Dependent(pid, ref_code(key, number), label, state))
    return dependents
