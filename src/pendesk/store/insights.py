"""Queries that look back at what was done, asked and reviewed since a day, in a project or in all.

They look at what is open and at the newest of what is closed, never at all of it.
"""

from pendesk.domain.insights import AnsweredQuestion, FinishedAction, FirstSubmission, JudgedSubmission
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx
from pendesk.store.projects import OPEN_STATES, is_there

# Whatever is done to an action sets `updated_at`, so what was reviewed since a day has changed since. Word for word the
# condition of the index, or SQLite does not see that it holds them.
_CLOSED = """
SELECT id FROM (SELECT id FROM actions WHERE workspace_id = :workspace {of_project} AND state = '{state}'
  AND state IN ('done', 'wont_do') AND updated_at >= :since ORDER BY updated_at DESC LIMIT :limit) {state}_ones"""
_LOOKED_AT = f"""
SELECT a.id FROM projects p CROSS JOIN actions a
WHERE p.workspace_id = :workspace {{of_open}} AND a.workspace_id = p.workspace_id AND a.project_id = p.id
  AND a.state IN {OPEN_STATES}
UNION ALL {_CLOSED.format(state="wont_do", of_project="{of_project}")}
UNION ALL {_CLOSED.format(state="done", of_project="{of_project}")}
"""
LOOKED_AT_OF_PROJECT = _LOOKED_AT.format(of_open="AND p.id = :project_id", of_project="AND project_id = :project_id")
LOOKED_AT_OF_ALL = _LOOKED_AT.format(of_open="", of_project=f"AND {is_there('project_id')}")

_OF = "a.workspace_id = :workspace AND a.id IN (EACH :ids)"

# Done by a review, or by hand; the last approval counts, since work can be opened again.
_DONE_AT = """
coalesce((SELECT max(r.reviewed_at) FROM reviews r WHERE r.workspace_id = a.workspace_id AND r.action_id = a.id
          AND r.verdict = 'approved'), a.updated_at)"""
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

# Each with what it judged, and by which claim that came.
REVIEWS = f"""
SELECT r.verdict, r.reviewed_at - s.submitted_at, s.number, c.agent_model, n.agent_id
FROM actions a CROSS JOIN reviews r
JOIN submissions s ON s.workspace_id = r.workspace_id AND s.id = r.submission_id
JOIN claims c ON c.workspace_id = s.workspace_id AND c.id = s.claim_id
LEFT JOIN agent_sessions n ON n.workspace_id = c.workspace_id AND n.id = c.session_id
WHERE {_OF} AND r.workspace_id = a.workspace_id AND r.action_id = a.id AND r.reviewed_at >= :since
"""
FIRST_SUBMISSIONS = f"""
SELECT n.agent_id, s.submitted_at - ({_CLAIMED_AT} AND e.object_id = c.id ORDER BY e.seq LIMIT 1)
FROM actions a CROSS JOIN submissions s
JOIN claims c ON c.workspace_id = s.workspace_id AND c.id = s.claim_id
JOIN agent_sessions n ON n.workspace_id = c.workspace_id AND n.id = c.session_id
WHERE {_OF} AND s.workspace_id = a.workspace_id AND s.action_id = a.id AND s.number = 1 AND s.submitted_at >= :since
"""
AGENT_NAMES = """
SELECT g.id, g.name, u.name FROM agents g JOIN users u ON u.id = g.user_id
WHERE g.workspace_id = :workspace AND g.id IN (EACH :ids)
"""

# Who asked held the action then, by the claim that was its newest.
ANSWERED_QUESTIONS = f"""
SELECT q.answered_at - q.asked_at, n.agent_id FROM actions a CROSS JOIN clarifications q
LEFT JOIN claims c ON c.workspace_id = q.workspace_id AND c.action_id = q.action_id AND c.fence = (
  SELECT max(o.fence) FROM claims o WHERE o.workspace_id = q.workspace_id AND o.action_id = q.action_id
  AND o.user_id = q.asked_by AND o.taken_at <= q.asked_at)
LEFT JOIN agent_sessions n ON n.workspace_id = c.workspace_id AND n.id = c.session_id
WHERE {_OF} AND q.workspace_id = a.workspace_id AND q.action_id = a.id AND q.answered_at >= :since
"""


def action_ids_to_look_at(tx: Tx, project_id: str, since: int, limit: int) -> list[str]:
    """What is open, then what was closed since: of each state the newest. An empty id: of every project."""
    if project_id:
        rows = tx.all(LOOKED_AT_OF_PROJECT, project_id=project_id, since=since, limit=limit)
    else:
        rows = tx.all(LOOKED_AT_OF_ALL, since=since, limit=limit)
    return [row[0] for row in rows]


def finished_actions(tx: Tx, action_ids: list[str], since: int) -> list[FinishedAction]:
    return [FinishedAction(*row) for row in tx.all(FINISHED, ids=to_json(action_ids), since=since)]


def reviews(tx: Tx, action_ids: list[str], since: int) -> list[JudgedSubmission]:
    return [JudgedSubmission(*row) for row in tx.all(REVIEWS, ids=to_json(action_ids), since=since)]


def first_submissions_of_agents(tx: Tx, action_ids: list[str], since: int) -> list[FirstSubmission]:
    return [FirstSubmission(*row) for row in tx.all(FIRST_SUBMISSIONS, ids=to_json(action_ids), since=since)]


def agent_and_user_name_by_id(tx: Tx, agent_ids: list[str]) -> dict[str, tuple[str, str]]:
    """Agent id -> its name, and its user's."""
    return {row[0]: (row[1], row[2]) for row in tx.all(AGENT_NAMES, ids=to_json(agent_ids))}


def answered_questions(tx: Tx, action_ids: list[str], since: int) -> list[AnsweredQuestion]:
    return [AnsweredQuestion(*row) for row in tx.all(ANSWERED_QUESTIONS, ids=to_json(action_ids), since=since)]
