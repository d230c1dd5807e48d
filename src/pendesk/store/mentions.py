"""Queries on mentions in comments."""

from typing import NamedTuple

from pendesk.domain.comment import Thread
from pendesk.domain.limits import DAY_US, NEWS_ITEMS, UNTOLD_MENTION_DAYS
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql


class MentionRow(NamedTuple):
    """`name`: as it was written, without the `@`. `settled_at`: when the person read it, or the agent was told."""

    comment_id: str
    name: str
    user_id: str | None
    agent_id: str | None
    event_id: int
    created_at: int
    settled_at: int | None = None


INSERT = insert_sql("mentions", MentionRow)

OF_COMMENTS = f"""
SELECT {columns_sql(MentionRow)} FROM mentions
WHERE workspace_id = :workspace AND comment_id IN (EACH :comment_ids) ORDER BY comment_id, name
"""

REMOVE = "DELETE FROM mentions WHERE workspace_id = :workspace AND comment_id = :comment_id AND name = :name"
REMOVE_ALL = "DELETE FROM mentions WHERE workspace_id = :workspace AND comment_id = :comment_id"

READ = """
UPDATE mentions SET settled_at = :now
WHERE workspace_id = :workspace AND comment_id = :comment_id AND user_id = :user_id AND settled_at IS NULL
"""

# By what somebody has unread, which is little, and not by the thread.
READ_IN_THREAD = {
    kind: f"""
UPDATE mentions SET settled_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND settled_at IS NULL AND comment_id IN (
  SELECT c.id FROM comments c WHERE c.workspace_id = :workspace AND c.{kind}_id = :id)
"""
    for kind in ("document", "action", "spec")
}

# Where one of the agent's sessions is at work.
AWAKE_SESSIONS = """
SELECT id FROM agent_sessions
WHERE workspace_id = :workspace AND agent_id = :agent_id AND last_seen_at > :since AND ended_at IS NULL
"""

UNTOLD = """
SELECT event_id FROM mentions
WHERE workspace_id = :workspace AND agent_id = :agent_id AND settled_at IS NULL AND created_at > :since
ORDER BY event_id LIMIT :limit
"""

_NAMED = "event_id IN (SELECT r.event_id FROM (EACH ROW OF :rows (event_id BIGINT)) AS r)"
TOLD = f"""
UPDATE mentions SET settled_at = :now
WHERE workspace_id = :workspace AND agent_id = :agent_id AND {_NAMED} AND settled_at IS NULL
"""

# Of the agent's other sessions, to which the same was told.
DROP_NEWS = f"""
DELETE FROM agent_session_news
WHERE workspace_id = :workspace AND session_id IN (EACH :session_ids) AND {_NAMED}
"""


def add(tx: Tx, mention: MentionRow) -> None:
    tx.run(INSERT, **mention._asdict())


def by_comment_id(tx: Tx, comment_ids: list[str]) -> dict[str, list[MentionRow]]:
    rows = tx.all(OF_COMMENTS, comment_ids=to_json(comment_ids)) if comment_ids else []
    mentions: dict[str, list[MentionRow]] = {}
    for row in map(MentionRow._make, rows):
        mentions.setdefault(row.comment_id, []).append(row)
    return mentions


def remove(tx: Tx, comment_id: str, name: str) -> None:
    tx.run(REMOVE, comment_id=comment_id, name=name)


def remove_all(tx: Tx, comment_id: str) -> None:
    tx.run(REMOVE_ALL, comment_id=comment_id)


def mark_read(tx: Tx, comment_id: str, user_id: str) -> None:
    tx.run(READ, comment_id=comment_id, user_id=user_id, now=tx.now)


def mark_read_in_thread(tx: Tx, thread: Thread, user_id: str) -> None:
    tx.run(READ_IN_THREAD[thread.kind], id=thread.id, user_id=user_id, now=tx.now)


def awake_sessions(tx: Tx, agent_id: str) -> list[str]:
    return [row[0] for row in tx.all(AWAKE_SESSIONS, agent_id=agent_id, since=tx.now - DAY_US)]


def untold_event_ids(tx: Tx, agent_id: str) -> list[int]:
    since = tx.now - UNTOLD_MENTION_DAYS * DAY_US
    return [row[0] for row in tx.all(UNTOLD, agent_id=agent_id, since=since, limit=NEWS_ITEMS)]


def mark_told(tx: Tx, agent_id: str, event_ids: list[int]) -> None:
    """Once to an agent, whichever of its sessions calls first."""
    rows = to_json([[event_id] for event_id in event_ids])
    tx.run(TOLD, agent_id=agent_id, rows=rows, now=tx.now)
    tx.run(DROP_NEWS, session_ids=to_json(awake_sessions(tx, agent_id)), rows=rows)
