"""Queries on webhooks that go out, and on what they delivered."""

from typing import NamedTuple

from pendesk.domain.limits import WEBHOOK_DELIVERIES_KEPT
from pendesk.domain.ownership import OwnedItem
from pendesk.domain.webhook import OutgoingWebhook, WebhookDelivery
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("outgoing_webhooks", OutgoingWebhook)

LOCK = "SELECT 1 FROM outgoing_webhooks WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

BY_ID = f"SELECT {columns_sql(OutgoingWebhook)} FROM outgoing_webhooks WHERE workspace_id = :workspace AND id = :id"

ALL = f"SELECT {columns_sql(OutgoingWebhook)} FROM outgoing_webhooks WHERE workspace_id = :workspace ORDER BY id"

OF_OWNER = """
SELECT id, url, project_id FROM outgoing_webhooks
WHERE workspace_id = :workspace AND owner_id = :owner_id ORDER BY id
"""

GIVE = "UPDATE outgoing_webhooks SET owner_id = :owner_id WHERE workspace_id = :workspace AND id = :id"

COUNT = "SELECT count(*) FROM outgoing_webhooks WHERE workspace_id = :workspace"

SAVE = f"""
UPDATE outgoing_webhooks SET {", ".join(f"{name} = :{name}" for name in OutgoingWebhook._fields if name != "id")}
WHERE workspace_id = :workspace AND id = :id
"""

REMOVE_DELIVERIES = "DELETE FROM webhook_deliveries WHERE workspace_id = :workspace AND webhook_id = :id"
REMOVE = "DELETE FROM outgoing_webhooks WHERE workspace_id = :workspace AND id = :id"

# Over all workspaces: those with something to deliver now that no server works on. A removal ends or hands over
# what the person owned; however else an owner leaves, their webhook sends nothing any more.
DUE = """
SELECT w.workspace_id, w.id FROM outgoing_webhooks w
JOIN members o ON o.workspace_id = w.workspace_id AND o.user_id = w.owner_id AND o.removed_at IS NULL
WHERE w.leased_until <= :now AND (
  (w.state = 'active' AND w.next_at <= :now AND w.cursor < (
    SELECT coalesce(max(e.seq), 0) FROM events e WHERE e.workspace_id = w.workspace_id))
  OR EXISTS (
    SELECT 1 FROM webhook_deliveries d
    WHERE d.workspace_id = w.workspace_id AND d.webhook_id = w.id AND d.state = 'pending'))
ORDER BY w.next_at, w.id LIMIT :limit
"""

FREE = "UPDATE outgoing_webhooks SET leased_until = 0 WHERE leased_by = :name"

_DELIVERIES = f"""
SELECT {columns_sql(WebhookDelivery)} FROM webhook_deliveries
WHERE workspace_id = :workspace AND webhook_id = :webhook_id
"""
FIRST_PENDING = _DELIVERIES + " AND state = 'pending' ORDER BY number LIMIT 1"
DELIVERY = _DELIVERIES + " AND number = :number"
DELIVERY_BY_ID = _DELIVERIES + " AND delivery_id = :delivery_id"
DELIVERIES = _DELIVERIES + " AND number < :before ORDER BY number DESC LIMIT :limit"

# They are numbered without a gap, so the newest of each are those near its last number.
NEWEST_DELIVERIES = f"""
SELECT {columns_sql(WebhookDelivery, "d")} FROM outgoing_webhooks w CROSS JOIN webhook_deliveries d
WHERE w.workspace_id = :workspace
  AND d.workspace_id = w.workspace_id AND d.webhook_id = w.id AND d.number > w.last_number - :limit
ORDER BY d.number DESC
"""

SAVE_DELIVERY = (
    insert_sql("webhook_deliveries", WebhookDelivery)
    + """
ON CONFLICT (workspace_id, webhook_id, number) DO UPDATE
SET state = excluded.state, attempts = excluded.attempts, status = excluded.status, error = excluded.error,
  tried_at = excluded.tried_at
"""
)

