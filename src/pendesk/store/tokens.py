"""Queries on tokens, and on the caller behind one."""

from typing import NamedTuple

from pendesk.domain.ownership import OwnedItem
from pendesk.domain.people import Token
from pendesk.store import agent_sessions
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("tokens", Token)

# Personal tokens only: what a grant gave is shown and revoked as the grant.
BY_ID = f"SELECT {columns_sql(Token)} FROM tokens WHERE workspace_id = :workspace AND id = :id AND grant_id IS NULL"

ALL = f"""
SELECT {columns_sql(Token, "t")}, u.name, o.name, k.name FROM tokens t JOIN users u ON u.id = t.user_id
LEFT JOIN users o ON o.id = t.owner_id LEFT JOIN users k ON k.id = t.created_by
WHERE t.workspace_id = :workspace AND t.grant_id IS NULL
  AND t.id > :after ORDER BY t.id LIMIT :limit
"""

OF_USER = ALL.replace("ORDER BY", "AND t.user_id = :user_id ORDER BY")

REVOKE = "UPDATE tokens SET revoked_at = :now WHERE workspace_id = :workspace AND id = :id AND revoked_at IS NULL"

REVOKE_OF_USER = """
UPDATE tokens SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND revoked_at IS NULL
"""

# See credentials.py.
LOCK_OUT = """
SELECT 1 FROM members m JOIN tokens t ON t.workspace_id = m.workspace_id AND t.user_id = m.user_id
WHERE t.workspace_id = :workspace AND t.id = :id FOR UPDATE OF m
"""

_WORKS = "t.grant_id IS NULL AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)"

# Those that speak for others. An agent of the owner's own counts its tokens itself.
OF_OWNER = f"""
SELECT CASE WHEN u.kind = 'agent' THEN 'agent_token' ELSE 'personal_token' END, t.id, t.name, u.name
FROM tokens t JOIN users u ON u.id = t.user_id
JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id
WHERE t.workspace_id = :workspace AND t.owner_id = :owner_id AND t.user_id <> :owner_id AND {_WORKS}
  AND (m.owner_id IS NULL OR m.owner_id <> :owner_id) ORDER BY t.id
"""

OF_AGENT_AND_OWNER = f"""
SELECT t.id, t.name FROM tokens t
WHERE t.workspace_id = :workspace AND t.owner_id = :owner_id AND t.user_id = :user_id AND {_WORKS} ORDER BY t.id
"""

GIVE = "UPDATE tokens SET owner_id = :owner_id WHERE workspace_id = :workspace AND id = :id"

COUNT_OF_USER = f"SELECT count(*) FROM tokens t WHERE t.workspace_id = :workspace AND t.user_id = :user_id AND {_WORKS}"

_SPEAKS = "JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id AND m.removed_at IS NULL"

# Who owns the token, and who owns the agent that it speaks for, are members too: removal sees to it, and this says so
# once more for every other way in which somebody could cease to be one. A person's own token costs no further look.
_OWNED = """
(t.owner_id = t.user_id OR EXISTS (
  SELECT 1 FROM members o WHERE o.workspace_id = t.workspace_id AND o.user_id = t.owner_id AND o.removed_at IS NULL))
AND (m.owner_id IS NULL OR EXISTS (
  SELECT 1 FROM members a WHERE a.workspace_id = m.workspace_id AND a.user_id = m.owner_id AND a.removed_at IS NULL))
"""

# By the hash alone: the workspace is not known before.
BEARER = f"""
SELECT t.workspace_id, t.id, t.grant_id, t.user_id, u.name, m.role, t.scopes, t.expires_at, t.last_used_at
FROM tokens t {_SPEAKS}
JOIN users u ON u.id = t.user_id
WHERE t.hash = :hash AND t.revoked_at IS NULL AND {_OWNED}
"""

ROLES_BY_HASH = f"""
SELECT t.hash, m.role FROM tokens t {_SPEAKS}
WHERE t.hash IN (EACH :hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
  AND {_OWNED}
"""

USED = "UPDATE tokens SET last_used_at = :now WHERE workspace_id = :workspace AND id = :id"


class Bearer(NamedTuple):
    """Whom a token that was not revoked speaks for, until it expires."""

    workspace_id: str
    token_id: str
    grant_id: str | None
    user_id: str
    user_name: str
    role: str
    scopes: str
    expires_at: int | None
    last_used_at: int | None


class TokenPeopleNames(NamedTuple):
    """Whom a token speaks for, who owns it, who made it."""

    user: str
    owner: str
    created_by: str


def add(tx: Tx, token: Token) -> None:
    tx.run(INSERT, **token._asdict())


def by_id(tx: Tx, token_id: str) -> Token | None:
    row = tx.one(BY_ID, id=token_id)
    return Token(*row) if row else None


def page(tx: Tx, user_id: str | None, after: str, limit: int) -> list[tuple[Token, TokenPeopleNames]]:
    """Tokens with the names that belong to each; of one user, or of everyone."""
    if user_id is None:
        rows = tx.all(ALL, after=after, limit=limit)
    else:
        rows = tx.all(OF_USER, user_id=user_id, after=after, limit=limit)
    return [(Token(*row[:-3]), TokenPeopleNames(*row[-3:])) for row in rows]


def revoke(tx: Tx, token_id: str) -> None:
    tx.run(REVOKE, id=token_id, now=tx.now)
    agent_sessions.end_of_token(tx, token_id)


def lock_out(tx: Tx, token_id: str) -> None:
    """Waits for what is being written with it, and lets nothing more begin."""
    tx.lock(LOCK_OUT, id=token_id)


def of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    rows = tx.all(OF_OWNER, owner_id=owner_id, now=tx.now)
    return [OwnedItem(kind, token_id, f"{name}, for {user}") for kind, token_id, name, user in rows]


def token_ids_and_names_of_agent(tx: Tx, agent_id: str, owner_id: str) -> list[tuple[str, str]]:
    """The id and name of each token that speaks for the agent and is the owner's."""
    rows = tx.all(OF_AGENT_AND_OWNER, user_id=agent_id, owner_id=owner_id, now=tx.now)
    return [(row[0], row[1]) for row in rows]


def set_owner(tx: Tx, token_id: str, owner_id: str) -> None:
    tx.run(GIVE, id=token_id, owner_id=owner_id)


def count_active_of_user(tx: Tx, user_id: str) -> int:
    row = tx.one(COUNT_OF_USER, user_id=user_id, now=tx.now)
    assert row is not None
    count: int = row[0]
    return count


def revoke_tokens_of_user(tx: Tx, user_id: str) -> None:
    tx.run(REVOKE_OF_USER, user_id=user_id, now=tx.now)


def bearer_by_token_hash(tx: Tx, token_hash: str) -> Bearer | None:
    row = tx.one(BEARER, hash=token_hash)
    return Bearer(*row) if row else None


def roles_by_token_hash(tx: Tx, token_hashes: list[str]) -> dict[str, str]:
    """The role behind each of these tokens that is still good."""
    return {row[0]: row[1] for row in tx.all(ROLES_BY_HASH, hashes=to_json(token_hashes), now=tx.now)}


def record_use(tx: Tx, token_id: str) -> None:
    tx.run(USED, id=token_id, now=tx.now)
