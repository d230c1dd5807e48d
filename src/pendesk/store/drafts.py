"""Queries for a plan that is being written: what stands around each of its actions, in one statement each."""

from typing import NamedTuple

from pendesk.domain.action import ActionState, ref_code
from pendesk.domain.claim import Claim
from pendesk.store.engine.tx import Tx, columns_sql

CLAIMS = f"""
SELECT {columns_sql(Claim, "c")}, u.name FROM actions a
JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.state IN ('active', 'submitted')
JOIN users u ON u.id = c.user_id
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id ORDER BY a.position, a.id
"""

OPEN_QUESTIONS = """
SELECT q.action_id, count(*) FROM actions a CROSS JOIN clarifications q
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id
  AND q.workspace_id = a.workspace_id AND q.action_id = a.id AND q.answered_at IS NULL
GROUP BY q.action_id
"""

PREREQUISITES = """
SELECT e.after_id, e.id, b.id, p.key, b.ref_number, b.label, b.state, b.drop_accepted_at
FROM actions a CROSS JOIN edges e
JOIN actions b ON b.workspace_id = e.workspace_id AND b.id = e.before_id
JOIN projects p ON p.workspace_id = b.workspace_id AND p.id = b.project_id
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id AND e.workspace_id = a.workspace_id AND e.after_id = a.id
ORDER BY b.ref_number, e.id
"""

# Those at work on a spec, whichever of its plans the action stands in now.
AT_WORK = f"""
SELECT {columns_sql(Claim, "c")}, u.name, a.ref_number, a.label FROM plans n CROSS JOIN actions a
JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.state IN ('active', 'submitted')
JOIN users u ON u.id = c.user_id
WHERE n.workspace_id = :workspace AND n.spec_id = :spec_id AND a.workspace_id = n.workspace_id AND a.plan_id = n.id
ORDER BY a.ref_number
"""

_CLAIM = len(Claim._fields)


class Prerequisite(NamedTuple):
    """An action that comes first, and the edge that says so."""

    edge_id: str
    action_id: str
    ref: str
    label: str
    state: ActionState
    drop_accepted_at: int | None


class OpenClaim(NamedTuple):
    claim: Claim
    holder: str
    ref_number: int
    label: str


def claim_and_holder_name_by_action_id(tx: Tx, plan_id: str) -> dict[str, tuple[Claim, str]]:
    """Action id -> its claim and the holder's name, where it is in someone's hands."""
    claims = [(Claim(*row[:_CLAIM]), row[_CLAIM]) for row in tx.all(CLAIMS, plan_id=plan_id)]
    return {claim.action_id: (claim, holder) for claim, holder in claims}


def open_question_count_by_action(tx: Tx, plan_id: str) -> dict[str, int]:
    return {row[0]: row[1] for row in tx.all(OPEN_QUESTIONS, plan_id=plan_id)}


def prerequisites_by_action(tx: Tx, plan_id: str) -> dict[str, list[Prerequisite]]:
    """Action id -> what comes before it."""
    prerequisites: dict[str, list[Prerequisite]] = {}
    for after, edge_id, action_id, key, number, *facts in tx.all(PREREQUISITES, plan_id=plan_id):
        prerequisite = Prerequisite(edge_id, action_id, ref_code(key, number), *facts)
        prerequisites.setdefault(after, []).append(prerequisite)
    return prerequisites


def open_claims_of_spec(tx: Tx, spec_id: str) -> list[OpenClaim]:
    rows = tx.all(AT_WORK, spec_id=spec_id)
    return [OpenClaim(Claim(*row[:_CLAIM]), *row[_CLAIM:]) for row in rows]
