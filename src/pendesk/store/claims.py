"""Queries on claims."""

from typing import NamedTuple

from pendesk.domain.action import ref_code
from pendesk.domain.agent_session import session_label
from pendesk.domain.claim import Claim, ClaimKind, SessionLease
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql


class KeptLease(NamedTuple):
    """A lease that steps keep until `expires_at`; `renewed_at` is what it was when that was decided."""

    id: str
    renewed_at: int
    expires_at: int


class ClaimWithHolder(NamedTuple):
    """With the name of its user, and of the agent where one took it."""

    claim: Claim
    user: str
    agent: str | None


class UnaskedClaim(NamedTuple):
    """A claim whose session was not asked yet, at the end of a turn, what becomes of it."""

    id: str
    kind: ClaimKind
    project_key: str
    ref_number: int
    label: str


class BriefOfSession(NamedTuple):
    """What a session that holds an action works from; None where it has no published text of it."""

    session_id: str
    action_id: str
    brief_rev: str | None


INSERT = insert_sql("claims", Claim)

BY_ID = f"SELECT {columns_sql(Claim)} FROM claims WHERE workspace_id = :workspace AND id = :id"

# Those that take a slot.
LIVE_LEASES_OF_USER = """
SELECT count(*) FROM claims
WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'active' AND expires_at > :now AND kind = 'lease'
"""

# Over all workspaces, for the server's own figures.
LIVE = "SELECT count(*) FROM claims WHERE state = 'active' AND expires_at > :now"

HELD_BY = """
SELECT action_id FROM claims WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'active'
"""

HELD_BEFORE = """
SELECT 1 FROM claims WHERE workspace_id = :workspace AND action_id = :action_id AND user_id = :user_id LIMIT 1
"""

HELD_BY_SESSION = """
SELECT 1 FROM claims
WHERE workspace_id = :workspace AND action_id = :action_id AND user_id = :user_id
  AND (session_id = :session_id OR (session_id IS NULL AND CAST(:session_id AS TEXT) IS NULL)) LIMIT 1
"""

IS_OF_USER = """
SELECT 1 FROM claims
WHERE workspace_id = :workspace AND id = :id AND action_id = :action_id AND user_id = :user_id
"""

LIVE_LEASES_WITH_HOLDER = """
SELECT p.key, a.ref_number, g.name, s.number, s.name, u.name, c.session_id FROM claims c
JOIN actions a ON a.workspace_id = c.workspace_id AND a.id = c.action_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
WHERE c.workspace_id = :workspace AND c.user_id = :user_id AND c.state = 'active' AND c.expires_at > :now
  AND c.kind = 'lease'
ORDER BY c.taken_at LIMIT :limit
"""

# What a session still holds at the end of its turn, and was not asked about yet. One with an open question waits.
UNASKED_OF_SESSION = """
SELECT c.id, c.kind, p.key, a.ref_number, a.label FROM claims c
JOIN actions a ON a.workspace_id = c.workspace_id AND a.id = c.action_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE c.workspace_id = :workspace AND c.session_id = :session_id AND c.state = 'active' AND c.expires_at > :now
  AND c.stop_asked_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM clarifications q
    WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id AND q.answered_at IS NULL)
ORDER BY c.taken_at, c.id
"""

SET_STOP_ASKED = """
UPDATE claims SET stop_asked_at = :now WHERE workspace_id = :workspace AND id IN (EACH :ids)
"""

ACTION_IDS_OF_SESSION = """
SELECT action_id FROM claims WHERE workspace_id = :workspace AND session_id = :session_id AND state = 'active'
"""

END = """
UPDATE claims SET state = :state, ended_at = :ended_at WHERE workspace_id = :workspace AND id = :id
"""

REOPEN = """
UPDATE claims SET state = :state, taken_at = :taken_at, renewed_at = :renewed_at, expires_at = :expires_at,
  ended_at = NULL, last_call_at = NULL
WHERE workspace_id = :workspace AND id = :id
"""

RENEW = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at, last_call_at = NULL
WHERE workspace_id = :workspace AND id = :id
"""

PROGRESS = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at, last_call_at = NULL, last_message = :message,
  last_message_at = :message_at
WHERE workspace_id = :workspace AND id = :id
"""

