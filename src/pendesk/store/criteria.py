"""Queries on acceptance criteria and the evidence for them."""

from pendesk.domain.criterion import ORDER, RANK, Criterion, Evidence
from pendesk.store.json_text import to_json
from pendesk.store.tx import Tx, columns, insert

INSERT = insert("criteria", Criterion)

OF_ACTION = f"""
SELECT {columns(Criterion)} FROM criteria
WHERE workspace_id = :workspace AND action_id = :action_id AND removed_at IS NULL ORDER BY position, id
"""

OF_PLAN = f"""
SELECT {columns(Criterion, "c")} FROM actions a
JOIN criteria c ON c.workspace_id = a.workspace_id AND c.action_id = a.id
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id AND c.removed_at IS NULL
ORDER BY c.action_id, c.position, c.id
"""

BY_ID = f"""
SELECT {columns(Criterion)} FROM criteria
WHERE workspace_id = :workspace AND id = :id AND removed_at IS NULL
"""

# The rule itself is criterion.later(); the status list makes the statement unable to move one back.
ADVANCE = """
UPDATE criteria SET status = :status
WHERE workspace_id = :workspace AND id IN (EACH :ids) AND status IN (EACH :earlier)
"""

EDIT = """
UPDATE criteria SET text = :text, position = :position, revision = :revision
WHERE workspace_id = :workspace AND id = :id
"""

REMOVE = "UPDATE criteria SET removed_at = :now WHERE workspace_id = :workspace AND id = :id"

INSERT_EVIDENCE = insert("evidence", Evidence)

EVIDENCE_OF_ACTION = f"""
SELECT {columns(Evidence)} FROM evidence WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id
"""

# Enough for best_evidence() to choose from, however often an agent reports: the newest of each level, fresh and stale.
TOP_EVIDENCE = f"""
SELECT {columns(Evidence)} FROM (
  SELECT {columns(Evidence)}, row_number() OVER (
    PARTITION BY criterion_id, level, stale_reason IS NULL ORDER BY given_at DESC, id DESC) AS place
  FROM evidence WHERE workspace_id = :workspace AND action_id = :action_id
) ranked WHERE place = 1
"""

STALE_BY_EDIT = """
UPDATE evidence SET stale_reason = :reason, stale_at = :now
WHERE workspace_id = :workspace AND criterion_id = :criterion_id AND stale_reason IS NULL
"""


def add(tx: Tx, criterion: Criterion) -> None:
    tx.run(INSERT, **criterion._asdict())


def of_action(tx: Tx, action_id: str) -> list[Criterion]:
    return [Criterion(*row) for row in tx.all(OF_ACTION, action_id=action_id)]


def of_plan(tx: Tx, plan_id: str) -> dict[str, list[Criterion]]:
    """Action id -> its criteria, for every action of the plan that has any."""
    found: dict[str, list[Criterion]] = {}
    for row in tx.all(OF_PLAN, plan_id=plan_id):
        criterion = Criterion(*row)
        found.setdefault(criterion.action_id, []).append(criterion)
    return found


def by_id(tx: Tx, criterion_id: str) -> Criterion | None:
    row = tx.one(BY_ID, id=criterion_id)
    return Criterion(*row) if row else None


def advance(tx: Tx, ids: list[str], status: str) -> None:
    if ids:
        tx.run(ADVANCE, ids=to_json(ids), status=status, earlier=to_json(ORDER[: RANK[status]]))


def edit(tx: Tx, criterion: Criterion) -> None:
    tx.run(
        EDIT,
        id=criterion.id,
        text=criterion.text,
        position=criterion.position,
        revision=criterion.revision,
    )


def remove(tx: Tx, criterion_id: str) -> None:
    tx.run(REMOVE, id=criterion_id, now=tx.now)


def add_evidence(tx: Tx, evidence: Evidence) -> None:
    tx.run(INSERT_EVIDENCE, **evidence._asdict())


def evidence_of_action(tx: Tx, action_id: str) -> list[Evidence]:
    return [Evidence(*row) for row in tx.all(EVIDENCE_OF_ACTION, action_id=action_id)]


def top_evidence(tx: Tx, action_id: str) -> dict[str, list[Evidence]]:
    """Criterion id -> its evidence, the newest of each kind."""
    found: dict[str, list[Evidence]] = {}
    for row in tx.all(TOP_EVIDENCE, action_id=action_id):
        piece = Evidence(*row)
        found.setdefault(piece.criterion_id, []).append(piece)
    return found


def mark_stale(tx: Tx, criterion_id: str, reason: str) -> None:
    tx.run(STALE_BY_EDIT, criterion_id=criterion_id, reason=reason, now=tx.now)
