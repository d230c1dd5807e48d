"""The last requests of each token, for the rate limit that several processes share. PostgreSQL only."""

from pendesk.store.engine.tx import Tx

# One statement, so that the row's lock makes it exact: the list holds the last requests let through, oldest first.
HIT = """
INSERT INTO rate_windows AS w (token_id, hits, admitted) VALUES (:token_id, ARRAY[:now]::bigint[], 1)
ON CONFLICT (token_id) DO UPDATE SET
  admitted = CASE WHEN cardinality(w.hits) < :limit OR w.hits[1] <= :now - :window THEN 1 ELSE 0 END,
  hits = CASE
    WHEN cardinality(w.hits) < :limit THEN w.hits || :now
    WHEN w.hits[1] <= :now - :window THEN w.hits[2:] || :now
    ELSE w.hits END
RETURNING w.admitted, w.hits[1]
"""

# A window is worth nothing after a crash, so nobody waits for it to reach the disk.
NO_WAIT = "SET LOCAL synchronous_commit = off"

FORGET = "DELETE FROM rate_windows WHERE hits[cardinality(hits)] <= :before"


def admit_request_or_get_wait_us(tx: Tx, key: str, limit: int, window_us: int) -> int:
    """0 where the request is let through, else how many microseconds until the next one is."""
    tx.run(NO_WAIT)
    row = tx.one(HIT, token_id=key, now=tx.now, limit=limit, window=window_us)
    assert row is not None
    admitted, oldest = row
    return 0 if admitted else max(1, oldest + window_us - tx.now)


def delete_expired(tx: Tx, window_us: int) -> None:
    """Windows that nothing was let through in: what counts by address would grow for ever."""
    tx.run(FORGET, before=tx.now - window_us)