SEEN = """
UPDATE claims SET renewed_at = :renewed_at, expires_at = :expires_at, last_call_at = NULL,
  told_event_id = :told_event_id, seen_build_id = :seen_build_id, seen_revision = :seen_revision, seen_rev = :seen_rev
WHERE workspace_id = :workspace AND id = :id
"""

LIVE_LEASES_OF_SESSIONS = f"""
SELECT {columns_sql(SessionLease)} FROM claims
WHERE workspace_id = :workspace AND session_id IN (EACH :session_ids) AND state = 'active' AND kind = 'lease'
  AND expires_at > :now
"""

# Of a session that a person pauses; `renewed_at` stays, as the last sign of life.
SET_EXPIRY = """
WITH kept AS MATERIALIZED (
  SELECT CAST(:workspace AS TEXT) AS workspace_id, r.id, r.expires_at
  FROM (EACH ROW OF :rows (id TEXT, expires_at BIGINT)) AS r
)
UPDATE claims SET expires_at = kept.expires_at
FROM kept WHERE claims.workspace_id = kept.workspace_id AND claims.id = kept.id AND claims.state = 'active'
  AND claims.expires_at > :now
"""

# Unless it was ended, taken over or renewed by a call meanwhile, or has expired: then nothing is left to keep. With the
# workspace among the rows, SQLite looks each claim up by its id; else it would go through all of a workspace.
KEEP = """
WITH kept AS MATERIALIZED (
  SELECT CAST(:workspace AS TEXT) AS workspace_id, r.id, r.renewed_at, r.expires_at
  FROM (EACH ROW OF :rows (id TEXT, renewed_at BIGINT, expires_at BIGINT)) AS r
)
UPDATE claims SET last_call_at = coalesce(claims.last_call_at, claims.renewed_at), renewed_at = :now,
  expires_at = kept.expires_at
FROM kept WHERE claims.workspace_id = kept.workspace_id AND claims.id = kept.id AND claims.state = 'active'
  AND claims.expires_at > :now AND claims.renewed_at = kept.renewed_at
"""

HOLD_IN_PROJECTS = """
SELECT DISTINCT c.session_id FROM claims c CROSS JOIN actions a
WHERE c.workspace_id = :workspace AND c.session_id IN (EACH :session_ids) AND c.state = 'active'
  AND a.workspace_id = c.workspace_id AND a.id = c.action_id AND a.project_id IN (EACH :project_ids)
"""

SET_TOLD = "UPDATE claims SET told_event_id = :event_id WHERE workspace_id = :workspace AND id = :id"

BRIEFS_AT_WORK = """
SELECT c.session_id, a.id, b.brief_rev FROM actions a CROSS JOIN claims c
LEFT JOIN build_actions b ON b.workspace_id = c.workspace_id
  AND b.build_id = coalesce(c.seen_build_id, c.build_id) AND b.action_id = c.action_id
WHERE a.workspace_id = :workspace AND a.spec_id = :spec_id
  AND c.workspace_id = a.workspace_id AND c.action_id = a.id AND c.state = 'active' AND c.session_id IS NOT NULL
"""

NEWEST_OF_ACTION = f"""
SELECT {columns_sql(Claim, "c")}, u.name, g.name, s.number, s.name FROM claims c JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
WHERE c.workspace_id = :workspace AND c.action_id = :action_id
ORDER BY c.fence DESC LIMIT :limit
"""


def unasked_of_session(tx: Tx, session_id: str) -> list[UnaskedClaim]:
    return [UnaskedClaim(*row) for row in tx.all(UNASKED_OF_SESSION, session_id=session_id, now=tx.now)]


def record_stop_question(tx: Tx, claim_ids: list[str]) -> None:
    tx.run(SET_STOP_ASKED, ids=to_json(claim_ids), now=tx.now)


def action_ids_held_by_session(tx: Tx, session_id: str) -> list[str]:
    """Sorted as those of a user are."""
    return sorted(row[0] for row in tx.all(ACTION_IDS_OF_SESSION, session_id=session_id))


