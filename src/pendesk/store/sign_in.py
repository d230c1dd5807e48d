"""Queries on one-time sign-in links and on the sessions that they start."""

from typing import NamedTuple

from pendesk.domain.people import Session
from pendesk.ids import new_id
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql

ADD_LINK = """
INSERT INTO sign_in_links (hash, workspace_id, user_id, created_by, created_at, expires_at)
VALUES (:hash, :workspace, :user_id, :created_by, :now, :expires_at)
"""

# A link or a cookie is found by its hash alone: the workspace is not known before.
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

USE_LINKS_OF_MAKER = """
UPDATE sign_in_links SET used_at = :now
WHERE workspace_id = :workspace AND created_by = :user_id AND user_id <> :user_id AND used_at IS NULL
"""

FORGET_LINKS = "DELETE FROM sign_in_links WHERE expires_at <= :now"

ADD_SESSION = """
INSERT INTO sessions (hash, id, workspace_id, user_id, created_at, expires_at, everywhere, began_by, browser)
VALUES (:hash, :id, :workspace, :user_id, :now, :expires_at, :everywhere, :began_by, :browser)
"""

# By the log, which forgets nothing: a session's own row goes when it has expired.
EVER_SIGNED_IN = (
    "SELECT 1 FROM events WHERE workspace_id = :workspace AND kind = 'session.started' ORDER BY seq LIMIT 1"
)

# Who comes first, and may have the name that the machine knows them by.
NAME_OF_FIRST = """
SELECT u.name FROM sign_in_links l
JOIN members m ON m.workspace_id = l.workspace_id AND m.user_id = l.user_id AND m.removed_at IS NULL
JOIN users u ON u.id = l.user_id
WHERE l.hash = :hash AND l.used_at IS NULL AND l.expires_at > :now AND (SELECT 1 FROM events e
  WHERE e.workspace_id = l.workspace_id AND e.kind = 'session.started' ORDER BY e.seq LIMIT 1) IS NULL
"""

SESSION = """
SELECT s.workspace_id, s.user_id, u.name, m.role, s.id FROM sessions s
JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.removed_at IS NULL
JOIN users u ON u.id = s.user_id
WHERE s.hash = :hash AND s.revoked_at IS NULL AND s.expires_at > :now
"""

ROLES_BY_HASH = """
SELECT s.hash, m.role FROM sessions s
JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.removed_at IS NULL
WHERE s.hash IN (EACH :hashes) AND s.revoked_at IS NULL AND s.expires_at > :now
"""

# Where the person may act in this session, its own workspace first. A link opens one workspace: who makes links in
# one must not get into another with them. A password opens all of the person's.
WORKSPACES = """
SELECT m.workspace_id, w.name FROM sessions s
JOIN members m ON m.user_id = s.user_id AND m.removed_at IS NULL
JOIN workspaces w ON w.id = m.workspace_id
WHERE s.hash = :hash AND s.revoked_at IS NULL AND s.expires_at > :now
  AND (s.everywhere = 1 OR m.workspace_id = s.workspace_id)
ORDER BY CASE WHEN m.workspace_id = s.workspace_id THEN 0 ELSE 1 END, w.name, w.id
"""

# Where a password leads at first: the oldest membership.
HOME = """
SELECT m.workspace_id, m.user_id, u.name, m.role FROM members m JOIN users u ON u.id = m.user_id
WHERE m.user_id = :user_id AND m.removed_at IS NULL ORDER BY m.added_at, m.workspace_id LIMIT 1
"""

# See credentials.py. A sign-in may act in every workspace of its person.
LOCK_OUT = """
SELECT 1 FROM members m WHERE m.user_id = (SELECT s.user_id FROM sessions s WHERE s.hash = :hash)
ORDER BY m.workspace_id FOR UPDATE
"""
LOCK_USER_OUT = "SELECT 1 FROM members WHERE user_id = :user_id ORDER BY workspace_id FOR UPDATE"

END_SESSION = "UPDATE sessions SET revoked_at = :now WHERE hash = :hash AND revoked_at IS NULL"

END_SESSIONS_OF_USER = """
UPDATE sessions SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND revoked_at IS NULL
"""

# A password speaks for the person everywhere, so a new one asks every workspace's sessions to sign in again.
END_OTHERS = """
UPDATE sessions SET revoked_at = :now WHERE user_id = :user_id AND revoked_at IS NULL AND id <> :kept
"""
USE_LINKS_EVERYWHERE = "UPDATE sign_in_links SET used_at = :now WHERE user_id = :user_id AND used_at IS NULL"

# A person's own in one workspace, while somebody could still use them.
LIVE = f"""
SELECT {columns_sql(Session, "s")} FROM sessions s
JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.removed_at IS NULL
WHERE s.user_id = :user_id AND s.workspace_id = :workspace AND s.revoked_at IS NULL AND s.expires_at > :now
ORDER BY s.id DESC LIMIT :limit
"""

EVERYWHERE = "SELECT 1 FROM sessions WHERE id = :id AND everywhere = 1"

END_BY_ID = """
UPDATE sessions SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND id = :id AND revoked_at IS NULL AND expires_at > :now
RETURNING began_by
"""

