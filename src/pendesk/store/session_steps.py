"""Queries on the steps of agent sessions."""

from pendesk.domain.session_steps import OpenStep, StepRecord
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql

# The second hook of a tool's run completes what the first has left (domain/session_steps.py).
SAVE = """
INSERT INTO session_steps
  (workspace_id, session_id, id, thread, thread_kind, event, tool, detail, started_at, ended_at)
SELECT :workspace, r.session_id, r.id, r.thread, r.thread_kind, r.event, r.tool, r.detail, r.started_at, r.ended_at
FROM (EACH ROW OF :rows (session_id TEXT, id TEXT, thread TEXT, thread_kind TEXT, event TEXT, tool TEXT, detail TEXT,
  started_at BIGINT, ended_at BIGINT)) AS r WHERE true
ON CONFLICT (workspace_id, session_id, id) DO UPDATE SET
  event = CASE WHEN excluded.event = 'PostToolUseFailure' THEN excluded.event ELSE session_steps.event END,
  tool = CASE WHEN session_steps.tool = '' THEN excluded.tool ELSE session_steps.tool END,
  detail = CASE WHEN session_steps.detail = '' THEN excluded.detail ELSE session_steps.detail END,
  started_at = CASE WHEN excluded.started_at < session_steps.started_at THEN excluded.started_at
    ELSE session_steps.started_at END,
  ended_at = coalesce(excluded.ended_at, session_steps.ended_at)
"""

OPEN = f"""
SELECT {columns_sql(OpenStep)} FROM session_steps
WHERE workspace_id = :workspace AND session_id IN (EACH :session_ids) AND ended_at IS NULL
"""

# With the workspace among the rows, SQLite looks each step up by its id; else it would go through all open ones.
END = """
WITH ended AS MATERIALIZED (
  SELECT CAST(:workspace AS TEXT) AS workspace_id, r.session_id, r.id, r.ended_at
  FROM (EACH ROW OF :rows (session_id TEXT, id TEXT, ended_at BIGINT)) AS r
)
UPDATE session_steps SET ended_at = ended.ended_at FROM ended
WHERE session_steps.workspace_id = ended.workspace_id AND session_steps.session_id = ended.session_id
  AND session_steps.id = ended.id AND session_steps.ended_at IS NULL
"""

# The newest first.
PAGE = f"""
SELECT {columns_sql(StepRecord)} FROM session_steps
WHERE workspace_id = :workspace AND session_id = :session_id AND (started_at, id) < (:before_at, :before_id)
  AND started_at >= :since
ORDER BY started_at DESC, id DESC LIMIT :limit
"""

# Of the sessions whose hooks named the project last, with what each does now.
DELETE_OF_PROJECT = """
DELETE FROM session_steps WHERE workspace_id = :workspace AND session_id IN (
  SELECT v.session_id FROM session_activity v WHERE v.workspace_id = :workspace AND v.project_id = :project_id)
"""
BLANK_OF_PROJECT = """
UPDATE session_activity SET tool = '', detail = '' WHERE workspace_id = :workspace AND project_id = :project_id
"""

# Over all workspaces: this is the server's own housekeeping.
DELETE_OLD = "DELETE FROM session_steps WHERE started_at < :before"

LONG = """
SELECT workspace_id, session_id FROM session_steps GROUP BY workspace_id, session_id HAVING count(*) > :most
"""

DELETE_ALL_BUT_NEWEST = """
DELETE FROM session_steps WHERE workspace_id = :workspace AND session_id = :session_id AND id IN (
  SELECT old.id FROM session_steps old WHERE old.workspace_id = :workspace AND old.session_id = :session_id
  ORDER BY old.started_at DESC, old.id DESC LIMIT :limit OFFSET :most)
"""

NEWEST = (2**53, "")  # every step is older


def save(tx: Tx, records: list[StepRecord]) -> None:
    tx.run(SAVE, rows=to_json(records))


def open_of_sessions(tx: Tx, session_ids: list[str]) -> list[OpenStep]:
    return [OpenStep(*row) for row in tx.all(OPEN, session_ids=to_json(session_ids))]


def save_ends(tx: Tx, ends: list[tuple[str, str, int]]) -> None:
    """Session, step and when it ended."""
    tx.run(END, rows=to_json(ends))


def page(tx: Tx, session_id: str, before: tuple[int, str] = NEWEST, *, since: int = 0, limit: int) -> list[StepRecord]:
    """The newest first: those that started before a moment and, of that moment, have a smaller id."""
    before_at, before_id = before
    rows = tx.all(PAGE, session_id=session_id, before_at=before_at, before_id=before_id, since=since, limit=limit)
    return [StepRecord(*row) for row in rows]


def delete_of_project(tx: Tx, project_id: str) -> None:
    tx.run(DELETE_OF_PROJECT, project_id=project_id)
    tx.run(BLANK_OF_PROJECT, project_id=project_id)


def delete_old_in_all_workspaces(tx: Tx, before: int) -> None:
    tx.run(DELETE_OLD, before=before)


def sessions_with_more_in_all_workspaces(tx: Tx, most: int) -> list[tuple[str, str]]:
    """Workspace and session of each that has more steps than that."""
    return [(row[0], row[1]) for row in tx.all(LONG, most=most)]


def delete_all_but_newest(tx: Tx, session_id: str, most: int) -> None:
    tx.run(DELETE_ALL_BUT_NEWEST, session_id=session_id, most=most, limit=10**9)
