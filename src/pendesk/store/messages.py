"""Queries on what people write to agents at work, and on which sessions it was delivered to."""

from collections.abc import Iterable
from typing import NamedTuple

from pendesk.domain.message import DeliveryChannel, Message, MessageDelivery
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql


class MessageRow(NamedTuple):
    """With the names of its author and of whom it is addressed to; None where it is not to such a one."""

    message: Message
    author: str
    project_key: str | None
    ref_number: int | None


class WaitingMessage(NamedTuple):
    """On an action, and delivered to nobody. `session_id` is whom it is queued for; None where nobody held it."""

    id: str
    event_id: int
    session_id: str | None


INSERT = insert_sql("messages", Message)
INSERT_DELIVERY = """
INSERT INTO message_deliveries (workspace_id, message_id, session_id) VALUES (:workspace, :message_id, :session_id)
"""

_ROWS = f"""
SELECT {columns_sql(Message, "m")}, u.name, p.key, a.ref_number FROM messages m
JOIN users u ON u.id = m.author_id
LEFT JOIN projects p ON p.workspace_id = m.workspace_id AND p.id = m.project_id
LEFT JOIN actions a ON a.workspace_id = m.workspace_id AND a.id = m.action_id
"""
_PAGE = "AND m.sent_at <= :at AND (m.sent_at < :at OR m.id < :id) ORDER BY m.sent_at DESC, m.id DESC LIMIT :limit"

BY_ID = f"{_ROWS} WHERE m.workspace_id = :workspace AND m.id = :id"
BY_IDS = f"""
SELECT {columns_sql(Message)} FROM messages WHERE workspace_id = :workspace AND id IN (EACH :ids)
"""
OF_ACTION = f"{_ROWS} WHERE m.workspace_id = :workspace AND m.action_id = :action_id {_PAGE}"
OF_PROJECT = f"{_ROWS} WHERE m.workspace_id = :workspace AND m.project_id = :project_id {_PAGE}"
OF_SESSION = f"""
{_ROWS.replace("FROM messages m", "FROM message_deliveries d CROSS JOIN messages m")}
WHERE d.workspace_id = :workspace AND d.session_id = :session_id
  AND m.workspace_id = d.workspace_id AND m.id = d.message_id {_PAGE}
"""

DELIVERIES = f"""
SELECT {columns_sql(MessageDelivery)} FROM message_deliveries
WHERE workspace_id = :workspace AND message_id IN (EACH :message_ids) ORDER BY message_id, session_id
"""

LOCK = "SELECT 1 FROM messages WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

# Not the rows of the sessions: their own calls update those before they lock an action.
POSTGRES_LOCK_SENDERS = """
SELECT pg_advisory_xact_lock(senders.key) FROM (
  SELECT hashtextextended(:workspace || ' messages to ' || r.id, 0) AS key
  FROM (EACH ROW OF :rows (id TEXT)) AS r ORDER BY 1
) senders
"""

QUEUED_OF_SESSION = """
SELECT count(*) FROM message_deliveries
WHERE workspace_id = :workspace AND session_id = :session_id AND acknowledged_at IS NULL AND delivered_at IS NULL
"""

# The holders of it, if any, have not read them.
WAITING_ON_ACTION = """
SELECT m.id, m.event_id, d.session_id FROM messages m
LEFT JOIN message_deliveries d ON d.workspace_id = m.workspace_id AND d.message_id = m.id
WHERE m.workspace_id = :workspace AND m.action_id = :action_id AND m.cancelled_at IS NULL AND d.delivered_at IS NULL
ORDER BY m.sent_at LIMIT :limit
"""

MARK_DELIVERED = """
UPDATE message_deliveries SET delivered_at = :now, delivered_by = :delivered_by
WHERE workspace_id = :workspace AND message_id IN (EACH :message_ids) AND session_id = :session_id
  AND delivered_at IS NULL
RETURNING message_id
"""

HAS_UNACKNOWLEDGED = """
SELECT 1 FROM message_deliveries
WHERE workspace_id = :workspace AND session_id = :session_id AND acknowledged_at IS NULL AND delivered_at IS NOT NULL
LIMIT 1
"""

ACKNOWLEDGE = """
UPDATE message_deliveries SET acknowledged_at = :now, acknowledgement = :acknowledgement
WHERE workspace_id = :workspace AND session_id = :session_id AND acknowledged_at IS NULL AND delivered_at IS NOT NULL
RETURNING message_id
"""

CANCEL = "UPDATE messages SET cancelled_at = :now WHERE workspace_id = :workspace AND id = :id"

