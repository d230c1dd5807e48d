"""Queries on what agents drafted for people to accept, and on the actions by which people asked for a draft."""

from typing import NamedTuple

from pendesk.domain.proposal import Proposal, ProposalKind
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("proposals", Proposal)

BY_ID = f"SELECT {columns_sql(Proposal)} FROM proposals WHERE workspace_id = :workspace AND id = :id"

LOCK = "SELECT 1 FROM proposals WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

NEXT_VERSION = "SELECT id FROM proposals WHERE workspace_id = :workspace AND previous_id = :id ORDER BY id LIMIT 1"

OPEN_COUNT = """
SELECT count(*) FROM proposals WHERE workspace_id = :workspace AND project_id = :project_id AND state = 'open'
"""

OPEN_OF_PROJECT = f"""
SELECT {columns_sql(Proposal)} FROM proposals
WHERE workspace_id = :workspace AND project_id = :project_id AND state = 'open' ORDER BY id LIMIT :limit
"""

OPEN_OF_SPEC = f"""
SELECT {columns_sql(Proposal)} FROM proposals
WHERE workspace_id = :workspace AND spec_id = :spec_id AND state = 'open' ORDER BY id LIMIT :limit
"""

OF_ACTION = f"""
SELECT {columns_sql(Proposal)} FROM proposals
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id DESC LIMIT 1
"""

SUPERSEDE = """
UPDATE proposals SET state = 'superseded' WHERE workspace_id = :workspace AND id = :id AND state = 'open'
"""

DECIDE = """
UPDATE proposals SET state = :state, spec_id = :spec_id, plan_id = :plan_id, decided_by = :decided_by,
  decided_at = :now, remark = :remark, decisions = :decisions
WHERE workspace_id = :workspace AND id = :id
"""


class DraftRequest(NamedTuple):
    """An action by which a person asked for a plan of a spec, or for a spec from a note."""

    action_id: str
    kind: ProposalKind
    spec_id: str | None
    note_id: str | None


ADD_REQUEST = insert_sql("draft_requests", DraftRequest)

REQUEST_OF_ACTION = f"""
SELECT {columns_sql(DraftRequest)} FROM draft_requests WHERE workspace_id = :workspace AND action_id = :action_id
"""

REQUESTS_AMONG = """
SELECT action_id FROM draft_requests WHERE workspace_id = :workspace AND action_id IN (EACH :ids)
"""

OPEN_REQUESTS_OF_SPEC = """
SELECT r.action_id FROM draft_requests r CROSS JOIN actions a
WHERE r.workspace_id = :workspace AND r.spec_id = :spec_id AND r.kind = 'plan'
  AND a.workspace_id = r.workspace_id AND a.id = r.action_id AND a.state NOT IN ('done', 'wont_do')
ORDER BY r.action_id LIMIT 1
"""

OPEN_REQUESTS_OF_NOTE = """
SELECT r.action_id FROM draft_requests r CROSS JOIN actions a
WHERE r.workspace_id = :workspace AND r.note_id = :note_id
  AND a.workspace_id = r.workspace_id AND a.id = r.action_id AND a.state NOT IN ('done', 'wont_do')
ORDER BY r.action_id LIMIT 1
"""


def action_ids_that_ask_for_drafts(tx: Tx, action_ids: list[str]) -> set[str]:
    return {row[0] for row in tx.all(REQUESTS_AMONG, ids=to_json(action_ids))} if action_ids else set()


def add(tx: Tx, proposal: Proposal) -> None:
    tx.run(INSERT, **proposal._asdict())


def by_id(tx: Tx, proposal_id: str) -> Proposal | None:
    row = tx.one(BY_ID, id=proposal_id)
    return Proposal(*row) if row else None


def lock(tx: Tx, proposal_id: str) -> None:
    tx.lock(LOCK, id=proposal_id)


def next_version_id(tx: Tx, proposal_id: str) -> str | None:
    row = tx.one(NEXT_VERSION, id=proposal_id)
    return row[0] if row else None


def count_open(tx: Tx, project_id: str) -> int:
    row = tx.one(OPEN_COUNT, project_id=project_id)
    assert row is not None
    count: int = row[0]
    return count


def open_of_project(tx: Tx, project_id: str, limit: int) -> list[Proposal]:
    """The oldest first."""
    return [Proposal(*row) for row in tx.all(OPEN_OF_PROJECT, project_id=project_id, limit=limit)]


def open_of_spec(tx: Tx, spec_id: str, limit: int) -> list[Proposal]:
    return [Proposal(*row) for row in tx.all(OPEN_OF_SPEC, spec_id=spec_id, limit=limit)]


def newest_of_action(tx: Tx, action_id: str) -> Proposal | None:
    row = tx.one(OF_ACTION, action_id=action_id)
    return Proposal(*row) if row else None


def supersede(tx: Tx, proposal_id: str) -> None:
    """What was decided about already stays as it was decided."""
    tx.run(SUPERSEDE, id=proposal_id)


def save_decision(tx: Tx, proposal: Proposal) -> None:
    tx.run(
        DECIDE,
        id=proposal.id,
        state=proposal.state,
        spec_id=proposal.spec_id,
        plan_id=proposal.plan_id,
        decided_by=proposal.decided_by,
        remark=proposal.remark,
        decisions=proposal.decisions,
        now=tx.now,
    )


def add_request(tx: Tx, request: DraftRequest) -> None:
    tx.run(ADD_REQUEST, **request._asdict())


def request_of_action(tx: Tx, action_id: str) -> DraftRequest | None:
    row = tx.one(REQUEST_OF_ACTION, action_id=action_id)
    return DraftRequest(*row) if row else None


def open_request_id_of_spec(tx: Tx, spec_id: str) -> str | None:
    row = tx.one(OPEN_REQUESTS_OF_SPEC, spec_id=spec_id)
    return row[0] if row else None


def open_request_id_of_note(tx: Tx, note_id: str) -> str | None:
    row = tx.one(OPEN_REQUESTS_OF_NOTE, note_id=note_id)
    return row[0] if row else None
