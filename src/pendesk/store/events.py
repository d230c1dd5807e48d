"""Queries on the one log."""

from typing import Any

from pendesk.domain.board_changes import Change
from pendesk.domain.event import EventKind, LoggedEvent
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import PRIVATE_KINDS, Viewer
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql

_PRIVATE = ", ".join(f"'{kind}'" for kind in sorted(PRIVATE_KINDS))


def visibility_condition_sql(about_user_column: str = "e.about_user_id") -> str:
    """Viewer.sees of domain/event_visibility.py as SQL, on the same columns."""
    return f"""
(:sees_all = 1 OR e.kind NOT IN ({_PRIVATE})
  OR (:viewer_id <> '' AND (e.actor_id = :viewer_id OR {about_user_column} = :viewer_id)))
"""


MATCHES = """
(:by = '' OR e.actor_id = :by) AND (:model = '' OR e.agent_model = :model)
AND (:any_kind = 1 OR e.kind IN (EACH :kinds))
"""

_SELECT = f"SELECT {columns_sql(LoggedEvent, 'e')} FROM events e WHERE e.workspace_id = :workspace AND e.seq > :after"
_ORDER = " ORDER BY e.seq LIMIT :limit"

ALL = _SELECT + _ORDER

# One statement for each way of looking, so that each has its index: OR-ing these together would have none.
_PAGE = f"{_SELECT} AND e.seq <= :upto AND {visibility_condition_sql()} AND {MATCHES}"
PAGE = _PAGE + _ORDER
PAGE_OF_PROJECT = _PAGE + " AND e.project_id = :project_id" + _ORDER
PAGE_OF_ACTION = _PAGE + " AND e.action_id = :action_id" + _ORDER

CHANGES = """
SELECT kind, project_id, action_id FROM events WHERE workspace_id = :workspace AND seq > :after
ORDER BY seq LIMIT :limit
"""

NEWEST_OF_KIND = f"""
SELECT {columns_sql(LoggedEvent)} FROM events
WHERE workspace_id = :workspace AND action_id = :action_id AND kind = :kind ORDER BY seq DESC LIMIT 1
"""

LATE_REPORTS = f"""
SELECT {columns_sql(LoggedEvent)} FROM recorded_events
WHERE workspace_id = :workspace AND action_id = :action_id AND kind = 'report.late' AND actor_id = :user_id
  AND (agent_session_id = :session_id OR (agent_session_id IS NULL AND CAST(:session_id AS TEXT) IS NULL))
ORDER BY id DESC LIMIT :limit
"""

# Over all workspaces, by each one's newest event.
NEWEST_TIME = """
SELECT coalesce(max(newest.at), 0) FROM (
  SELECT (SELECT e.at FROM events e WHERE e.workspace_id = w.id ORDER BY e.seq DESC LIMIT 1) AS at FROM workspaces w
) newest
"""

NEWEST = """
SELECT w.id, (SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = w.id) FROM workspaces w
WHERE w.id IN (EACH :ids)
"""

LAST_SEQ = "SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = :workspace"


def event_filter_sql_params(event_filter: EventFilter, viewer: Viewer) -> dict[str, Any]:
    """The parameters of `visibility_condition_sql` and MATCHES."""
    return {
        "sees_all": int(viewer.all_events),
        "viewer_id": viewer.user_id,
        "by": event_filter.actor_id,
        "model": event_filter.agent_model,
        "any_kind": int(event_filter.kinds is None),
        "kinds": to_json(sorted(event_filter.kinds or ())),
    }


def all_after_ignoring_visibility(tx: Tx, seq: int, limit: int) -> list[LoggedEvent]:
    """Whatever came: for the server itself, never for a caller."""
    return [LoggedEvent(*row) for row in tx.all(ALL, after=seq, limit=limit)]


def changes_after(tx: Tx, seq: int, limit: int) -> list[Change]:
    """What changed, and nothing of what an event says: for a rule that decides what is to be read anew."""
    return [Change(*row) for row in tx.all(CHANGES, after=seq, limit=limit)]


def page_and_scanned_upto_seq(
    tx: Tx, after_seq: int, limit: int, event_filter: EventFilter, viewer: Viewer
) -> tuple[list[LoggedEvent], int]:
    """What came after a number, and how far up the log was looked at."""
    upto = 2**53 if event_filter.can_use_index() else after_seq + TIMELINE_WINDOW
    names = event_filter_sql_params(event_filter, viewer) | {"after": after_seq, "upto": upto, "limit": limit}
    if event_filter.action_id:
        rows = tx.all(PAGE_OF_ACTION, action_id=event_filter.action_id, **names)
    elif event_filter.project_id:
        rows = tx.all(PAGE_OF_PROJECT, project_id=event_filter.project_id, **names)
    else:
        rows = tx.all(PAGE, **names)
    return [LoggedEvent(*row) for row in rows], upto


def newest_of_kind(tx: Tx, action_id: str, kind: EventKind) -> LoggedEvent | None:
    row = tx.one(NEWEST_OF_KIND, action_id=action_id, kind=kind)
    return LoggedEvent(*row) if row else None


def late_reports(tx: Tx, action_id: str, user_id: str, session_id: str | None, limit: int) -> list[LoggedEvent]:
    """What this agent session, or the person in person, sent when the claim was lost; the newest first."""
    rows = tx.all(LATE_REPORTS, action_id=action_id, user_id=user_id, session_id=session_id, limit=limit)
    return [LoggedEvent(*row) for row in rows]


def last_seq(tx: Tx) -> int:
    row = tx.one(LAST_SEQ)
    assert row is not None
    seq: int = row[0]
    return seq


def last_seq_by_workspace(tx: Tx, workspace_ids: list[str]) -> dict[str, int]:
    """The last number of each."""
    return {row[0]: row[1] for row in tx.all(NEWEST, ids=to_json(workspace_ids))}


def newest_event_time_in_all_workspaces(tx: Tx) -> int:
    row = tx.one(NEWEST_TIME)
    assert row is not None
    moment: int = row[0]
    return moment
