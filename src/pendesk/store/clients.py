"""Queries on OAuth clients, which belong to no workspace."""

from pendesk.domain import limits
from pendesk.domain.oauth import OAuthClient
from pendesk.store.engine.tx import Tx, columns_sql

BY_ID = f"SELECT {columns_sql(OAuthClient)} FROM oauth_clients WHERE id = :id"

PUT = """
INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, used_at, fetched_at)
VALUES (:id, :kind, :name, :redirect_uris, :created_at, :used_at, :fetched_at)
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, redirect_uris = excluded.redirect_uris, fetched_at = excluded.fetched_at
"""

USED = "UPDATE oauth_clients SET used_at = :now WHERE id = :id"

# A flood of registrations pushes out the oldest of its own kind; clients that were authorized stay.
DROP_OLDEST = """
DELETE FROM oauth_clients WHERE id IN (
  SELECT id FROM oauth_clients WHERE used_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET :kept
)
"""

FORGET_UNUSED = "DELETE FROM oauth_clients WHERE used_at IS NULL AND created_at <= :before"

FORGET_IDLE = """
DELETE FROM oauth_clients WHERE used_at <= :before
  AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = oauth_clients.id AND g.revoked_at IS NULL)
"""


def by_id(tx: Tx, client_id: str) -> OAuthClient | None:
    row = tx.one(BY_ID, id=client_id)
    return OAuthClient(*row) if row else None


def upsert(tx: Tx, client: OAuthClient) -> None:
    tx.run(PUT, **client._asdict())


def mark_used(tx: Tx, client_id: str) -> None:
    tx.run(USED, id=client_id, now=tx.now)


def delete_oldest_unused_over_limit(tx: Tx) -> None:
    tx.run(DROP_OLDEST, kept=limits.UNUSED_CLIENTS)


def delete_long_unused(tx: Tx) -> None:
    tx.run(FORGET_UNUSED, before=tx.now - limits.UNUSED_CLIENT_US)
    tx.run(FORGET_IDLE, before=tx.now - limits.IDLE_CLIENT_US)
