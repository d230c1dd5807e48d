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

# A key that is older than its life may be used again.
REMEMBER = """
INSERT INTO idempotency_keys (workspace_id, user_id, key, operation, body_hash, answer, stored_at)
VALUES (:workspace, :user_id, :key, :operation, :body_hash, :answer, :now)
ON CONFLICT (workspace_id, user_id, key) DO UPDATE
SET operation = excluded.operation, body_hash = excluded.body_hash, answer = excluded.answer,
  stored_at = excluded.stored_at
WHERE idempotency_keys.stored_at <= :since
"""

FORGET = "DELETE FROM idempotency_keys WHERE stored_at <= :before"


def find_answer(tx: Tx, user_id: str, key: str, since: int) -> StoredAnswer | None:
    row = tx.one(FIND, user_id=user_id, key=key, since=since)
    return StoredAnswer(*row) if row else None


def save_answer(tx: Tx, user_id: str, key: str, operation: str, request_body_hash: str, answer: str) -> None:
    tx.run(
        REMEMBER,
        user_id=user_id,
        key=key,
        operation=operation,
        body_hash=request_body_hash,
        answer=answer,
        now=tx.now,
        since=tx.now - IDEMPOTENCY_US,
    )


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, before=tx.now - IDEMPOTENCY_US)
