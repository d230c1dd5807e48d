"""What people decided about an agent's work or wrote to it, and which agent sessions have not read it yet.

An entry is taken by deleting it: of two who read it at once, one does, and only that one may tell it. Of a
message the entry is taken before its delivery is changed, by everybody, so that no two wait for each other.
"""

from typing import NamedTuple

from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx


class NewsEvent(NamedTuple):
    """An event of the log, with the ref of its action and the name of who did it; None where that is gone."""

    id: int
    at: int
    kind: str
    object_id: str
    data: str
    project_key: str | None
    ref_number: int | None
    person: str | None


_COLUMNS = "e.id, e.at, e.kind, e.object_id, e.data, p.key, a.ref_number, u.name"
_JOIN_NAMES = """
LEFT JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.action_id
LEFT JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
LEFT JOIN users u ON u.id = e.actor_id
"""

ADD = """
INSERT INTO agent_session_news (workspace_id, session_id, event_id) VALUES (:workspace, :session_id, :event_id)
ON CONFLICT (workspace_id, session_id, event_id) DO NOTHING
"""

UNREAD = f"""
SELECT {_COLUMNS} FROM agent_session_news n
CROSS JOIN recorded_events e {_JOIN_NAMES}
WHERE n.workspace_id = :workspace AND n.session_id = :session_id
  AND e.workspace_id = n.workspace_id AND e.id = n.event_id
ORDER BY n.event_id LIMIT :limit
"""

# By name and not up to a number: a smaller one may be committed while these are read.
TAKE = """
DELETE FROM agent_session_news
WHERE workspace_id = :workspace AND session_id = :session_id
  AND event_id IN (SELECT r.event_id FROM (EACH ROW OF :rows (event_id BIGINT)) AS r)
RETURNING event_id
"""

OF_ACTION = f"""
SELECT {_COLUMNS} FROM recorded_events e {_JOIN_NAMES}
WHERE e.workspace_id = :workspace AND e.id > :after AND e.action_id = :action_id
  AND (e.kind IN ('clarification.answered', 'action.reviewed') OR (e.kind = 'message.sent' AND EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = e.workspace_id AND m.event_id = e.id AND m.cancelled_at IS NULL)))
ORDER BY e.id LIMIT :limit
"""


def add(tx: Tx, session_id: str, event_id: int) -> None:
    tx.run(ADD, session_id=session_id, event_id=event_id)


def unread_of_session(tx: Tx, session_id: str, limit: int) -> list[NewsEvent]:
    """The oldest first."""
    return [NewsEvent(*row) for row in tx.all(UNREAD, session_id=session_id, limit=limit)]


def take(tx: Tx, session_id: str, event_ids: list[int]) -> set[int]:
    """Out of the queue, to be told or not any more; those that nobody else took."""
    rows = tx.run_returning(TAKE, session_id=session_id, rows=to_json([[event_id] for event_id in event_ids]))
    return {row[0] for row in rows}


def of_action(tx: Tx, action_id: str, after_event_id: int, limit: int) -> list[NewsEvent]:
    """Answers, verdicts and messages, whoever they were for."""
    return [NewsEvent(*row) for row in tx.all(OF_ACTION, action_id=action_id, after=after_event_id, limit=limit)]
