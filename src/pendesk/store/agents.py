"""Queries on who is at work: what is held, which tokens were used last, and the newest runs."""

from typing import NamedTuple

from pendesk.domain.run import AgentRun
from pendesk.store.engine.tx import Tx, columns_sql


class HeldAction(NamedTuple):
    claim_id: str
    user_id: str
    agent_model: str | None
    taken_at: int
    renewed_at: int
    expires_at: int
    last_message: str | None
    action_id: str
    project_key: str
    ref_number: int
    label: str
    waiting: int


class ActiveMember(NamedTuple):
    """A member with tokens that work, or with a claim; the last call by any of those tokens."""

    user_id: str
    user_name: str
    user_kind: str
    tokens: int
    last_used_at: int | None


HELD = """
SELECT c.id, c.user_id, c.agent_model, c.taken_at, c.renewed_at, c.expires_at, c.last_message, a.id, p.key,
  a.ref_number, a.label,
  (SELECT count(*) FROM clarifications q WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id
   AND q.answered_at IS NULL)
FROM claims c
JOIN actions a ON a.workspace_id = c.workspace_id AND a.id = c.action_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE c.workspace_id = :workspace AND c.state = 'active' ORDER BY c.renewed_at DESC LIMIT :limit
"""

AT_WORK = """
SELECT m.user_id, u.name, u.kind, count(t.id), max(t.last_used_at) FROM members m
JOIN users u ON u.id = m.user_id
LEFT JOIN tokens t ON t.workspace_id = m.workspace_id AND t.user_id = m.user_id
  AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
WHERE m.workspace_id = :workspace AND m.removed_at IS NULL
GROUP BY m.user_id, u.name, u.kind
HAVING count(t.id) > 0 OR EXISTS (
  SELECT 1 FROM claims c WHERE c.workspace_id = :workspace AND c.user_id = m.user_id AND c.state = 'active')
ORDER BY coalesce(max(t.last_used_at), 0) DESC, u.name LIMIT :limit
"""

RUNS = f"""
SELECT {columns_sql(AgentRun)} FROM agent_runs WHERE workspace_id = :workspace ORDER BY id DESC LIMIT :limit
"""


def held_actions(tx: Tx, limit: int) -> list[HeldAction]:
    return [HeldAction(*row) for row in tx.all(HELD, limit=limit)]


def members_with_token_or_claim(tx: Tx, limit: int) -> list[ActiveMember]:
    return [ActiveMember(*row) for row in tx.all(AT_WORK, now=tx.now, limit=limit)]


def newest_runs(tx: Tx, limit: int) -> list[AgentRun]:
    return [AgentRun(*row) for row in tx.all(RUNS, limit=limit)]
