"""Queries on the sessions that a person paused or stopped."""

from pendesk.domain.session_control import ControlKind, SessionControl
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx

_COLUMNS = "c.session_id, c.kind, c.reason, c.author_id, c.requested_at, c.event_id, c.applied_at, u.name"

OF_SESSIONS = f"""
SELECT {_COLUMNS} FROM session_controls c JOIN users u ON u.id = c.author_id
WHERE c.workspace_id = :workspace AND c.session_id IN (EACH :session_ids)
"""

SET = """
INSERT INTO session_controls (workspace_id, session_id, kind, reason, author_id, requested_at, event_id)
VALUES (:workspace, :session_id, :kind, :reason, :author_id, :now, :event_id)
ON CONFLICT (workspace_id, session_id) DO UPDATE SET kind = excluded.kind, reason = excluded.reason,
  author_id = excluded.author_id, requested_at = excluded.requested_at, event_id = excluded.event_id,
  applied_at = NULL
"""

APPLY = """
UPDATE session_controls SET applied_at = :now
WHERE workspace_id = :workspace AND session_id = :session_id
"""

REMOVE = "DELETE FROM session_controls WHERE workspace_id = :workspace AND session_id = :session_id"


def of_session(tx: Tx, session_id: str) -> SessionControl | None:
    return by_session_id(tx, [session_id]).get(session_id)


def by_session_id(tx: Tx, session_ids: list[str]) -> dict[str, SessionControl]:
    rows = tx.all(OF_SESSIONS, session_ids=to_json(session_ids)) if session_ids else []
    return {row[0]: SessionControl(row[0], ControlKind(row[1]), *row[2:]) for row in rows}


def save(tx: Tx, session_id: str, kind: ControlKind, reason: str, author_id: str, event_id: int) -> None:
    """Instead of one that there may be."""
    tx.run(SET, session_id=session_id, kind=kind, reason=reason, author_id=author_id, now=tx.now, event_id=event_id)


def record_application(tx: Tx, session_id: str) -> None:
    """The last of them: each thread of a session is ended by itself."""
    tx.run(APPLY, session_id=session_id, now=tx.now)


def remove(tx: Tx, session_id: str) -> None:
    tx.run(REMOVE, session_id=session_id)
