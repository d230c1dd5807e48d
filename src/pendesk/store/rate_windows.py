"""The last requests of each token, for the rate limit that several servers share. PostgreSQL only."""

from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx

# One function, so that a key's row is locked for no longer than it runs.
TAKE = """
SELECT granted, wait_us FROM take_request_block(
  :key, :server, ARRAY(SELECT jsonb_array_elements_text(CAST(:used AS jsonb))::bigint), :wanted, :limit, :now, :window,
  :valid)
"""

# A window is worth nothing after a crash, so nobody waits for it to reach the disk.
NO_WAIT = "SET LOCAL synchronous_commit = off"

FORGET_WINDOWS = """
DELETE FROM rate_windows w WHERE coalesce(w.hits[cardinality(w.hits)], 0) <= :before AND NOT EXISTS (
  SELECT 1 FROM rate_blocks b WHERE b.key = w.key AND b.expires_at > :before)
"""
FORGET_BLOCKS = "DELETE FROM rate_blocks WHERE expires_at <= :before"


def take_block_or_get_wait_us(
    tx: Tx, key: str, server: str, used: list[int], wanted: int, limit: int, window_us: int, valid_us: int
) -> tuple[int, int]:
    """How many requests it may let through, and how long until there may be one, where that is none.

    `used`: when those of its last block were let through. With `wanted` 0 it only gives back the rest.
    """
    tx.run(NO_WAIT)
    rows = tx.run_returning(
        TAKE,
        key=key,
        server=server,
        used=to_json(used),
        wanted=wanted,
        limit=limit,
        now=tx.now,
        window=window_us,
        valid=valid_us,
    )
    size, wait_us = rows[0]
    return size, wait_us


def delete_expired(tx: Tx, window_us: int) -> None:
    """Windows that nothing was let through in: what counts by address would grow for ever."""
    tx.run(FORGET_WINDOWS, before=tx.now - window_us)
    tx.run(FORGET_BLOCKS, before=tx.now - window_us)
