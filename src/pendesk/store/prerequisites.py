"""What an action waits for: the one place where a query says which prerequisites still hold it back."""

from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx


def unresolved(action: str) -> str:
    """A condition on the row of a prerequisite, under its name in the query."""
    return f"{action}.state <> 'done'"


def waits(action: str) -> str:
    """A condition on the row of an action: something that comes before it is not resolved."""
    return f"""EXISTS (
    SELECT 1 FROM edges e JOIN actions b ON b.workspace_id = e.workspace_id AND b.id = e.before_id
    WHERE e.workspace_id = {action}.workspace_id AND e.after_id = {action}.id AND {unresolved("b")})"""


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


def unresolved_below(tx: Tx, action_ids: list[str], limit: int) -> dict[str, list[str]]:
    """Action id -> the ids that it waits for; also those of what it waits for, as far as the limit goes."""
    below: dict[str, list[str]] = {}
    for after, before in tx.all(BELOW, ids=to_json(action_ids), limit=limit) if action_ids else ():
        below.setdefault(after, []).append(before)
    return below
