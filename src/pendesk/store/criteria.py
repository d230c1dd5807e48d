"""Queries on acceptance criteria and the evidence for them."""

from pendesk.domain.criterion import ORDER, RANK, Criterion, CriterionStatus, Evidence, EvidenceLevel
from pendesk.domain.evidence import (
    CriteriaCounts,
    EvidenceHistory,
    EvidenceState,
    Moment,
    count_criteria,
    evidence_state,
)
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, any_row_sql, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("criteria", Criterion)

OF_ACTION = f"""
SELECT {columns_sql(Criterion)} FROM criteria
WHERE workspace_id = :workspace AND action_id = :action_id AND removed_at IS NULL ORDER BY position, id
"""

OF_PLAN = f"""
SELECT {columns_sql(Criterion, "c")} FROM actions a CROSS JOIN criteria c
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id
  AND c.workspace_id = a.workspace_id AND c.action_id = a.id AND c.removed_at IS NULL
ORDER BY c.action_id, c.position, c.id
"""

ACTIONS_WITH_CRITERIA = """
SELECT DISTINCT action_id FROM criteria
WHERE workspace_id = :workspace AND action_id IN (EACH :ids) AND removed_at IS NULL
"""

_PROJECT_ID = "(SELECT a.project_id FROM actions a WHERE a.workspace_id = :workspace AND a.id = action_id)"

BY_ID = f"""
SELECT {columns_sql(Criterion)} FROM criteria
WHERE workspace_id = :workspace AND id = :id AND removed_at IS NULL AND {is_there(_PROJECT_ID)}
"""

BY_ID_EVEN_IF_REMOVED = f"""
SELECT {columns_sql(Criterion)} FROM criteria
WHERE workspace_id = :workspace AND id = :id AND {is_there(_PROJECT_ID)}
"""

# Also of one that was removed.
ACTION_ID = "SELECT action_id FROM criteria WHERE workspace_id = :workspace AND id = :id"

# The rule itself is criterion.advance(); the status list makes the statement unable to move one back.
ADVANCE = """
UPDATE criteria SET status = :status
WHERE workspace_id = :workspace AND id IN (EACH :ids) AND status IN (EACH :earlier)
"""

EDIT = """
UPDATE criteria SET text = :text, position = :position, revision = :revision
WHERE workspace_id = :workspace AND id = :id
"""

REMOVE = "UPDATE criteria SET removed_at = :now WHERE workspace_id = :workspace AND id = :id"

RESTORE = "UPDATE criteria SET removed_at = NULL WHERE workspace_id = :workspace AND id = :id"

INSERT_EVIDENCE = insert_sql("evidence", Evidence)


# Enough for highest_ranked_evidence() to choose from, however often an agent reports: the newest of each level, fresh
# and stale.
TOP_EVIDENCE = f"""
WITH of_action AS MATERIALIZED (
  SELECT {columns_sql(Evidence)} FROM evidence WHERE workspace_id = :workspace AND action_id = :action_id
)
SELECT {columns_sql(Evidence)} FROM (
  SELECT {columns_sql(Evidence)}, row_number() OVER (
    PARTITION BY criterion_id, level, stale_reason IS NULL ORDER BY given_at DESC, id DESC) AS place
  FROM of_action
) ranked WHERE place = 1
"""

STALE_BY_EDIT = """
UPDATE evidence SET stale_reason = :reason, stale_at = :now
WHERE workspace_id = :workspace AND criterion_id = :criterion_id AND stale_reason IS NULL
"""

CI_EVIDENCE = f"""
SELECT {columns_sql(Evidence)} FROM evidence
WHERE workspace_id = :workspace AND sha = :sha AND action_id = :action_id AND level = 'ci' AND stale_reason IS NULL
"""

FRESH_OF_SOURCE = f"""
SELECT {columns_sql(Evidence)} FROM evidence
WHERE workspace_id = :workspace AND criterion_id = :criterion_id AND source_id = :source_id AND stale_reason IS NULL
"""

FRESH_ON_SHAS = f"""
WITH shown AS MATERIALIZED (
  SELECT {columns_sql(Evidence)} FROM evidence
  WHERE workspace_id = :workspace AND sha IN (EACH :shas) AND stale_reason IS NULL
)
SELECT {columns_sql(Evidence, "e")} FROM shown e CROSS JOIN actions a
WHERE a.workspace_id = :workspace AND a.id = e.action_id AND a.project_id = :project_id
ORDER BY e.action_id, e.id
"""

# Of actions under way, what was shown on a branch.
FRESH_ON_BRANCH = f"""
SELECT {columns_sql(Evidence, "e")} FROM actions a CROSS JOIN evidence e CROSS JOIN commits c
WHERE a.workspace_id = :workspace AND a.project_id = :project_id
  AND a.state IN ('in_progress', 'in_review', 'changes_requested')
  AND e.workspace_id = a.workspace_id AND e.action_id = a.id AND e.stale_reason IS NULL
  AND c.workspace_id = a.workspace_id AND c.project_id = a.project_id AND c.sha = e.sha AND c.branch = :branch
ORDER BY e.action_id, e.id
"""

