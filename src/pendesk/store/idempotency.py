"""Answers that were given under an idempotency key."""

from typing import NamedTuple

from pendesk.domain.limits import IDEMPOTENCY_US
from pendesk.store.engine.tx import Tx


class StoredAnswer(NamedTuple):
    body_hash: str
    answer: str


FIND = """
SELECT body_hash, answer FROM idempotency_keys
WHERE workspace_id = :workspace AND user_id = :user_id AND key = :key AND stored_at > :since
"""

# Of the key alone: a user's agents do not wait for each other. Should two hashes be equal, they would, and no more.
POSTGRES_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(:workspace || ' ' || :user_id || ' ' || :key, 0))"

# A key that is older than its life may be used again. Whoever lost the lock meanwhile (Tx.rollback) and comes second
# is refused here by the database, and runs again.
FORGET_KEY = """
DELETE FROM idempotency_keys
WHERE workspace_id = :workspace AND user_id = :user_id AND key = :key AND stored_at <= :since
"""

REMEMBER = """
INSERT INTO idempotency_keys (workspace_id, user_id, key, operation, body_hash, answer, stored_at)
VALUES (:workspace, :user_id, :key, :operation, :body_hash, :answer, :now)
"""

FORGET = "DELETE FROM idempotency_keys WHERE stored_at <= :before"


def find_answer(tx: Tx, user_id: str, key: str, since: int) -> StoredAnswer | None:
    row = tx.one(FIND, user_id=user_id, key=key, since=since)
    return StoredAnswer(*row) if row else None


def lock_key(tx: Tx, user_id: str, key: str) -> None:
    tx.lock(POSTGRES_LOCK, user_id=user_id, key=key)


def save_answer(tx: Tx, user_id: str, key: str, operation: str, request_body_hash: str, answer: str) -> None:
    tx.run(FORGET_KEY, user_id=user_id, key=key, since=tx.now - IDEMPOTENCY_US)
    tx.run(
        REMEMBER,
        user_id=user_id,
        key=key,
        operation=operation,
        body_hash=request_body_hash,
        answer=answer,
        now=tx.now,
    )


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, before=tx.now - IDEMPOTENCY_US)