FORGET_SESSIONS = "DELETE FROM sessions WHERE expires_at <= :now"


class WorkspaceMember(NamedTuple):
    """Whom a good link or session speaks for."""

    workspace_id: str
    user_id: str
    user_name: str
    role: str
    session_id: str | None = None


def add_link(tx: Tx, link_hash: str, user_id: str, created_by: str, expires_at: int) -> None:
    tx.run(ADD_LINK, hash=link_hash, user_id=user_id, created_by=created_by, now=tx.now, expires_at=expires_at)


def member_for_usable_link(tx: Tx, link_hash: str) -> WorkspaceMember | None:
    """Whom the link is for, while it can still be used."""
    row = tx.one(LINK, hash=link_hash, now=tx.now)
    return WorkspaceMember(*row) if row else None


def consume_sign_in_link(tx: Tx, link_hash: str) -> WorkspaceMember | None:
    """Use it up. Of two that try at once, one gets it."""
    tx.lock(LOCK_LINK, hash=link_hash)
    signed_in = member_for_usable_link(tx, link_hash)
    if signed_in is not None:
        tx.run(USE_LINK, hash=link_hash, now=tx.now)
    return signed_in


def add_session(
    tx: Tx,
    session_hash: str,
    user_id: str,
    expires_at: int,
    *,
    all_workspaces: bool = False,
    sign_in_method: str = "link",
    browser: str = "",
) -> None:
    tx.run(
        ADD_SESSION,
        hash=session_hash,
        id=new_id(),
        user_id=user_id,
        now=tx.now,
        expires_at=expires_at,
        everywhere=int(all_workspaces),
        began_by=sign_in_method,
        browser=browser,
    )


def has_anybody_signed_in(tx: Tx) -> bool:
    """Ever, in any way; whether they still are does not matter."""
    return tx.one(EVER_SIGNED_IN) is not None


def name_of_first_to_sign_in(tx: Tx, link_hash: str) -> str | None:
    """Whom the link is for, where nobody ever signed in to its workspace."""
    row = tx.one(NAME_OF_FIRST, hash=link_hash, now=tx.now)
    return row[0] if row else None


def expire_links_created_for_others(tx: Tx, created_by: str) -> None:
    """Unused ones that they created for others: they saw them."""
    tx.run(USE_LINKS_OF_MAKER, user_id=created_by, now=tx.now)


def workspace_ids_and_names_for_session(tx: Tx, session_hash: str) -> list[tuple[str, str]]:
    """The id and name of each workspace that the session may act in."""
    return [(row[0], row[1]) for row in tx.all(WORKSPACES, hash=session_hash, now=tx.now)]


def oldest_membership(tx: Tx, user_id: str) -> WorkspaceMember | None:
    row = tx.one(HOME, user_id=user_id)
    return WorkspaceMember(*row) if row else None


def member_of_session(tx: Tx, session_hash: str) -> WorkspaceMember | None:
    row = tx.one(SESSION, hash=session_hash, now=tx.now)
    return WorkspaceMember(*row) if row else None


def roles_by_session_hash(tx: Tx, session_hashes: list[str]) -> dict[str, str]:
    """The role behind each of these sessions that still lasts."""
    return {row[0]: row[1] for row in tx.all(ROLES_BY_HASH, hashes=to_json(session_hashes), now=tx.now)}


def end_session(tx: Tx, session_hash: str) -> None:
    tx.lock(LOCK_OUT, hash=session_hash)
    tx.run(END_SESSION, hash=session_hash, now=tx.now)


def end_sessions_and_sign_in_links(tx: Tx, user_id: str) -> None:
    """Sessions and unused links alike."""
    tx.run(END_SESSIONS_OF_USER, user_id=user_id, now=tx.now)
    tx.run(USE_LINKS_OF_USER, user_id=user_id, now=tx.now)


def end_other_sessions_in_all_workspaces(tx: Tx, user_id: str, except_session_id: str | None) -> None:
    """Every session of the person but one, and every unused link to a new one."""
    tx.lock(LOCK_USER_OUT, user_id=user_id)
    tx.run(END_OTHERS, user_id=user_id, now=tx.now, kept=except_session_id or "")
    tx.run(USE_LINKS_EVERYWHERE, user_id=user_id, now=tx.now)


def is_session_for_all_workspaces(tx: Tx, session_id: str) -> bool:
    return tx.one(EVERYWHERE, id=session_id) is not None


def live_sessions(tx: Tx, user_id: str, limit: int) -> list[Session]:
    """The person's sessions in this workspace, the newest first."""
    return [Session(*row) for row in tx.all(LIVE, user_id=user_id, now=tx.now, limit=limit)]


def end_session_by_id(tx: Tx, user_id: str, session_id: str) -> bool:
    """Whether there was such a session of theirs to end."""
    tx.lock(LOCK_USER_OUT, user_id=user_id)
    return bool(tx.run_returning(END_BY_ID, user_id=user_id, id=session_id, now=tx.now))


def delete_expired_links_and_sessions(tx: Tx) -> None:
    tx.run(FORGET_LINKS, now=tx.now)
    tx.run(FORGET_SESSIONS, now=tx.now)
