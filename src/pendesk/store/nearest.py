"""What a caller may have meant who named an action that they do not see. Only run for a refusal.

Who plans sees every action of the workspace; who builds sees what is ready, and is of no spec or of one of theirs.
"""

from pendesk.domain.action import ref_code
from pendesk.store.engine.tx import Tx

_VISIBLE = """(:planning = 1 OR a.state NOT IN ('backlog', 'scope'))
  AND (:all_specs = 1 OR a.spec_id IS NULL OR EXISTS (SELECT 1 FROM participants pt
    WHERE pt.workspace_id = a.workspace_id AND pt.spec_id = a.spec_id AND pt.user_id = :user_id))"""

KEYS = f"""
SELECT p.key FROM projects p WHERE p.workspace_id = :workspace AND EXISTS (
  SELECT 1 FROM actions a WHERE a.workspace_id = p.workspace_id AND a.project_id = p.id AND {_VISIBLE})
"""

_OF_PROJECT = """
SELECT a.ref_number FROM projects p JOIN actions a ON a.workspace_id = p.workspace_id AND a.project_id = p.id
WHERE p.workspace_id = :workspace AND p.key = :key"""

# Two statements, so that each walks its own way through the index by ref number.
UP_TO = f"{_OF_PROJECT} AND a.ref_number <= :number AND {_VISIBLE} ORDER BY a.ref_number DESC LIMIT :limit"
AFTER = f"{_OF_PROJECT} AND a.ref_number > :number AND {_VISIBLE} ORDER BY a.ref_number LIMIT :limit"


def keys_with_visible_actions(tx: Tx, user_id: str, *, planning: bool, all_specs: bool) -> list[str]:
    rows = tx.all(KEYS, user_id=user_id, planning=int(planning), all_specs=int(all_specs))
    return [row[0] for row in rows]


def visible_refs_near(
    tx: Tx, key: str, number: int, user_id: str, limit: int, *, planning: bool, all_specs: bool
) -> list[str]:
    rows = [
        row
        for statement in (UP_TO, AFTER)
        for row in tx.all(
            statement,
            key=key,
            number=number,
            user_id=user_id,
            planning=int(planning),
            all_specs=int(all_specs),
            limit=limit,
        )
    ]
    numbers = sorted((row[0] for row in rows), key=lambda near_number: abs(near_number - number))[:limit]
    return [ref_code(key, near_number) for near_number in numbers]
