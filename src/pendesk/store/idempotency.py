"""Answers that were given under an idempotency key."""

from typing import NamedTuple

from pendesk.domain.limits import IDEMPOTENCY_US
from pendesk.store.engine.tx import Tx


class StoredAnswer(NamedTuple):
    """`session_id` is empty where no agent session called."""

    session_id: str
    body_hash: str
    answer: str


FIND = """
SELECT stored_at, session_id, body_hash, answer FROM idempotency_keys
WHERE workspace_id = :workspace AND user_id = :user_id AND key = :key
ORDER BY stored_at, session_id
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
INSERT INTO idempotency_keys (workspace_id, user_id, key, session_id, operation, body_hash, answer, stored_at)
VALUES (:workspace, :user_id, :key, :session_id, :operation, :body_hash, :answer, :now)
"""

FORGET = "DELETE FROM idempotency_keys WHERE stored_at <= :before"


def answers_of_key(tx: Tx, user_id: str, key: str) -> list[StoredAnswer]:
    """One for each session that used the key of late, the oldest first."""
    rows = tx.all(FIND, user_id=user_id, key=key)  # asked without the time, which need not be known for it
    return [StoredAnswer(*answer) for stored_at, *answer in rows if stored_at > tx.now - IDEMPOTENCY_US]


def lock_key(tx: Tx, user_id: str, key: str) -> None:
    tx.lock(POSTGRES_LOCK, user_id=user_id, key=key)


def save_answer(tx: Tx, user_id: str, key: str, operation: str, answer: StoredAnswer) -> None:
    tx.run(FORGET_KEY, user_id=user_id, key=key, since=tx.now - IDEMPOTENCY_US)
    tx.run(
        REMEMBER,
        user_id=user_id,
        key=key,
        session_id=answer.session_id,
        operation=operation,
        body_hash=answer.body_hash,
        answer=answer.answer,
        now=tx.now,
    )


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, before=tx.now - IDEMPOTENCY_US)
