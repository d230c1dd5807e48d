"""Queries that look back: what was made, done, asked and reviewed since a day, in a project or in all."""

from pendesk.domain.insights import FinishedAction, FirstReview
from pendesk.domain.limits import DAY_US
from pendesk.store.engine.tx import Tx

_OF = "a.workspace_id = :workspace AND (:project_id = '' OR a.project_id = :project_id)"

# Done by a review, or by hand; the last approval counts, since work can be opened again.
_DONE_AT = """
coalesce((SELECT max(r.reviewed_at) FROM reviews r WHERE r.workspace_id = a.workspace_id AND r.action_id = a.id
          AND r.verdict = 'approved'), a.updated_at)"""

CREATED_BEFORE = f"SELECT count(*) FROM actions a WHERE {_OF} AND a.state <> 'wont_do' AND a.created_at < :since"
CREATED = f"""
SELECT a.created_at / {DAY_US}, count(*) FROM actions a
WHERE {_OF} AND a.state <> 'wont_do' AND a.created_at >= :since GROUP BY 1
"""
DONE_BEFORE = f"SELECT count(*) FROM actions a WHERE {_OF} AND a.state = 'done' AND {_DONE_AT} < :since"
FINISHED = f"""
SELECT * FROM (
  SELECT a.id,
    (SELECT min(c.taken_at) FROM claims c WHERE c.workspace_id = a.workspace_id AND c.action_id = a.id),
    {_DONE_AT} AS done_at,
    (SELECT c.agent_model FROM claims c WHERE c.workspace_id = a.workspace_id AND c.id = a.claim_id)
  FROM actions a WHERE {_OF} AND a.state = 'done'
) found WHERE done_at >= :since
"""

FIRST_REVIEWS = f"""
SELECT c.agent_model, r.verdict FROM reviews r
JOIN submissions s ON s.workspace_id = r.workspace_id AND s.id = r.submission_id AND s.number = 1
JOIN claims c ON c.workspace_id = s.workspace_id AND c.id = s.claim_id
JOIN actions a ON a.workspace_id = r.workspace_id AND a.id = r.action_id
WHERE {_OF} AND r.reviewed_at >= :since
"""

ANSWER_TIMES = f"""
SELECT q.answered_at - q.asked_at FROM clarifications q
JOIN actions a ON a.workspace_id = q.workspace_id AND a.id = q.action_id
WHERE {_OF} AND q.answered_at >= :since
"""

REVIEW_TIMES = f"""
SELECT r.reviewed_at - s.submitted_at FROM reviews r
JOIN submissions s ON s.workspace_id = r.workspace_id AND s.id = r.submission_id
JOIN actions a ON a.workspace_id = r.workspace_id AND a.id = r.action_id
WHERE {_OF} AND r.reviewed_at >= :since
"""


def count_actions_created_before(tx: Tx, project_id: str, before: int) -> int:
    return _run_count_query(tx, CREATED_BEFORE, project_id, before)


def count_actions_done_before(tx: Tx, project_id: str, before: int) -> int:
    return _run_count_query(tx, DONE_BEFORE, project_id, before)


def _run_count_query(tx: Tx, sql: str, project_id: str, before: int) -> int:
    row = tx.one(sql, project_id=project_id, since=before)
    assert row is not None
    count: int = row[0]
    return count


def created_action_counts_by_epoch_day(tx: Tx, project_id: str, since: int) -> dict[int, int]:
    """Day (since 1970) -> how many actions were made."""
    return {row[0]: row[1] for row in tx.all(CREATED, project_id=project_id, since=since)}


def finished_actions(tx: Tx, project_id: str, since: int) -> list[FinishedAction]:
    return [FinishedAction(*row) for row in tx.all(FINISHED, project_id=project_id, since=since)]


def reviews_of_first_submissions(tx: Tx, project_id: str, since: int) -> list[FirstReview]:
    return [FirstReview(*row) for row in tx.all(FIRST_REVIEWS, project_id=project_id, since=since)]


def question_wait_times_us(tx: Tx, project_id: str, since: int) -> list[int]:
    return [row[0] for row in tx.all(ANSWER_TIMES, project_id=project_id, since=since)]


def review_wait_times_us(tx: Tx, project_id: str, since: int) -> list[int]:
    return [row[0] for row in tx.all(REVIEW_TIMES, project_id=project_id, since=since)]
