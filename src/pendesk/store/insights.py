"""Queries that look back: what was made, done, asked and reviewed since a day, in a project or in all."""

from pendesk.domain.insights import AgentReview, FinishedAction, FirstReview, FirstSubmission
from pendesk.domain.limits import DAY_US
from pendesk.store.engine.json_text import to_json
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
# By the log: the lease of a claim that is taken up again for requested changes begins anew. An imported project has the
# claims alone.
_CLAIMED_AT = """
SELECT e.at FROM events e
WHERE e.workspace_id = a.workspace_id AND e.action_id = a.id AND e.kind = 'action.claimed'
"""
FINISHED = f"""
SELECT done.id, done.started_at, done.done_at, c.agent_model, n.agent_id FROM (
  SELECT a.workspace_id, a.id, a.claim_id,
    coalesce(({_CLAIMED_AT} ORDER BY e.seq LIMIT 1),
      (SELECT min(f.taken_at) FROM claims f WHERE f.workspace_id = a.workspace_id AND f.action_id = a.id)
    ) AS started_at,
    {_DONE_AT} AS done_at
  FROM actions a WHERE {_OF} AND a.state = 'done'
) done
LEFT JOIN claims c ON c.workspace_id = done.workspace_id AND c.id = done.claim_id
LEFT JOIN agent_sessions n ON n.workspace_id = c.workspace_id AND n.id = c.session_id
WHERE done.done_at >= :since
"""

FIRST_REVIEWS = f"""
SELECT c.agent_model, r.verdict FROM reviews r
JOIN submissions s ON s.workspace_id = r.workspace_id AND s.id = r.submission_id AND s.number = 1
JOIN claims c ON c.workspace_id = s.workspace_id AND c.id = s.claim_id
JOIN actions a ON a.workspace_id = r.workspace_id AND a.id = r.action_id
WHERE {_OF} AND r.reviewed_at >= :since
"""

_BY_AGENT = """
JOIN claims c ON c.workspace_id = s.workspace_id AND c.id = s.claim_id
JOIN agent_sessions n ON n.workspace_id = c.workspace_id AND n.id = c.session_id
JOIN actions a ON a.workspace_id = s.workspace_id AND a.id = s.action_id
"""
AGENT_REVIEWS = f"""
SELECT n.agent_id, s.number, r.verdict FROM reviews r
JOIN submissions s ON s.workspace_id = r.workspace_id AND s.id = r.submission_id {_BY_AGENT}
WHERE {_OF} AND r.reviewed_at >= :since
"""
FIRST_SUBMISSIONS = f"""
SELECT n.agent_id, s.submitted_at - ({_CLAIMED_AT} AND e.object_id = c.id ORDER BY e.seq LIMIT 1)
FROM submissions s {_BY_AGENT}
WHERE {_OF} AND s.number = 1 AND s.submitted_at >= :since
"""
AGENT_NAMES = """
SELECT g.id, g.name, u.name FROM agents g JOIN users u ON u.id = g.user_id
WHERE g.workspace_id = :workspace AND g.id IN (EACH :ids)
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


def reviews_of_agents(tx: Tx, project_id: str, since: int) -> list[AgentReview]:
    return [AgentReview(*row) for row in tx.all(AGENT_REVIEWS, project_id=project_id, since=since)]


def first_submissions_of_agents(tx: Tx, project_id: str, since: int) -> list[FirstSubmission]:
    return [FirstSubmission(*row) for row in tx.all(FIRST_SUBMISSIONS, project_id=project_id, since=since)]


def agent_and_user_name_by_id(tx: Tx, agent_ids: list[str]) -> dict[str, tuple[str, str]]:
    """Agent id -> its name, and its user's."""
    return {row[0]: (row[1], row[2]) for row in tx.all(AGENT_NAMES, ids=to_json(agent_ids))}


def question_wait_times_us(tx: Tx, project_id: str, since: int) -> list[int]:
    return [row[0] for row in tx.all(ANSWER_TIMES, project_id=project_id, since=since)]


def review_wait_times_us(tx: Tx, project_id: str, since: int) -> list[int]:
    return [row[0] for row in tx.all(REVIEW_TIMES, project_id=project_id, since=since)]
