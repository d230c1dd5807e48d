"""Queries on what agent sessions do now."""

from typing import NamedTuple

from pendesk.domain.session_activity import Activity, ActivityState
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql


class ReportedSession(NamedTuple):
    """A session of which hooks report, with what was known of it."""

    id: str
    last_seen_at: int
    hooks_at: int | None
    ended_at: int | None
    activity: Activity | None


# In one order, so that two processes that save steps of the same sessions never wait in a circle.
LOCK = """
SELECT 1 FROM session_activity WHERE workspace_id = :workspace AND session_id IN (EACH :session_ids)
ORDER BY session_id FOR NO KEY UPDATE
"""

# Only those that can be recognised: not one that was merged into another.
REPORTED = f"""
SELECT s.id, s.last_seen_at, s.hooks_at, s.ended_at, {columns_sql(Activity, "v")} FROM agent_sessions s
LEFT JOIN session_activity v ON v.workspace_id = s.workspace_id AND v.session_id = s.id
WHERE s.workspace_id = :workspace AND s.id IN (EACH :session_ids) AND EXISTS (
  SELECT 1 FROM agent_session_marks m WHERE m.workspace_id = s.workspace_id AND m.session_id = s.id)
"""

# A row that another process has added since it was looked for may be newer.
SAVE = """
INSERT INTO session_activity
  (workspace_id, session_id, state, state_since, last_step_at, thread, tool, detail, project_id)
SELECT :workspace, r.session_id, r.state, r.state_since, r.last_step_at, r.thread, r.tool, r.detail, r.project_id
FROM (EACH ROW OF :rows (session_id TEXT, state TEXT, state_since BIGINT, last_step_at BIGINT, thread TEXT, tool TEXT,
  detail TEXT, project_id TEXT)) AS r WHERE true
ON CONFLICT (workspace_id, session_id) DO UPDATE SET state = excluded.state, state_since = excluded.state_since,
  last_step_at = excluded.last_step_at, thread = excluded.thread, tool = excluded.tool, detail = excluded.detail,
  project_id = excluded.project_id
WHERE excluded.last_step_at >= session_activity.last_step_at
"""


DELETE_OLD = "DELETE FROM session_activity WHERE last_step_at < :before"


def lock_and_read(tx: Tx, session_ids: list[str]) -> list[ReportedSession]:
    tx.lock(LOCK, session_ids=to_json(session_ids))
    return of_sessions(tx, session_ids)


def of_sessions(tx: Tx, session_ids: list[str]) -> list[ReportedSession]:
    rows = tx.all(REPORTED, session_ids=to_json(session_ids))
    return [ReportedSession(row[0], row[1], row[2], row[3], _activity_or_none(row[4:])) for row in rows]


def _activity_or_none(columns: Row) -> Activity | None:
    session_id, state, *others = columns
    return None if session_id is None else Activity(session_id, ActivityState(state), *others)


def save(tx: Tx, activities: list[Activity]) -> None:
    tx.run(SAVE, rows=to_json(activities))


def delete_old_in_all_workspaces(tx: Tx, before: int) -> None:
    tx.run(DELETE_OLD, before=before)
