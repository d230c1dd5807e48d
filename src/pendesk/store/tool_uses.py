"""Which session a call of a tool comes from, as its hook said, for several processes. PostgreSQL only."""

from typing import NamedTuple

from pendesk.store.engine.tx import Tx


class ToolUse(NamedTuple):
    user_id: str
    tool_use_id: str
    client_session: str
    thread: str


RECORD = """
INSERT INTO tool_uses (user_id, tool_use_id, client_session, thread, at)
VALUES (:user_id, :tool_use_id, :client_session, :thread, :now)
ON CONFLICT (user_id, tool_use_id) DO NOTHING
"""

# It is worth nothing after a crash, so nobody waits for it to reach the disk.
NO_WAIT = "SET LOCAL synchronous_commit = off"

FIND = """
SELECT user_id, tool_use_id, client_session, thread FROM tool_uses
WHERE user_id = :user_id AND tool_use_id = :tool_use_id
"""

DELETE_OLD = "DELETE FROM tool_uses WHERE at <= :before"


def record(tx: Tx, tool_use: ToolUse) -> None:
    tx.run(NO_WAIT)
    tx.run(RECORD, **tool_use._asdict(), now=tx.now)


def find(tx: Tx, user_id: str, tool_use_id: str) -> ToolUse | None:
    row = tx.one(FIND, user_id=user_id, tool_use_id=tool_use_id)
    return ToolUse(*row) if row else None


def delete_old(tx: Tx, before: int) -> None:
    tx.run(DELETE_OLD, before=before)