REMOVE_UNDELIVERED = """
DELETE FROM message_deliveries
WHERE workspace_id = :workspace AND message_id = :message_id AND session_id = :session_id AND delivered_at IS NULL
"""


def add(tx: Tx, message: Message) -> None:
    tx.run(INSERT, **message._asdict())


def add_delivery(tx: Tx, message_id: str, session_id: str) -> None:
    tx.run(INSERT_DELIVERY, message_id=message_id, session_id=session_id)


def lock(tx: Tx, message_id: str) -> None:
    tx.lock(LOCK, id=message_id)


def lock_senders(tx: Tx, session_ids: list[str]) -> None:
    """Nobody else sends to these sessions until the commit."""
    tx.lock(POSTGRES_LOCK_SENDERS, rows=to_json([[session_id] for session_id in session_ids]))


def by_id(tx: Tx, message_id: str) -> MessageRow | None:
    row = tx.one(BY_ID, id=message_id)
    return _message_row(row) if row else None


def by_ids(tx: Tx, message_ids: Iterable[str]) -> list[Message]:
    """The oldest first."""
    rows = [Message(*row) for row in tx.all(BY_IDS, ids=to_json(sorted(message_ids)))]
    return sorted(rows, key=lambda message: message.event_id)


def page_of_action(tx: Tx, action_id: str, before: tuple[int, str], limit: int) -> list[MessageRow]:
    """The newest first; `before` is the time and id of the last row of the page before."""
    rows = tx.all(OF_ACTION, action_id=action_id, at=before[0], id=before[1], limit=limit)
    return [_message_row(row) for row in rows]


def page_of_project(tx: Tx, project_id: str, before: tuple[int, str], limit: int) -> list[MessageRow]:
    """To the project, and to its actions."""
    rows = tx.all(OF_PROJECT, project_id=project_id, at=before[0], id=before[1], limit=limit)
    return [_message_row(row) for row in rows]


def page_of_session(tx: Tx, session_id: str, before: tuple[int, str], limit: int) -> list[MessageRow]:
    """All that it has read or is to read, whatever they are addressed to."""
    rows = tx.all(OF_SESSION, session_id=session_id, at=before[0], id=before[1], limit=limit)
    return [_message_row(row) for row in rows]


def deliveries_of(tx: Tx, message_ids: Iterable[str]) -> list[MessageDelivery]:
    return [MessageDelivery(*row) for row in tx.all(DELIVERIES, message_ids=to_json(sorted(message_ids)))]


def count_queued_of_session(tx: Tx, session_id: str) -> int:
    row = tx.one(QUEUED_OF_SESSION, session_id=session_id)
    assert row is not None
    count: int = row[0]
    return count


def waiting_on_action(tx: Tx, action_id: str, limit: int) -> list[WaitingMessage]:
    """The oldest first."""
    rows = tx.all(WAITING_ON_ACTION, action_id=action_id, limit=limit)
    return sorted((WaitingMessage(*row) for row in rows), key=lambda message: message.event_id)


def read_ahead_waiting_on_action(tx: Tx, action_id: str, limit: int) -> None:
    tx.read_ahead(WAITING_ON_ACTION, action_id=action_id, limit=limit)


def mark_delivered(tx: Tx, session_id: str, message_ids: Iterable[str], delivered_by: DeliveryChannel) -> set[str]:
    """Those that it had not read yet."""
    ids = to_json(sorted(message_ids))
    rows = tx.run_returning(
        MARK_DELIVERED, session_id=session_id, message_ids=ids, delivered_by=delivered_by, now=tx.now
    )
    return {row[0] for row in rows}


def has_unacknowledged(tx: Tx, session_id: str) -> bool:
    return tx.one(HAS_UNACKNOWLEDGED, session_id=session_id) is not None


def acknowledge(tx: Tx, session_id: str, acknowledgement: str) -> list[str]:
    """The ids of those that are acknowledged by that."""
    rows = tx.run_returning(ACKNOWLEDGE, session_id=session_id, acknowledgement=acknowledgement, now=tx.now)
    return sorted(row[0] for row in rows)


def cancel(tx: Tx, message_id: str) -> None:
    tx.run(CANCEL, id=message_id, now=tx.now)


def remove_undelivered(tx: Tx, message_id: str, session_id: str) -> None:
    tx.run(REMOVE_UNDELIVERED, message_id=message_id, session_id=session_id)


def _message_row(row: tuple[object, ...]) -> MessageRow:
    size = len(Message._fields)
    return MessageRow(Message(*row[:size]), *row[size:])  # type: ignore[arg-type]