STALE_BY_ID = """
UPDATE evidence SET stale_reason = :reason, stale_at = :now
WHERE workspace_id = :workspace AND id IN (EACH :ids) AND stale_reason IS NULL
"""

_LEVELS = tuple(EvidenceLevel)
_OF_CRITERION = "{0}.workspace_id = k.workspace_id AND {0}.criterion_id = k.id"


# Time and id as one text: a subquery gives one value, and a join would let PostgreSQL hash a whole workspace.
def _newest_result_sql(outcome: str) -> str:
    return f"""
  (SELECT r.reported_at || ' ' || r.id FROM test_results r
   WHERE {_OF_CRITERION.format("r")} AND r.outcome = '{outcome}' ORDER BY r.reported_at DESC, r.id DESC LIMIT 1)"""


# Times have the same number of digits, so the greatest text is the newest; SQLite would make a sorter to order one row.
def _newest_verdict_sql(verdict: str) -> str:
    return f"""
  (SELECT max(r.reviewed_at || ' ' || r.id) FROM review_verdicts v CROSS JOIN reviews r
   WHERE {_OF_CRITERION.format("v")} AND v.verdict = '{verdict}' AND r.workspace_id = v.workspace_id
     AND r.id = v.review_id)"""


def _newest_fresh_evidence_sql(level: str) -> str:
    return f"""
  (SELECT e.given_at || ' ' || e.id FROM evidence e
   WHERE {_OF_CRITERION.format("e")} AND e.level = '{level}' AND e.stale_reason IS NULL
   ORDER BY e.given_at DESC, e.id DESC LIMIT 1)"""


# What evidence_state() decides by, a row a criterion: everything that counts criteria reads this, so the rule stands in
# the domain alone. Each of the newest is one step in an index, however often an agent has reported.
HISTORIES = f"""
SELECT k.action_id, k.id, k.status, {any_row_sql("SELECT 1 FROM evidence e WHERE " + _OF_CRITERION.format("e"))},
  {_newest_result_sql("failed")}, {_newest_result_sql("passed")},
  {_newest_verdict_sql("rejected")}, {_newest_verdict_sql("confirmed")},
  {", ".join(map(_newest_fresh_evidence_sql, _LEVELS))}
FROM criteria k
WHERE k.workspace_id = :workspace AND k.action_id IN (EACH :ids) AND k.removed_at IS NULL
ORDER BY k.action_id, k.position, k.id
"""

# Ids begin with the time, so criteria made together begin alike; the neighbours tell how much of one names it alone.
NEIGHBOURS = """
SELECT c.id,
  (SELECT max(o.id) FROM criteria o WHERE o.workspace_id = c.workspace_id AND o.id < c.id),
  (SELECT min(o.id) FROM criteria o WHERE o.workspace_id = c.workspace_id AND o.id > c.id)
FROM criteria c WHERE c.workspace_id = :workspace AND c.action_id = :action_id AND c.removed_at IS NULL
ORDER BY c.position, c.id
"""


def add(tx: Tx, criterion: Criterion) -> None:
    tx.run(INSERT, **criterion._asdict())


def of_action(tx: Tx, action_id: str) -> list[Criterion]:
    return [Criterion(*row) for row in tx.all(OF_ACTION, action_id=action_id)]


def read_ahead_of_action(tx: Tx, action_id: str) -> None:
    tx.read_ahead(OF_ACTION, action_id=action_id)


def criteria_of_plan_by_action_id(tx: Tx, plan_id: str) -> dict[str, list[Criterion]]:
    """Action id -> its criteria, for every action of the plan that has any."""
    by_action: dict[str, list[Criterion]] = {}
    for row in tx.all(OF_PLAN, plan_id=plan_id):
        criterion = Criterion(*row)
        by_action.setdefault(criterion.action_id, []).append(criterion)
    return by_action


def action_ids_with_criteria(tx: Tx, action_ids: list[str]) -> set[str]:
    return {row[0] for row in tx.all(ACTIONS_WITH_CRITERIA, ids=to_json(action_ids))} if action_ids else set()


def by_id(tx: Tx, criterion_id: str) -> Criterion | None:
    row = tx.one(BY_ID, id=criterion_id)
    return Criterion(*row) if row else None


def action_id_even_if_removed(tx: Tx, criterion_id: str) -> str | None:
    row = tx.one(ACTION_ID, id=criterion_id)
    return row[0] if row else None


def advance_status_if_earlier(tx: Tx, criterion_ids: list[str], status: CriterionStatus) -> None:
    tx.run(ADVANCE, ids=to_json(criterion_ids), status=status, earlier=to_json(ORDER[: RANK[status]]))


