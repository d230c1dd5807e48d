"""What cards can be grouped by: spec, who has it or is to have it, labels."""

from collections.abc import Collection
from typing import NamedTuple

from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx


class CardFacts(NamedTuple):
    """`holder_id`: who has it, or had it when it was done. It is assigned to a member or, by `assigned_agent_id`, to an
    agent.
    """

    id: str
    spec_id: str | None
    spec_title: str | None
    labels: str | None
    assignee_id: str | None
    assignee_name: str | None
    assignee_kind: str | None
    assigned_agent_id: str | None
    assigned_agent_name: str | None
    holder_id: str | None
    holder_name: str | None
    holder_kind: str | None
    session_id: str | None
    agent_name: str | None
    session_number: int | None
    session_name: str | None


FACTS = """
SELECT a.id, a.spec_id, s.title, a.labels, a.assignee_user_id, au.name, au.kind, a.assignee_agent_id, ag.name,
  u.id, u.name, u.kind, cs.id, g.name, cs.number, cs.name
FROM actions a
LEFT JOIN specs s ON s.workspace_id = a.workspace_id AND s.id = a.spec_id
LEFT JOIN users au ON au.id = a.assignee_user_id
LEFT JOIN agents ag ON ag.workspace_id = a.workspace_id AND ag.id = a.assignee_agent_id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
  AND c.state IN ('active', 'submitted', 'done')
LEFT JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions cs ON cs.workspace_id = c.workspace_id AND cs.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = cs.workspace_id AND g.id = cs.agent_id
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)
"""


def facts_of_cards(tx: Tx, action_ids: Collection[str]) -> list[CardFacts]:
    rows = tx.all(FACTS, ids=to_json(sorted(action_ids))) if action_ids else []
    return [CardFacts(*row) for row in rows]
