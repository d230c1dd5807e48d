"""Queries on workspaces, users and members."""

from pendesk.domain.ownership import OwnedItem
from pendesk.domain.people import Account, Member, User, Workspace
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT_WORKSPACE = """
INSERT INTO workspaces (id, name, created_at, participation) VALUES (:id, :name, :created_at, :participation)
"""
INSERT_COUNTER = "INSERT INTO event_counters (workspace_id, last_seq) VALUES (:id, 0)"

INSERT_USER = """
INSERT INTO users (id, kind, email, name, password_hash, created_at)
VALUES (:id, :kind, :email, :name, :password_hash, :created_at)
"""

INSERT_MEMBER = insert_sql("members", Member)

# Against those who write in their name, too: see credentials.py.
LOCK_MEMBER_OUT = "SELECT 1 FROM members WHERE workspace_id = :workspace AND user_id = :user_id FOR UPDATE"

LOCK_MEMBER = """
SELECT 1 FROM members WHERE workspace_id = :workspace AND user_id = :user_id FOR NO KEY UPDATE
"""

MEMBER = f"""
SELECT {columns_sql(Member)} FROM members
WHERE workspace_id = :workspace AND user_id = :user_id AND removed_at IS NULL
"""

WAS_MEMBER = "SELECT 1 FROM members WHERE workspace_id = :workspace AND user_id = :user_id"

USER = f"SELECT {columns_sql(User)} FROM users WHERE id = :user_id"

NAMES = "SELECT id, name FROM users WHERE id IN (EACH :ids)"

KINDS = "SELECT id, kind FROM users WHERE id IN (EACH :ids)"

USER_BY_EMAIL = f"SELECT {columns_sql(User)} FROM users WHERE email = :email"

WORKSPACE = f"SELECT {columns_sql(Workspace)} FROM workspaces WHERE id = :workspace"

LOCK_WORKSPACE = "SELECT 1 FROM workspaces WHERE id = :workspace FOR NO KEY UPDATE"

RENAME = "UPDATE users SET name = :name WHERE id = :user_id"

RENAME_WORKSPACE = "UPDATE workspaces SET name = :name WHERE id = :workspace"

SET_PARTICIPATION = "UPDATE workspaces SET participation = :participation WHERE id = :workspace"

ACCOUNTS = """
SELECT u.id, u.kind, u.email, u.name, u.password_hash IS NOT NULL, m.role, m.added_at,
  m.created_by, k.name, m.owner_id, o.name
FROM members m JOIN users u ON u.id = m.user_id
LEFT JOIN users k ON k.id = m.created_by LEFT JOIN users o ON o.id = m.owner_id
WHERE m.workspace_id = :workspace AND m.removed_at IS NULL
"""
ACCOUNTS_PAGE = ACCOUNTS + " AND u.id > :after ORDER BY u.id LIMIT :limit"
ACCOUNT = ACCOUNTS + " AND u.id = :user_id"
ACCOUNT_BY_EMAIL = ACCOUNTS + " AND u.email = :email"
FIRST_OWNER = ACCOUNTS + " AND m.role = 'owner' ORDER BY m.added_at, u.id LIMIT 1"

# Who counts owners locks them all first: two owners who remove each other must not both succeed.
LOCK_OWNERS = """
SELECT 1 FROM members WHERE workspace_id = :workspace AND role = 'owner' AND removed_at IS NULL
ORDER BY user_id FOR UPDATE
"""

OWNERS = "SELECT count(*) FROM members WHERE workspace_id = :workspace AND role = 'owner' AND removed_at IS NULL"

SET_ROLE = "UPDATE members SET role = :role WHERE workspace_id = :workspace AND user_id = :user_id"

REMOVE_MEMBER = "UPDATE members SET removed_at = :now WHERE workspace_id = :workspace AND user_id = :user_id"

# With the tokens that work and the claims that are held in their name.
AGENTS_OF = """
SELECT u.id, u.name,
  (SELECT count(*) FROM tokens t WHERE t.workspace_id = m.workspace_id AND t.user_id = m.user_id
    AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)),
  (SELECT count(*) FROM claims c WHERE c.workspace_id = m.workspace_id AND c.user_id = m.user_id
    AND c.state = 'active')
FROM members m JOIN users u ON u.id = m.user_id
WHERE m.workspace_id = :workspace AND m.owner_id = :owner_id AND m.removed_at IS NULL ORDER BY u.id
"""

GIVE_AGENT = "UPDATE members SET owner_id = :owner_id WHERE workspace_id = :workspace AND user_id = :user_id"

PEOPLE_WITH = (
    ACCOUNTS
    + """
  AND u.kind = 'person' AND m.role IN (EACH :roles) AND u.id <> :but ORDER BY u.name, u.id LIMIT :limit
"""
)

# Someone who was removed comes back as the same member, so that their history stays theirs.
RETURN_MEMBER = """
INSERT INTO members (workspace_id, user_id, role, added_at, removed_at, created_by, owner_id)
VALUES (:workspace, :user_id, :role, :added_at, :removed_at, :created_by, :owner_id)
ON CONFLICT (workspace_id, user_id) DO UPDATE
SET role = excluded.role, added_at = excluded.added_at, removed_at = NULL
"""

