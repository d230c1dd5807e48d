"""Queries on claims."""

from pendesk.domain.claim import Claim
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT = insert_sql("claims", Claim)

BY_ID = f"SELECT {columns_sql(Claim)} FROM claims WHERE workspace_id = :workspace AND id = :id"

LIVE_OF_USER = """
SELECT count(*) FROM claims
WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'active' AND expires_at > :now
"""

# Over all workspaces, for the server's own figures.
LIVE = "SELECT count(*) FROM claims WHERE state = 'active' AND expires_at > :now"

HELD_BY = """
SELECT action_id FROM claims WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'active'
"""

HELD_BEFORE = """
SELECT 1 FROM claims WHERE workspace_id = :workspace AND action_id = :action_id AND user_id = :user_id LIMIT 1
"""

END = """
UPDATE claims SET state = :state, ended_at = :ended_at WHERE workspace_id = :workspace AND id = :id
"""

RENEW = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at WHERE workspace_id = :workspace AND id = :id
"""

PROGRESS = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at, last_message = :message,
  last_message_at = :message_at
WHERE workspace_id = :workspace AND id = :id
"""

SEEN = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at, told_seq = :told_seq,
  seen_build_id = :seen_build_id, seen_revision = :seen_revision, seen_rev = :seen_rev
WHERE workspace_id = :workspace AND id = :id
"""

SET_TOLD = "UPDATE claims SET told_seq = :seq WHERE workspace_id = :workspace AND id = :id"

BEFORE_FENCE = f"""
SELECT {columns_sql(Claim, "c")}, u.name FROM claims c JOIN users u ON u.id = c.user_id
WHERE c.workspace_id = :workspace AND c.action_id = :action_id AND c.fence < :fence
ORDER BY c.fence DESC LIMIT 1
"""


def add(tx: Tx, claim: Claim) -> None:
    tx.run(INSERT, **claim._asdict())


def by_id(tx: Tx, claim_id: str) -> Claim | None:
    row = tx.one(BY_ID, id=claim_id)
    return Claim(*row) if row else None


def count_live_of_user(tx: Tx, user_id: str) -> int:
    row = tx.one(LIVE_OF_USER, user_id=user_id, now=tx.now)
    assert row is not None
    count: int = row[0]
    return count


def count_live_in_all_workspaces(tx: Tx) -> int:
    row = tx.one(LIVE, now=tx.now)
    assert row is not None
    count: int = row[0]
    return count


def action_ids_held_by(tx: Tx, user_id: str) -> list[str]:
    """Actions whose lease the user has, live or expired; in one order, so that whoever locks several never waits in
    a circle. Sorted here: by an ORDER BY, SQLite would rather go through everybody's claims, which are in order."""
    return sorted(row[0] for row in tx.all(HELD_BY, user_id=user_id))


def has_ever_held(tx: Tx, action_id: str, user_id: str) -> bool:
    return tx.one(HELD_BEFORE, action_id=action_id, user_id=user_id) is not None


def save_end(tx: Tx, claim: Claim) -> None:
    tx.run(END, id=claim.id, state=claim.state, ended_at=claim.ended_at)


def save_renewal(tx: Tx, claim: Claim) -> None:
    tx.run(RENEW, id=claim.id, renewed_at=claim.renewed_at, expires_at=claim.expires_at)


def save_renewal_and_progress_message(tx: Tx, claim: Claim) -> None:
    tx.run(
        PROGRESS,
        id=claim.id,
        renewed_at=claim.renewed_at,
        expires_at=claim.expires_at,
        message=claim.last_message,
        message_at=claim.last_message_at,
    )


def save_seen_brief_version_and_renewal(tx: Tx, claim: Claim) -> None:
    tx.run(
        SEEN,
        id=claim.id,
        renewed_at=claim.renewed_at,
        expires_at=claim.expires_at,
        told_seq=claim.told_seq,
        seen_build_id=claim.seen_build_id,
        seen_revision=claim.seen_revision,
        seen_rev=claim.seen_rev,
    )


def save_last_delivered_event_seq(tx: Tx, claim_id: str, seq: int) -> None:
    tx.run(SET_TOLD, id=claim_id, seq=seq)


def previous_claim_and_holder_name(tx: Tx, action_id: str, before_fence: int) -> tuple[Claim, str] | None:
    """The claim before this fence, with its holder's name."""
    row = tx.one(BEFORE_FENCE, action_id=action_id, fence=before_fence)
    return (Claim(*row[:-1]), row[-1]) if row else None
