"""What people decided about an agent's work or wrote to it, and which agent sessions have not read it yet.

Whoever takes something from the queue, or adds to it what is older, has locked the log before (`events.lock_log`): all
lock in that order, and nothing is added behind the back of who reads.
"""

from typing import NamedTuple

from pendesk.store.engine.tx import Tx


class NewsEvent(NamedTuple):
    """An event of the log, with the ref of its action and the name of who did it; None where that is gone."""

    seq: int
    at: int
    kind: str
    object_id: str
    data: str
    project_key: str | None
    ref_number: int | None
    person: str | None


_COLUMNS = "e.seq, e.at, e.kind, e.object_id, e.data, p.key, a.ref_number, u.name"
_JOIN_NAMES = """
LEFT JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.action_id
LEFT JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
LEFT JOIN users u ON u.id = e.actor_id
"""

ADD = """
INSERT INTO agent_session_news (workspace_id, session_id, event_seq) VALUES (:workspace, :session_id, :event_seq)
ON CONFLICT (workspace_id, session_id, event_seq) DO NOTHING
"""

UNREAD = f"""
SELECT {_COLUMNS} FROM agent_session_news n
CROSS JOIN events e {_JOIN_NAMES}
WHERE n.workspace_id = :workspace AND n.session_id = :session_id
  AND e.workspace_id = n.workspace_id AND e.seq = n.event_seq
ORDER BY n.event_seq LIMIT :limit
"""

# Of two calls of a session at the same time, the second finds none. Whoever adds to them is not waited for.
LOCK = """
SELECT 1 FROM agent_session_news WHERE workspace_id = :workspace AND session_id = :session_id
ORDER BY event_seq FOR NO KEY UPDATE
"""

MARK_READ = """
DELETE FROM agent_session_news WHERE workspace_id = :workspace AND session_id = :session_id AND event_seq <= :upto
"""

REMOVE = """
DELETE FROM agent_session_news WHERE workspace_id = :workspace AND session_id = :session_id AND event_seq = :event_seq
RETURNING event_seq
"""

OF_ACTION = f"""
SELECT {_COLUMNS} FROM events e {_JOIN_NAMES}
WHERE e.workspace_id = :workspace AND e.seq > :after AND e.action_id = :action_id
  AND (e.kind IN ('clarification.answered', 'action.reviewed') OR (e.kind = 'message.sent' AND EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = e.workspace_id AND m.event_seq = e.seq AND m.cancelled_at IS NULL)))
ORDER BY e.seq LIMIT :limit
"""


def add(tx: Tx, session_id: str, event_seq: int) -> None:
    tx.run(ADD, session_id=session_id, event_seq=event_seq)


def unread_of_session(tx: Tx, session_id: str, limit: int) -> list[NewsEvent]:
    """The oldest first."""
    return [NewsEvent(*row) for row in tx.all(UNREAD, session_id=session_id, limit=limit)]


def lock(tx: Tx, session_id: str) -> None:
    tx.lock(LOCK, session_id=session_id)


def mark_read(tx: Tx, session_id: str, upto_seq: int) -> None:
    tx.run(MARK_READ, session_id=session_id, upto=upto_seq)


def remove(tx: Tx, session_id: str, event_seq: int) -> bool:
    """It is not to be read any more; whether it was still there."""
    return tx.one(REMOVE, session_id=session_id, event_seq=event_seq) is not None


def of_action(tx: Tx, action_id: str, after_seq: int, limit: int) -> list[NewsEvent]:
    """Answers, verdicts and messages, whoever they were for."""
    return [NewsEvent(*row) for row in tx.all(OF_ACTION, action_id=action_id, after=after_seq, limit=limit)]
