"""Queries on grants and their refresh tokens; their access tokens are in store/tokens.py."""

from typing import NamedTuple

from pendesk.domain import limits
from pendesk.domain.oauth import Grant, RefreshToken
from pendesk.store import agent_sessions
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("oauth_grants", Grant)

BY_ID = f"SELECT {columns_sql(Grant)} FROM oauth_grants WHERE workspace_id = :workspace AND id = :id"

LOCK = "SELECT 1 FROM oauth_grants WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

# Those that can still be used, the newest first.
LIVE = f"""
SELECT {columns_sql(Grant, "g")}, u.name,
  (SELECT max(t.last_used_at) FROM tokens t WHERE t.workspace_id = g.workspace_id AND t.grant_id = g.id)
FROM oauth_grants g JOIN users u ON u.id = g.user_id
WHERE g.workspace_id = :workspace AND g.revoked_at IS NULL AND g.expires_at > :now
"""
LIVE_IN_ORDER = LIVE + " ORDER BY g.id DESC"
LIVE_OF_USER = LIVE + " AND g.user_id = :user_id ORDER BY g.id DESC"

REFRESHED = """
UPDATE oauth_grants SET refreshed_at = :now, expires_at = :expires_at WHERE workspace_id = :workspace AND id = :id
"""

# See credentials.py.
LOCK_OUT = """
SELECT 1 FROM members m JOIN oauth_grants g ON g.workspace_id = m.workspace_id AND g.user_id = m.user_id
WHERE g.workspace_id = :workspace AND g.id = :id FOR UPDATE OF m
"""

REVOKE = "UPDATE oauth_grants SET revoked_at = :now WHERE workspace_id = :workspace AND id = :id AND revoked_at IS NULL"

REVOKE_TOKENS = """
UPDATE tokens SET revoked_at = :now WHERE workspace_id = :workspace AND grant_id = :id AND revoked_at IS NULL
"""

REVOKE_OF_USER = """
UPDATE oauth_grants SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND revoked_at IS NULL
"""

_REFRESH = columns_sql(RefreshToken)
ADD_REFRESH = f"""
INSERT INTO oauth_refresh_tokens ({_REFRESH}) VALUES ({", ".join(f":{name}" for name in RefreshToken._fields)})
"""

# By the hash alone: the workspace is not known before.
REFRESH = f"SELECT {_REFRESH} FROM oauth_refresh_tokens WHERE hash = :hash"

USE_REFRESH = "UPDATE oauth_refresh_tokens SET used_at = :now WHERE hash = :hash"

ACCESS = "SELECT workspace_id, grant_id FROM tokens WHERE hash = :hash AND grant_id IS NOT NULL"

FORGET_ACCESS = "DELETE FROM tokens WHERE grant_id IS NOT NULL AND expires_at <= :before"
FORGET_REFRESH = "DELETE FROM oauth_refresh_tokens WHERE expires_at <= :now"
FORGET = "DELETE FROM oauth_grants WHERE expires_at <= :before"


def add(tx: Tx, grant: Grant) -> None:
    tx.run(INSERT, **grant._asdict())


def by_id(tx: Tx, grant_id: str) -> Grant | None:
    row = tx.one(BY_ID, id=grant_id)
    return Grant(*row) if row else None


def lock(tx: Tx, grant_id: str) -> None:
    tx.lock(LOCK, id=grant_id)


def lock_out(tx: Tx, grant_id: str) -> None:
    """Before it is revoked: waits for what is being written with it, and lets nothing more begin."""
    tx.lock(LOCK_OUT, id=grant_id)
    lock(tx, grant_id)


class GrantInUse(NamedTuple):
    """With the name of who gave it."""

    grant: Grant
    user_name: str
    last_used_at: int | None


def live(tx: Tx, user_id: str | None) -> list[GrantInUse]:
    """Of one user, or of everyone."""
    rows = tx.all(LIVE_IN_ORDER, now=tx.now) if user_id is None else tx.all(LIVE_OF_USER, user_id=user_id, now=tx.now)
    return [_grant_in_use(Grant(*columns), user_name, token_used_at) for *columns, user_name, token_used_at in rows]


def _grant_in_use(grant: Grant, user_name: str, token_used_at: int | None) -> GrantInUse:
    """Its tokens are deleted soon after they expire, but a program that works renews them before."""
    renewed_at = grant.refreshed_at if grant.refreshed_at > grant.created_at else None
    return GrantInUse(grant, user_name, max(filter(None, (renewed_at, token_used_at)), default=None))


def record_refresh(tx: Tx, grant_id: str, expires_at: int) -> None:
    tx.run(REFRESHED, id=grant_id, now=tx.now, expires_at=expires_at)


def revoke(tx: Tx, grant_id: str) -> None:
    """The grant and every access token of it; its refresh tokens ask the grant."""
    tx.run(REVOKE, id=grant_id, now=tx.now)
    tx.run(REVOKE_TOKENS, id=grant_id, now=tx.now)
    agent_sessions.end_of_token(tx, grant_id)


def revoke_of_user(tx: Tx, user_id: str) -> None:
    """The access tokens are among the user's tokens, which `tokens.revoke_of_user` revokes."""
    tx.run(REVOKE_OF_USER, user_id=user_id, now=tx.now)


def add_refresh_token(tx: Tx, token: RefreshToken) -> None:
    tx.run(ADD_REFRESH, **token._asdict())


def refresh_token_by_hash(tx: Tx, token_hash: str) -> RefreshToken | None:
    row = tx.one(REFRESH, hash=token_hash)
    return RefreshToken(*row) if row else None


def mark_refresh_token_used(tx: Tx, token_hash: str) -> None:
    tx.run(USE_REFRESH, hash=token_hash, now=tx.now)


def workspace_and_grant_ids(tx: Tx, access_token_hash: str) -> tuple[str, str] | None:
    """The workspace and grant that an access token belongs to."""
    row = tx.one(ACCESS, hash=access_token_hash)
    return (row[0], row[1]) if row else None


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET_ACCESS, before=tx.now - limits.DAY_US)
    tx.run(FORGET_REFRESH, now=tx.now)
    tx.run(FORGET, before=tx.now - limits.DAY_US)
