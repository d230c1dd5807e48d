"""Queries on workspaces, users and members."""

from pendesk.domain.people import Member, User, Workspace
from pendesk.store.tx import Tx, columns, insert

INSERT_WORKSPACE = "INSERT INTO workspaces (id, name, created_at) VALUES (:id, :name, :created_at)"
INSERT_COUNTER = "INSERT INTO event_counters (workspace_id, last_seq) VALUES (:id, 0)"

INSERT_USER = """
INSERT INTO users (id, kind, email, name, password_hash, created_at)
VALUES (:id, :kind, :email, :name, :password_hash, :created_at)
"""

INSERT_MEMBER = insert("members", Member)

LOCK_MEMBER = """
SELECT 1 FROM members WHERE workspace_id = :workspace AND user_id = :user_id FOR NO KEY UPDATE
"""

MEMBER = f"""
SELECT {columns(Member)} FROM members
WHERE workspace_id = :workspace AND user_id = :user_id AND removed_at IS NULL
"""

USER = f"SELECT {columns(User)} FROM users WHERE id = :user_id"


def add_workspace(tx: Tx, workspace: Workspace) -> None:
    tx.run(INSERT_WORKSPACE, **workspace._asdict())
    tx.run(INSERT_COUNTER, id=workspace.id)


def add_user(tx: Tx, user: User) -> None:
    tx.run(INSERT_USER, **user._asdict())


def add_member(tx: Tx, member: Member) -> None:
    tx.run(INSERT_MEMBER, **member._asdict())


def lock_member(tx: Tx, user_id: str) -> None:
    """Serialises what is counted per user: claims, idempotency keys."""
    tx.lock(LOCK_MEMBER, user_id=user_id)


def member(tx: Tx, user_id: str) -> Member | None:
    row = tx.one(MEMBER, user_id=user_id)
    return Member(*row) if row else None


def user(tx: Tx, user_id: str) -> User | None:
    row = tx.one(USER, user_id=user_id)
    return User(*row) if row else None