def save_text_and_position(tx: Tx, criterion: Criterion) -> None:
    tx.run(
        EDIT,
        id=criterion.id,
        text=criterion.text,
        position=criterion.position,
        revision=criterion.revision,
    )


def remove(tx: Tx, criterion_id: str) -> None:
    tx.run(REMOVE, id=criterion_id, now=tx.now)


def by_id_even_if_removed(tx: Tx, criterion_id: str) -> Criterion | None:
    row = tx.one(BY_ID_EVEN_IF_REMOVED, id=criterion_id)
    return Criterion(*row) if row else None


def restore(tx: Tx, criterion_id: str) -> None:
    tx.run(RESTORE, id=criterion_id)


def add_evidence(tx: Tx, evidence: Evidence) -> None:
    tx.run(INSERT_EVIDENCE, **evidence._asdict())


def newest_of_each_level_by_criterion(tx: Tx, action_id: str) -> dict[str, list[Evidence]]:
    """Criterion id -> its evidence, the newest of each kind."""
    by_criterion: dict[str, list[Evidence]] = {}
    for row in tx.all(TOP_EVIDENCE, action_id=action_id):
        piece = Evidence(*row)
        by_criterion.setdefault(piece.criterion_id, []).append(piece)
    return by_criterion


def evidence_histories(tx: Tx, action_ids: list[str]) -> list[EvidenceHistory]:
    """Of every criterion of the actions, action by action and in order."""
    if not action_ids:
        return []
    return [_to_evidence_history(*row) for row in tx.all(HISTORIES, ids=to_json(action_ids))]


def evidence_history_by_criterion_id(tx: Tx, action_id: str) -> dict[str, EvidenceHistory]:
    return {history.criterion_id: history for history in evidence_histories(tx, [action_id])}


def counts_by_action_id(tx: Tx, action_ids: list[str]) -> dict[str, CriteriaCounts]:
    """Every action that has criteria, with how many of them are met, and by whose word."""
    states_by_action: dict[str, list[EvidenceState]] = {}
    for history in evidence_histories(tx, action_ids):
        states_by_action.setdefault(history.action_id, []).append(evidence_state(history))
    return {action_id: count_criteria(states) for action_id, states in states_by_action.items()}


def _to_evidence_history(
    action_id: str, criterion_id: str, status: str, has_evidence: int, *newest: str | None
) -> EvidenceHistory:
    if not any(newest):  # what most criteria of a brief are while they are worked on
        return EvidenceHistory(
            criterion_id, action_id, CriterionStatus(status), None, None, None, None, {}, bool(has_evidence)
        )
    failed, passed, rejected, confirmed, *of_levels = map(_to_moment, newest)
    return EvidenceHistory(
        criterion_id=criterion_id,
        action_id=action_id,
        status=CriterionStatus(status),
        failed=failed,
        passed=passed,
        rejected=rejected,
        confirmed=confirmed,
        fresh_by_level={level: moment for level, moment in zip(_LEVELS, of_levels, strict=True) if moment is not None},
        has_evidence=bool(has_evidence),
    )


def _to_moment(time_and_id: str | None) -> Moment | None:
    if time_and_id is None:
        return None
    time, _, ident = time_and_id.partition(" ")
    return int(time), ident


def mark_criterion_evidence_stale(tx: Tx, criterion_id: str, reason: str) -> None:
    tx.run(STALE_BY_EDIT, criterion_id=criterion_id, reason=reason, now=tx.now)


def non_stale_ci_evidence(tx: Tx, action_id: str, commit_sha: str) -> list[Evidence]:
    return [Evidence(*row) for row in tx.all(CI_EVIDENCE, action_id=action_id, sha=commit_sha)]


def non_stale_evidence_of_source(tx: Tx, criterion_id: str, source_id: str) -> list[Evidence]:
    return [Evidence(*row) for row in tx.all(FRESH_OF_SOURCE, criterion_id=criterion_id, source_id=source_id)]


def non_stale_evidence_on_shas(tx: Tx, project_id: str, shas: list[str]) -> list[Evidence]:
    return [Evidence(*row) for row in tx.all(FRESH_ON_SHAS, project_id=project_id, shas=to_json(shas))]


def non_stale_evidence_on_branch(tx: Tx, project_id: str, branch: str) -> list[Evidence]:
    return [Evidence(*row) for row in tx.all(FRESH_ON_BRANCH, project_id=project_id, branch=branch)]


def mark_evidence_stale(tx: Tx, pieces: list[Evidence], reason: str) -> None:
    if pieces:
        tx.run(STALE_BY_ID, ids=to_json([piece.id for piece in pieces]), reason=reason, now=tx.now)


def ids_with_neighbours_in_id_order(tx: Tx, action_id: str) -> list[tuple[str, str | None, str | None]]:
    """Each criterion of the action, in order, with the ids before and after its own in the whole workspace."""
    return [(row[0], row[1], row[2]) for row in tx.all(NEIGHBOURS, action_id=action_id)]
