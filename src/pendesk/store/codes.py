"""Queries on authorization codes."""

from pendesk.domain import limits
from pendesk.domain.oauth import AuthorizationCode
from pendesk.store.engine.tx import Tx, columns_sql

_FIELDS = columns_sql(AuthorizationCode)
ADD = f"INSERT INTO oauth_codes ({_FIELDS}) VALUES ({', '.join(f':{name}' for name in AuthorizationCode._fields)})"

# By the hash alone: the workspace is not known before.
BY_HASH = f"SELECT {_FIELDS} FROM oauth_codes WHERE hash = :hash"

LOCK = "SELECT 1 FROM oauth_codes WHERE hash = :hash FOR NO KEY UPDATE"

USE = "UPDATE oauth_codes SET used_at = :now WHERE hash = :hash"

SET_GRANT = "UPDATE oauth_codes SET grant_id = :grant_id WHERE hash = :hash"

USE_OF_USER = """
UPDATE oauth_codes SET used_at = :now WHERE workspace_id = :workspace AND user_id = :user_id AND used_at IS NULL
"""

FORGET = "DELETE FROM oauth_codes WHERE expires_at <= :before"


def add(tx: Tx, code: AuthorizationCode) -> None:
    tx.run(ADD, **code._asdict())


def by_hash(tx: Tx, code_hash: str) -> AuthorizationCode | None:
    row = tx.one(BY_HASH, hash=code_hash)
    return AuthorizationCode(*row) if row else None


def lock(tx: Tx, code_hash: str) -> None:
    tx.lock(LOCK, hash=code_hash)


def mark_used(tx: Tx, code_hash: str) -> None:
    tx.run(USE, hash=code_hash, now=tx.now)


def set_grant_id(tx: Tx, code_hash: str, grant_id: str) -> None:
    tx.run(SET_GRANT, hash=code_hash, grant_id=grant_id)


def invalidate_codes_of_user(tx: Tx, user_id: str) -> None:
    tx.run(USE_OF_USER, user_id=user_id, now=tx.now)


def delete_expired(tx: Tx) -> None:
    """Used ones stay for a while, so that a second use is recognized."""
    tx.run(FORGET, before=tx.now - limits.SPENT_CODE_US)
