"""Queries of what the card of a project shows: how far it is, what waits for people, and who is at work in it."""

from pendesk.domain.limits import Limits
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.needs import COUNTED, moments_of_all_kinds

TALLIES = """
SELECT project_id, kind, CAST(sum(count) AS BIGINT) FROM action_tallies
WHERE workspace_id = :workspace AND project_id IN (EACH :ids) GROUP BY project_id, kind
"""
IN_WORK = """
SELECT project_id, state, count(*) FROM actions
WHERE workspace_id = :workspace AND project_id IN (EACH :ids)
  AND state IN ('in_progress', 'in_review', 'changes_requested')
GROUP BY project_id, state
"""
_WAITING = " UNION ALL ".join(
    f"SELECT p.id AS project_id, count(*) AS count {source} {waits} GROUP BY p.id" for source, waits in COUNTED
)
WAITING = f"SELECT project_id, CAST(sum(count) AS BIGINT) FROM ({_WAITING}) waiting GROUP BY project_id"
AT_WORK = """
SELECT DISTINCT a.project_id, coalesce(g.name, u.name), CASE WHEN g.id IS NULL THEN u.kind ELSE 'agent' END
FROM claims c CROSS JOIN actions a
JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
WHERE c.workspace_id = :workspace AND c.state = 'active' AND c.expires_at > :now
  AND a.workspace_id = c.workspace_id AND a.id = c.action_id AND a.project_id IN (EACH :ids)
ORDER BY 1, 2
"""


def made_and_closed(tx: Tx, project_ids: list[str]) -> dict[tuple[str, str], int]:
    """(project id, kind) -> how many: made, done or wont_do."""
    return {(row[0], row[1]): row[2] for row in tx.all(TALLIES, ids=to_json(project_ids))}


def in_work(tx: Tx, project_ids: list[str]) -> dict[tuple[str, str], int]:
    """(project id, state) -> how many actions are in work, in review, or had changes requested."""
    return {(row[0], row[1]): row[2] for row in tx.all(IN_WORK, ids=to_json(project_ids))}


def waiting(tx: Tx, limits: Limits) -> dict[str, int]:
    """Project id -> how much is in everybody's inbox; projects where nothing waits are left out."""
    return dict(tx.all(WAITING, **moments_of_all_kinds(tx.now, limits)))


def at_work(tx: Tx, project_ids: list[str]) -> list[Row]:
    """Project id, name and kind of each who holds something there, by a claim that is alive."""
    return tx.all(AT_WORK, ids=to_json(project_ids), now=tx.now)