def add(tx: Tx, claim: Claim) -> None:
    tx.run(INSERT, **claim._asdict())


def by_id(tx: Tx, claim_id: str) -> Claim | None:
    row = tx.one(BY_ID, id=claim_id)
    return Claim(*row) if row else None


def count_live_leases_of_user(tx: Tx, user_id: str) -> int:
    row = tx.one(LIVE_LEASES_OF_USER, user_id=user_id, now=tx.now)
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


def read_ahead_held_by(tx: Tx, user_id: str) -> None:
    tx.read_ahead(HELD_BY, user_id=user_id)


def has_ever_held(tx: Tx, action_id: str, user_id: str) -> bool:
    return tx.one(HELD_BEFORE, action_id=action_id, user_id=user_id) is not None


def has_session_held(tx: Tx, action_id: str, user_id: str, session_id: str | None) -> bool:
    """`session_id` None: the person did, in person."""
    return tx.one(HELD_BY_SESSION, action_id=action_id, user_id=user_id, session_id=session_id) is not None


def is_of_user(tx: Tx, claim_id: str, action_id: str, user_id: str) -> bool:
    return tx.one(IS_OF_USER, id=claim_id, action_id=action_id, user_id=user_id) is not None


def live_leases_of_user_with_holder(tx: Tx, user_id: str, limit: int) -> list[tuple[str, str, str | None]]:
    """The ref code of each action that the user has a lease on, the agent that does, and its session."""
    rows = tx.all(LIVE_LEASES_WITH_HOLDER, user_id=user_id, now=tx.now, limit=limit)
    return [
        (ref_code(key, ref_number), session_label(agent, number, session) if agent is not None else user, session_id)
        for key, ref_number, agent, number, session, user, session_id in rows
    ]


def save_end(tx: Tx, claim: Claim) -> None:
    tx.run(END, id=claim.id, state=claim.state, ended_at=claim.ended_at)


def save_reopened(tx: Tx, claim: Claim) -> None:
    tx.run(
        REOPEN,
        id=claim.id,
        state=claim.state,
        taken_at=claim.taken_at,
        renewed_at=claim.renewed_at,
        expires_at=claim.expires_at,
    )


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
        told_event_id=claim.told_event_id,
        seen_build_id=claim.seen_build_id,
        seen_revision=claim.seen_revision,
        seen_rev=claim.seen_rev,
    )


def live_leases_of_sessions(tx: Tx, session_ids: list[str]) -> list[SessionLease]:
    rows = tx.all(LIVE_LEASES_OF_SESSIONS, session_ids=to_json(session_ids), now=tx.now)
    return [SessionLease(*row) for row in rows]


def save_leases_kept_by_steps(tx: Tx, leases: list[KeptLease]) -> None:
    tx.run(KEEP, rows=to_json(leases), now=tx.now)


def save_lease_expiry(tx: Tx, expiries: list[tuple[str, int]]) -> None:
    """Of live leases, by the id of each."""
    tx.run(SET_EXPIRY, rows=to_json(expiries), now=tx.now)


def sessions_that_hold_in_projects(tx: Tx, session_ids: list[str], project_ids: list[str]) -> set[str]:
    rows = tx.all(HOLD_IN_PROJECTS, session_ids=to_json(session_ids), project_ids=to_json(project_ids))
    return {row[0] for row in rows}


def save_last_delivered_event(tx: Tx, claim_id: str, event_id: int) -> None:
    tx.run(SET_TOLD, id=claim_id, event_id=event_id)


def briefs_of_sessions_at_work(tx: Tx, spec_id: str) -> list[BriefOfSession]:
    return [BriefOfSession(*row) for row in tx.all(BRIEFS_AT_WORK, spec_id=spec_id)]


def newest_of_action_with_holder(tx: Tx, action_id: str, limit: int) -> list[ClaimWithHolder]:
    """The newest first."""
    rows = tx.all(NEWEST_OF_ACTION, action_id=action_id, limit=limit)
    return [
        ClaimWithHolder(Claim(*columns), user, session_label(agent, number, session) if agent is not None else None)
        for *columns, user, agent, number, session in rows
    ]
