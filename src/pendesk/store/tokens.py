"""Queries on tokens, and on the caller behind one."""

from typing import NamedTuple

from pendesk.domain.people import Token
from pendesk.store.json_text import to_json
from pendesk.store.tx import Tx, columns, insert

INSERT = insert("tokens", Token)

# Personal tokens only: what a grant gave is shown and revoked as the grant.
BY_ID = f"SELECT {columns(Token)} FROM tokens WHERE workspace_id = :workspace AND id = :id AND grant_id IS NULL"

ALL = f"""
SELECT {columns(Token, "t")}, u.name FROM tokens t JOIN users u ON u.id = t.user_id
WHERE t.workspace_id = :workspace AND t.grant_id IS NULL
  AND t.id > :after ORDER BY t.id LIMIT :limit
"""

OF_USER = ALL.replace("ORDER BY", "AND t.user_id = :user_id ORDER BY")

REVOKE = "UPDATE tokens SET revoked_at = :now WHERE workspace_id = :workspace AND id = :id AND revoked_at IS NULL"

REVOKE_OF_USER = """
UPDATE tokens SET revoked_at = :now
WHERE workspace_id = :workspace AND user_id = :user_id AND revoked_at IS NULL
"""

# By the hash alone: before this answer nobody knows whose workspace it is.
BEARER = """
SELECT t.workspace_id, t.id, t.grant_id, t.user_id, u.name, m.role, t.scopes, t.expires_at, t.last_used_at
FROM tokens t
JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id AND m.removed_at IS NULL
JOIN users u ON u.id = t.user_id
WHERE t.hash = :hash AND t.revoked_at IS NULL
"""

STANDING = """
SELECT t.hash, m.role FROM tokens t
JOIN members m ON m.workspace_id = t.workspace_id AND m.user_id = t.user_id AND m.removed_at IS NULL
WHERE t.hash IN (EACH :hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
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


def add(tx: Tx, token: Token) -> None:
    tx.run(INSERT, **token._asdict())


def by_id(tx: Tx, token_id: str) -> Token | None:
    row = tx.one(BY_ID, id=token_id)
    return Token(*row) if row else None


def page(tx: Tx, user_id: str | None, after: str, limit: int) -> list[tuple[Token, str]]:
    """Tokens with the name of the user each speaks for; of one user, or of everyone."""
    if user_id is None:
        rows = tx.all(ALL, after=after, limit=limit)
    else:
        rows = tx.all(OF_USER, user_id=user_id, after=after, limit=limit)
    return [(Token(*row[:-1]), row[-1]) for row in rows]


def revoke(tx: Tx, token_id: str) -> None:
    tx.run(REVOKE, id=token_id, now=tx.now)


def revoke_of_user(tx: Tx, user_id: str) -> None:
    tx.run(REVOKE_OF_USER, user_id=user_id, now=tx.now)


def bearer(tx: Tx, token_hash: str) -> Bearer | None:
    row = tx.one(BEARER, hash=token_hash)
    return Bearer(*row) if row else None


def standing(tx: Tx, hashes: list[str]) -> dict[str, str]:
    """The role behind each of these tokens that is still good."""
    return {row[0]: row[1] for row in tx.all(STANDING, hashes=to_json(hashes), now=tx.now)}


def save_used(tx: Tx, token_id: str) -> None:
    tx.run(USED, id=token_id, now=tx.now)
