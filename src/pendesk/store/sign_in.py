"""Queries on one-time sign-in links and on the sessions that they start."""

from typing import NamedTuple

from pendesk.store.tx import Tx

ADD_LINK = """
INSERT INTO sign_in_links (hash, workspace_id, user_id, created_at, expires_at)
VALUES (:hash, :workspace, :user_id, :now, :expires_at)
"""

# A link or a cookie is found by its hash alone: before this answer nobody knows whose workspace it is.
LINK = """
SELECT l.workspace_id, l.user_id, u.name, m.role FROM sign_in_links l
JOIN members m ON m.workspace_id = l.workspace_id AND m.user_id = l.user_id AND m.removed_at IS NULL
JOIN users u ON u.id = l.user_id
WHERE l.hash = :hash AND l.used_at IS NULL AND l.expires_at > :now
"""

LOCK_LINK = "SELECT 1 FROM sign_in_links WHERE hash = :hash FOR NO KEY UPDATE"

USE_LINK = "UPDATE sign_in_links SET used_at = :now WHERE hash = :hash"

USE_LINKS_OF_USER = """
UPDATE sign_in_links SET used_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND used_at IS NULL
"""

FORGET_LINKS = "DELETE FROM sign_in_links WHERE expires_at <= :now"

ADD_SESSION = """
INSERT INTO sessions (hash, workspace_id, user_id, created_at, expires_at)
VALUES (:hash, :workspace, :user_id, :now, :expires_at)
"""

SESSION = """
SELECT s.workspace_id, s.user_id, u.name, m.role FROM sessions s
JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.removed_at IS NULL
JOIN users u ON u.id = s.user_id
WHERE s.hash = :hash AND s.revoked_at IS NULL AND s.expires_at > :now
"""

END_SESSION = "UPDATE sessions SET revoked_at = :now WHERE hash = :hash AND revoked_at IS NULL"

END_SESSIONS_OF_USER = """
UPDATE sessions SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND revoked_at IS NULL
"""

FORGET_SESSIONS = "DELETE FROM sessions WHERE expires_at <= :now"


class SignedIn(NamedTuple):
    """Whom a good link or session speaks for."""

    workspace_id: str
    user_id: str
    user_name: str
    role: str


def add_link(tx: Tx, link_hash: str, user_id: str, expires_at: int) -> None:
    tx.run(ADD_LINK, hash=link_hash, user_id=user_id, now=tx.now, expires_at=expires_at)


def link(tx: Tx, link_hash: str) -> SignedIn | None:
    """Whom the link is for, while it can still be used."""
    row = tx.one(LINK, hash=link_hash, now=tx.now)
    return SignedIn(*row) if row else None


def use_link(tx: Tx, link_hash: str) -> SignedIn | None:
    """Use it up. Of two that try at once, one gets it."""
    tx.lock(LOCK_LINK, hash=link_hash)
    found = link(tx, link_hash)
    if found is not None:
        tx.run(USE_LINK, hash=link_hash, now=tx.now)
    return found


def add_session(tx: Tx, session_hash: str, user_id: str, expires_at: int) -> None:
    tx.run(ADD_SESSION, hash=session_hash, user_id=user_id, now=tx.now, expires_at=expires_at)


def session(tx: Tx, session_hash: str) -> SignedIn | None:
    row = tx.one(SESSION, hash=session_hash, now=tx.now)
    return SignedIn(*row) if row else None


def end_session(tx: Tx, session_hash: str) -> None:
    tx.run(END_SESSION, hash=session_hash, now=tx.now)


def end_all_of_user(tx: Tx, user_id: str) -> None:
    """Sessions and unused links alike."""
    tx.run(END_SESSIONS_OF_USER, user_id=user_id, now=tx.now)
    tx.run(USE_LINKS_OF_USER, user_id=user_id, now=tx.now)


def forget_old(tx: Tx) -> None:
    tx.run(FORGET_LINKS, now=tx.now)
    tx.run(FORGET_SESSIONS, now=tx.now)
