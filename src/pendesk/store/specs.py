"""Queries on specs."""

from typing import NamedTuple

from pendesk.domain.project import Spec
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql
from pendesk.store.participants import takes_part
from pendesk.store.prerequisites import unresolved
from pendesk.store.projects import is_there

INSERT = insert_sql("specs", Spec)

BY_ID = f"""
SELECT {columns_sql(Spec)} FROM specs WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM specs WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

CLAIM_FACTS = f"""
SELECT
  EXISTS (SELECT 1 FROM build_actions
    WHERE workspace_id = :workspace AND build_id = :build_id AND action_id = :action_id),
  {takes_part(":spec_id")},
  (SELECT count(*) FROM claims
    WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'active' AND expires_at > :now
      AND kind = 'lease'),
  EXISTS (SELECT 1 FROM members
    WHERE workspace_id = :workspace AND user_id = :user_id AND removed_at IS NULL),
  EXISTS (SELECT 1 FROM edges e JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.before_id
    WHERE e.workspace_id = :workspace AND e.after_id = :action_id AND {unresolved("a")})
"""

BY_IDS = f"SELECT {columns_sql(Spec)} FROM specs WHERE workspace_id = :workspace AND id IN (EACH :ids)"

# What was taken back to be an idea or a design after it was published, or has left the spec, is not for agents.
BUILD_ACTIONS = """
SELECT a.id, a.ref_number, ba.snapshot, a.state, c.user_id, ba.position
FROM builds b JOIN build_actions ba ON ba.workspace_id = b.workspace_id AND ba.build_id = b.id
JOIN actions a ON a.workspace_id = ba.workspace_id AND a.id = ba.action_id
LEFT JOIN claims c
  ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.state = 'active' AND c.expires_at > :now
WHERE b.workspace_id = :workspace AND b.id = :build_id AND ba.position >= :from_position
  AND a.spec_id = b.spec_id AND a.state NOT IN ('backlog', 'scope')
ORDER BY ba.position LIMIT :limit
"""

PAGE = f"""
SELECT {columns_sql(Spec)} FROM specs
WHERE workspace_id = :workspace AND project_id = :project_id AND id > :after ORDER BY id LIMIT :limit
"""

# What was decided against is no part of what is to be done.
PROGRESS = """
SELECT s.id, count(*), sum(CASE WHEN a.state = 'done' THEN 1 ELSE 0 END) FROM specs s
JOIN actions a ON a.workspace_id = s.workspace_id AND a.plan_id = s.active_plan_id
WHERE s.workspace_id = :workspace AND s.id IN (EACH :ids) AND a.state <> 'wont_do'
GROUP BY s.id
"""

EDIT = """
UPDATE specs SET goal_id = :goal_id, title = :title, summary = :summary, results = :results,
  conditions = :conditions, boundaries = :boundaries, revision = :revision, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""

SET_ACTIVE_PLAN = """
UPDATE specs SET active_plan_id = :plan_id, updated_at = :now WHERE workspace_id = :workspace AND id = :id
"""

SET_BUILD = """
UPDATE specs SET build_id = :build_id, build_number = :number, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, spec: Spec) -> None:
    tx.run(INSERT, **spec._asdict())


def by_id(tx: Tx, spec_id: str) -> Spec | None:
    row = tx.one(BY_ID, id=spec_id)
    return Spec(*row) if row else None


def lock(tx: Tx, spec_id: str) -> None:
    tx.lock(LOCK, id=spec_id)


class ClaimPreconditions(NamedTuple):
    """What claiming depends on beside the action itself, read in one statement."""

    published: bool
    participant: bool
    live_claims: int
    member: bool
    waits: bool  # for actions that must be done first


def claim_preconditions(
    tx: Tx, action_id: str, spec_id: str | None, build_id: str | None, user_id: str
) -> ClaimPreconditions:
    row = tx.one(CLAIM_FACTS, **_claim_params(tx, action_id, spec_id, build_id, user_id))
    assert row is not None
    return ClaimPreconditions(bool(row[0]), bool(row[1]), row[2], bool(row[3]), bool(row[4]))


def read_ahead_claim_preconditions(
    tx: Tx, action_id: str, spec_id: str | None, build_id: str | None, user_id: str
) -> None:
    tx.read_ahead(CLAIM_FACTS, **_claim_params(tx, action_id, spec_id, build_id, user_id))


def _claim_params(
    tx: Tx, action_id: str, spec_id: str | None, build_id: str | None, user_id: str
) -> dict[str, str | int]:
    ids = {"action_id": action_id, "spec_id": spec_id or "", "build_id": build_id or "", "user_id": user_id}
    return {**ids, "now": tx.now}


def by_ids(tx: Tx, spec_ids: list[str]) -> list[Spec]:
    return [Spec(*row) for row in tx.all(BY_IDS, ids=to_json(spec_ids))] if spec_ids else []


def action_rows_of_build_with_holder(tx: Tx, build_id: str, from_position: int, limit: int) -> list[Row]:
    return tx.all(BUILD_ACTIONS, build_id=build_id, from_position=from_position, limit=limit, now=tx.now)


def page(tx: Tx, project_id: str, after: str, limit: int) -> list[Spec]:
    return [Spec(*row) for row in tx.all(PAGE, project_id=project_id, after=after, limit=limit)]


def total_and_done_actions_by_spec_id(tx: Tx, spec_ids: list[str]) -> dict[str, tuple[int, int]]:
    """Spec id -> how many actions its active plan has, and how many of them are done."""
    return {row[0]: (row[1], int(row[2])) for row in tx.all(PROGRESS, ids=to_json(spec_ids))}


def update(tx: Tx, spec: Spec) -> None:
    tx.run(
        EDIT,
        id=spec.id,
        goal_id=spec.goal_id,
        title=spec.title,
        summary=spec.summary,
        results=spec.results,
        conditions=spec.conditions,
        boundaries=spec.boundaries,
        revision=spec.revision,
        now=tx.now,
    )


def set_active_plan(tx: Tx, spec_id: str, plan_id: str) -> None:
    tx.run(SET_ACTIVE_PLAN, id=spec_id, plan_id=plan_id, now=tx.now)


def set_current_build(tx: Tx, spec_id: str, build_id: str, build_number: int) -> None:
    tx.run(SET_BUILD, id=spec_id, build_id=build_id, number=build_number, now=tx.now)
