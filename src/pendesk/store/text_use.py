"""How much text was written, in rows that processes add blocks to."""

from pendesk.domain.text_quota import TextUse
from pendesk.store.engine.tx import Tx

# The account's row first, then the workspace's: always in one order, so that two processes do not wait crosswise.
ADD = """
INSERT INTO text_use (workspace_id, user_id, day, bytes) VALUES (:workspace, :user_id, :day, :bytes)
ON CONFLICT (workspace_id, user_id, day) DO UPDATE SET bytes = text_use.bytes + excluded.bytes
RETURNING bytes
"""

USED = """
SELECT coalesce(sum(CASE WHEN user_id = '' THEN bytes END), 0), coalesce(sum(CASE WHEN user_id <> '' THEN bytes END), 0)
FROM text_use WHERE workspace_id = :workspace AND ((user_id = '' AND day = 0) OR (user_id = :user_id AND day = :day))
"""

DELETE_BEFORE = "DELETE FROM text_use WHERE day > 0 AND day < :day"

OF_WORKSPACE = {"user_id": "", "day": 0}


def add(tx: Tx, user_id: str, day: int, size_bytes: int) -> TextUse:
    """What it comes to then. An empty `user_id`: by people, who have no row of their own."""
    account_bytes = tx.run_returning(ADD, user_id=user_id, day=day, bytes=size_bytes)[0][0] if user_id else 0
    workspace_bytes = tx.run_returning(ADD, **OF_WORKSPACE, bytes=size_bytes)[0][0]
    return TextUse(workspace_bytes, account_bytes)


def used(tx: Tx, user_id: str, day: int) -> TextUse:
    row = tx.one(USED, user_id=user_id, day=day)
    assert row is not None
    return TextUse(int(row[0]), int(row[1]))


def delete_before(tx: Tx, day: int) -> None:
    tx.run(DELETE_BEFORE, day=day)
