"""Queries on the seals of the log."""

from pendesk.domain.seal import Seal
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("event_seals", Seal)

# One process at a time seals a workspace.
LOCK = "SELECT 1 FROM workspaces WHERE id = :workspace FOR NO KEY UPDATE"

ALL = f"SELECT {columns_sql(Seal)} FROM event_seals WHERE workspace_id = :workspace ORDER BY upto_seq"

AFTER = f"""
SELECT {columns_sql(Seal)} FROM event_seals
WHERE workspace_id = :workspace AND upto_seq > :after ORDER BY upto_seq LIMIT :limit
"""

SAVE_MAC = "UPDATE event_seals SET mac = :mac WHERE workspace_id = :workspace AND upto_seq = :upto_seq"

NEWEST = f"""
SELECT {columns_sql(Seal)} FROM event_seals WHERE workspace_id = :workspace ORDER BY upto_seq DESC LIMIT 1
"""

# Over all workspaces: this is the server's own housekeeping, not an answer to anyone.
UNSEALED = """
SELECT w.id FROM workspaces w
WHERE coalesce((SELECT max(e.seq) FROM events e WHERE e.workspace_id = w.id), 0)
  > coalesce((SELECT max(s.upto_seq) FROM event_seals s WHERE s.workspace_id = w.id), 0)
ORDER BY w.id
"""

WORKSPACES = "SELECT id, name FROM workspaces ORDER BY id"


def add(tx: Tx, seal: Seal) -> None:
    tx.run(INSERT, **seal._asdict())


def lock_workspace_for_sealing(tx: Tx) -> None:
    tx.lock(LOCK)


def newest(tx: Tx) -> Seal | None:
    row = tx.one(NEWEST)
    return Seal(*row) if row else None


def of_workspace(tx: Tx) -> list[Seal]:
    return [Seal(*row) for row in tx.all(ALL)]


def after(tx: Tx, after_seq: int, limit: int) -> list[Seal]:
    return [Seal(*row) for row in tx.all(AFTER, after=after_seq, limit=limit)]


def save_mac(tx: Tx, seal: Seal) -> None:
    tx.run(SAVE_MAC, mac=seal.mac, upto_seq=seal.upto_seq)


def workspace_ids_with_unsealed_events(tx: Tx) -> list[str]:
    return [row[0] for row in tx.all(UNSEALED)]


def all_workspace_ids_and_names(tx: Tx) -> list[tuple[str, str]]:
    """Id and name."""
    return [(row[0], row[1]) for row in tx.all(WORKSPACES)]