FORGET_DELIVERIES = """
DELETE FROM webhook_deliveries
WHERE workspace_id = :workspace AND webhook_id = :webhook_id AND number <= :upto
"""


class DueWebhook(NamedTuple):
    workspace_id: str
    webhook_id: str


def add(tx: Tx, hook: OutgoingWebhook) -> None:
    tx.run(INSERT, **hook._asdict())


def lock(tx: Tx, webhook_id: str) -> None:
    tx.lock(LOCK, id=webhook_id)


def by_id(tx: Tx, webhook_id: str) -> OutgoingWebhook | None:
    row = tx.one(BY_ID, id=webhook_id)
    return OutgoingWebhook(*row) if row else None


def of_workspace(tx: Tx) -> list[OutgoingWebhook]:
    return [OutgoingWebhook(*row) for row in tx.all(ALL)]


def of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    rows = tx.all(OF_OWNER, owner_id=owner_id)
    return [OwnedItem("webhook", webhook_id, url, project_id=project_id) for webhook_id, url, project_id in rows]


def set_owner(tx: Tx, webhook_id: str, owner_id: str) -> None:
    tx.run(GIVE, id=webhook_id, owner_id=owner_id)


def count(tx: Tx) -> int:
    row = tx.one(COUNT)
    assert row is not None
    number: int = row[0]
    return number


def save(tx: Tx, hook: OutgoingWebhook) -> None:
    tx.run(SAVE, **hook._asdict())


def remove(tx: Tx, webhook_id: str) -> None:
    tx.run(REMOVE_DELIVERIES, id=webhook_id)
    tx.run(REMOVE, id=webhook_id)


def webhooks_due_for_delivery(tx: Tx, limit: int) -> list[DueWebhook]:
    return [DueWebhook(*row) for row in tx.all(DUE, now=tx.now, limit=limit)]


def release_delivery_leases(tx: Tx, server_name: str) -> None:
    """Over all workspaces: the leases that a former life of this server left."""
    tx.run(FREE, name=server_name)


def first_pending_delivery(tx: Tx, webhook_id: str) -> WebhookDelivery | None:
    row = tx.one(FIRST_PENDING, webhook_id=webhook_id)
    return WebhookDelivery(*row) if row else None


def delivery_by_number(tx: Tx, webhook_id: str, number: int) -> WebhookDelivery | None:
    row = tx.one(DELIVERY, webhook_id=webhook_id, number=number)
    return WebhookDelivery(*row) if row else None


def delivery_by_id(tx: Tx, webhook_id: str, delivery_id: str) -> WebhookDelivery | None:
    row = tx.one(DELIVERY_BY_ID, webhook_id=webhook_id, delivery_id=delivery_id)
    return WebhookDelivery(*row) if row else None


def deliveries(tx: Tx, webhook_id: str, before_number: int, limit: int) -> list[WebhookDelivery]:
    """The newest first."""
    rows = tx.all(DELIVERIES, webhook_id=webhook_id, before=before_number, limit=limit)
    return [WebhookDelivery(*row) for row in rows]


def newest_deliveries_by_webhook_id(tx: Tx, limit_per_webhook: int) -> dict[str, list[WebhookDelivery]]:
    """Of every webhook here, the newest first."""
    newest: dict[str, list[WebhookDelivery]] = {}
    for row in tx.all(NEWEST_DELIVERIES, limit=limit_per_webhook):
        newest.setdefault(row[0], []).append(WebhookDelivery(*row))
    return newest


def save_delivery(tx: Tx, delivery: WebhookDelivery) -> None:
    tx.run(SAVE_DELIVERY, **delivery._asdict())
    tx.run(FORGET_DELIVERIES, webhook_id=delivery.webhook_id, upto=delivery.number - WEBHOOK_DELIVERIES_KEPT)
