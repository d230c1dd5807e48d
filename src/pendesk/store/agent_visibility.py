"""Queries of what decides whether any agent can see an action (domain/agent_visibility.py)."""

from pendesk.domain.access import Scope
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, any_row_sql

_CRITERION = "SELECT 1 FROM criteria k WHERE k.workspace_id = a.workspace_id AND k.action_id = a.id"
IN_ACTIVE_PLAN_AND_HAS_CRITERION = f"""
SELECT a.id, CASE WHEN a.plan_id = s.active_plan_id THEN 1 ELSE 0 END,
  CASE WHEN {any_row_sql(_CRITERION)} THEN 1 ELSE 0 END
FROM actions a JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)
"""

_MAY_CLAIM = "m.removed_at IS NULL AND m.role <> 'viewer'"
_LIVE_KEY = "k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now) AND k.scopes LIKE :scope"
_LIVE_GRANT = "g.revoked_at IS NULL AND g.expires_at > :now AND g.scopes LIKE :scope"

ANY_AGENT = f"""
SELECT 1 WHERE EXISTS (SELECT 1 FROM members m
    JOIN tokens k ON k.workspace_id = m.workspace_id AND k.user_id = m.user_id
    WHERE m.workspace_id = :workspace AND {_MAY_CLAIM} AND {_LIVE_KEY})
  OR EXISTS (SELECT 1 FROM members m
    JOIN oauth_grants g ON g.workspace_id = m.workspace_id AND g.user_id = m.user_id
    WHERE m.workspace_id = :workspace AND {_MAY_CLAIM} AND {_LIVE_GRANT})
"""

SPECS_WITH_INVITED_AGENT = f"""
SELECT DISTINCT t.spec_id FROM participants t
JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id AND {_MAY_CLAIM}
WHERE t.workspace_id = :workspace AND t.spec_id IN (EACH :ids)
  AND (EXISTS (SELECT 1 FROM tokens k WHERE k.workspace_id = t.workspace_id AND k.user_id = t.user_id AND {_LIVE_KEY})
    OR EXISTS (SELECT 1 FROM oauth_grants g
      WHERE g.workspace_id = t.workspace_id AND g.user_id = t.user_id AND {_LIVE_GRANT}))
"""

_SCOPE = f"%{Scope.BUILDS_WRITE}%"


def in_active_plan_and_has_criterion_by_id(tx: Tx, action_ids: list[str]) -> dict[str, tuple[bool, bool]]:
    rows = tx.all(IN_ACTIVE_PLAN_AND_HAS_CRITERION, ids=to_json(action_ids)) if action_ids else []
    return {row[0]: (bool(row[1]), bool(row[2])) for row in rows}


def has_any_agent(tx: Tx) -> bool:
    return tx.one(ANY_AGENT, now=tx.now, scope=_SCOPE) is not None


def spec_ids_with_invited_agent(tx: Tx, spec_ids: list[str]) -> set[str]:
    if not spec_ids:
        return set()
    return {row[0] for row in tx.all(SPECS_WITH_INVITED_AGENT, ids=to_json(spec_ids), now=tx.now, scope=_SCOPE)}
