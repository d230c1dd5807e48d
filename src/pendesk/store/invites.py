"""Queries on invites."""

from typing import NamedTuple

from pendesk.domain.ownership import OwnedItem
from pendesk.domain.people import Invite
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("invites", Invite)

BY_ID = f"SELECT {columns_sql(Invite)} FROM invites WHERE workspace_id = :workspace AND id = :id"

OPEN = f"""
SELECT {columns_sql(Invite)} FROM invites
WHERE workspace_id = :workspace AND used_at IS NULL AND expires_at > :now ORDER BY id DESC LIMIT :limit
"""

USE = "UPDATE invites SET used_at = :now WHERE workspace_id = :workspace AND id = :id AND used_at IS NULL"

OF_MAKER = """
SELECT id, email, role FROM invites
WHERE workspace_id = :workspace AND created_by = :user_id AND used_at IS NULL AND expires_at > :now ORDER BY id
"""

LOCK = "SELECT 1 FROM invites WHERE hash = :hash FOR NO KEY UPDATE"

# By the hash alone: the workspace is not known before. With the role that the inviter has now.
WAITING = f"""
SELECT {columns_sql(Invite, "i")}, i.workspace_id, w.name, m.role FROM invites i
JOIN workspaces w ON w.id = i.workspace_id
JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = i.created_by AND m.removed_at IS NULL
WHERE i.hash = :hash AND i.used_at IS NULL AND i.expires_at > :now
"""

FORGET = "DELETE FROM invites WHERE expires_at <= :now"


class PendingInvite(NamedTuple):
    """An invite that can still be accepted, as far as it itself says."""

    invite: Invite
    workspace_id: str
    workspace_name: str
    inviter_role: str


def add(tx: Tx, invite: Invite) -> None:
    tx.run(INSERT, **invite._asdict())


def by_id(tx: Tx, invite_id: str) -> Invite | None:
    row = tx.one(BY_ID, id=invite_id)
    return Invite(*row) if row else None


def pending_invites(tx: Tx, limit: int) -> list[Invite]:
    return [Invite(*row) for row in tx.all(OPEN, now=tx.now, limit=limit)]


def mark_used(tx: Tx, invite_id: str) -> None:
    tx.run(USE, id=invite_id, now=tx.now)


def pending_of_creator(tx: Tx, user_id: str) -> list[OwnedItem]:
    rows = tx.all(OF_MAKER, user_id=user_id, now=tx.now)
    return [OwnedItem("invite", invite_id, f"{email}, as {role}") for invite_id, email, role in rows]


def lock(tx: Tx, invite_hash: str) -> None:
    tx.lock(LOCK, hash=invite_hash)


def pending_by_hash(tx: Tx, invite_hash: str) -> PendingInvite | None:
    row = tx.one(WAITING, hash=invite_hash, now=tx.now)
    return PendingInvite(Invite(*row[:-3]), *row[-3:]) if row else None


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, now=tx.now)