IS_ELSEWHERE = "SELECT 1 FROM members WHERE user_id = :user_id AND workspace_id <> :workspace LIMIT 1"

SET_HASH = "UPDATE users SET password_hash = :password_hash WHERE id = :user_id"

SET_EMAIL = "UPDATE users SET email = :email WHERE id = :user_id"


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


def lock_member_out(tx: Tx, user_id: str) -> None:
    """Waits for what is being written in their name, and lets nothing more begin."""
    tx.lock(LOCK_MEMBER_OUT, user_id=user_id)


def member(tx: Tx, user_id: str) -> Member | None:
    row = tx.one(MEMBER, user_id=user_id)
    return Member(*row) if row else None


def is_or_was_member(tx: Tx, user_id: str) -> bool:
    """Now, or before they were removed."""
    return tx.one(WAS_MEMBER, user_id=user_id) is not None


def user(tx: Tx, user_id: str) -> User | None:
    row = tx.one(USER, user_id=user_id)
    return User(*row) if row else None


def user_by_email(tx: Tx, email: str) -> User | None:
    row = tx.one(USER_BY_EMAIL, email=email)
    return User(*row) if row else None


def workspace_of_transaction(tx: Tx) -> Workspace | None:
    row = tx.one(WORKSPACE)
    return Workspace(*row) if row else None


def lock_workspace(tx: Tx) -> None:
    tx.lock(LOCK_WORKSPACE)


def rename_user(tx: Tx, user_id: str, name: str) -> None:
    tx.run(RENAME, user_id=user_id, name=name)


def rename_workspace(tx: Tx, name: str) -> None:
    tx.run(RENAME_WORKSPACE, name=name)


def set_participation(tx: Tx, participation: str) -> None:
    tx.run(SET_PARTICIPATION, participation=participation)


def accounts(tx: Tx, after_user_id: str, limit: int) -> list[Account]:
    """Present members; whose account is older comes first."""
    return [Account(*row) for row in tx.all(ACCOUNTS_PAGE, after=after_user_id, limit=limit)]


def account(tx: Tx, user_id: str) -> Account | None:
    row = tx.one(ACCOUNT, user_id=user_id)
    return Account(*row) if row else None


def account_by_email(tx: Tx, email: str) -> Account | None:
    row = tx.one(ACCOUNT_BY_EMAIL, email=email)
    return Account(*row) if row else None


def earliest_added_owner(tx: Tx) -> Account | None:
    row = tx.one(FIRST_OWNER)
    return Account(*row) if row else None


def lock_owners(tx: Tx) -> None:
    tx.lock(LOCK_OWNERS)


def count_owners(tx: Tx) -> int:
    row = tx.one(OWNERS)
    assert row is not None
    count: int = row[0]
    return count


def set_role(tx: Tx, user_id: str, role: str) -> None:
    tx.run(SET_ROLE, user_id=user_id, role=role)


def remove_member(tx: Tx, user_id: str) -> None:
    tx.run(REMOVE_MEMBER, user_id=user_id, now=tx.now)


def agents_of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    return [OwnedItem("agent", *row) for row in tx.all(AGENTS_OF, owner_id=owner_id, now=tx.now)]


def set_agent_owner(tx: Tx, agent_id: str, owner_id: str) -> None:
    tx.run(GIVE_AGENT, user_id=agent_id, owner_id=owner_id)


def people_with_roles(tx: Tx, roles: list[str], except_user_id: str, limit: int) -> list[Account]:
    """Persons with one of these roles, without one of them."""
    return [Account(*row) for row in tx.all(PEOPLE_WITH, roles=to_json(roles), but=except_user_id, limit=limit)]


def add_or_restore_member(tx: Tx, member: Member) -> None:
    tx.run(RETURN_MEMBER, **member._asdict())


def is_or_was_in_other_workspace(tx: Tx, user_id: str) -> bool:
    """Whether the user belongs, or belonged, to another workspace too."""
    return tx.one(IS_ELSEWHERE, user_id=user_id) is not None


def set_password(tx: Tx, user_id: str, password_hash: str | None) -> None:
    tx.run(SET_HASH, user_id=user_id, password_hash=password_hash)


def set_email(tx: Tx, user_id: str, email: str) -> None:
    tx.run(SET_EMAIL, user_id=user_id, email=email)


def names_by_user_id(tx: Tx, user_ids: list[str]) -> dict[str, str]:
    """User id -> name."""
    return {row[0]: row[1] for row in tx.all(NAMES, ids=to_json(user_ids))} if user_ids else {}


def person_or_agent_by_user_id(tx: Tx, user_ids: list[str]) -> dict[str, str]:
    """User id -> person or agent."""
    return {row[0]: row[1] for row in tx.all(KINDS, ids=to_json(user_ids))} if user_ids else {}
