"""Queries on agent sessions and their marks."""

from collections.abc import Iterable

from pendesk.domain.agent_session import AgentSession, session_label
from pendesk.domain.limits import SESSION_MARKS_KEPT_US
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx

COLUMNS = """
s.id, s.agent_id, s.token_id, s.number, s.model, s.started_at, s.last_seen_at, s.ended_at, g.name, g.client,
  s.name
"""
_JOIN_AGENT = "JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id"

WITH_MARKS = f"""
SELECT m.mark, {COLUMNS},
  EXISTS (SELECT 1 FROM agent_session_news n WHERE n.workspace_id = s.workspace_id AND n.session_id = s.id),
  EXISTS (SELECT 1 FROM message_deliveries d WHERE d.workspace_id = s.workspace_id AND d.session_id = s.id
    AND d.acknowledged_at IS NULL AND d.delivered_at IS NOT NULL)
FROM agent_session_marks m
JOIN agent_sessions s ON s.workspace_id = m.workspace_id AND s.id = m.session_id {_JOIN_AGENT}
WHERE m.workspace_id = :workspace AND m.user_id = :user_id AND m.mark IN (EACH :marks)
ORDER BY s.started_at, s.id
"""

BY_ID = f"SELECT {COLUMNS} FROM agent_sessions s {_JOIN_AGENT} WHERE s.workspace_id = :workspace AND s.id = :id"

LOCK = "SELECT 1 FROM agent_sessions WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

# Those that were heard of lately, or that hold something.
# Each part by an index of few: of all sessions there would be no end.
OF_AGENTS = f"""
WITH holding AS MATERIALIZED (SELECT session_id FROM claims WHERE workspace_id = :workspace AND state = 'active')
SELECT {COLUMNS} FROM agent_sessions s {_JOIN_AGENT}
WHERE s.workspace_id = :workspace AND s.agent_id IN (EACH :agent_ids) AND s.last_seen_at > :since AND s.ended_at IS NULL
UNION ALL
SELECT {COLUMNS} FROM holding h CROSS JOIN agent_sessions s {_JOIN_AGENT}
WHERE s.workspace_id = :workspace AND s.id = h.session_id AND s.agent_id IN (EACH :agent_ids)
"""

# That hold an action of the project by a live lease.
AT_WORK_IN_PROJECT = f"""
SELECT {COLUMNS} FROM agent_sessions s {_JOIN_AGENT}
WHERE s.workspace_id = :workspace AND s.ended_at IS NULL AND s.id IN (
  SELECT c.session_id FROM claims c CROSS JOIN actions a
  WHERE c.workspace_id = :workspace AND c.state = 'active' AND c.expires_at > :now
    AND a.workspace_id = :workspace AND a.id = c.action_id AND a.project_id = :project_id)
ORDER BY s.id
"""

LABELS = f"""
SELECT s.id, g.name, s.number, s.name FROM agent_sessions s {_JOIN_AGENT}
WHERE s.workspace_id = :workspace AND s.id IN (EACH :ids)
"""

INSERT = """
INSERT INTO agent_sessions (workspace_id, id, agent_id, token_id, number, model, started_at, last_seen_at, name)
VALUES (:workspace, :id, :agent_id, :token_id, :number, :model, :now, :now, :name)
"""

NUMBERS = """
SELECT number FROM agent_sessions
WHERE workspace_id = :workspace AND agent_id = :agent_id AND ended_at IS NULL AND last_seen_at > :since
"""

SEEN = """
UPDATE agent_sessions SET last_seen_at = :now, ended_at = NULL, model = coalesce(:model, model)
WHERE workspace_id = :workspace AND id = :id
"""

SEEN_BY_HOOKS = """
UPDATE agent_sessions SET last_seen_at = :now, hooks_at = :now, ended_at = NULL
WHERE workspace_id = :workspace AND id IN (EACH :session_ids)
"""

ENDED_BY_HOOKS = """
UPDATE agent_sessions SET last_seen_at = :now, hooks_at = :now, ended_at = :now
WHERE workspace_id = :workspace AND id IN (EACH :session_ids)
"""

SET_NAME = "UPDATE agent_sessions SET name = :name WHERE workspace_id = :workspace AND id = :id"

ADD_MARK = """
INSERT INTO agent_session_marks (workspace_id, user_id, mark, session_id)
VALUES (:workspace, :user_id, :mark, :session_id) ON CONFLICT (workspace_id, user_id, mark) DO NOTHING
"""

# Waits for who has just added something to it, such as news, and not yet committed.
LOCK_WITH_REFERENCES = "SELECT 1 FROM agent_sessions WHERE workspace_id = :workspace AND id = :id FOR UPDATE"

MARKS = "SELECT mark FROM agent_session_marks WHERE workspace_id = :workspace AND session_id = :session_id"

MARKS_OF_SESSIONS = """
SELECT session_id, mark FROM agent_session_marks WHERE workspace_id = :workspace AND session_id IN (EACH :session_ids)
"""

MOVE_MARKS = """
UPDATE agent_session_marks SET session_id = :into_id WHERE workspace_id = :workspace AND session_id = :session_id
"""

MOVE_CLAIMS = "UPDATE claims SET session_id = :into_id WHERE workspace_id = :workspace AND session_id = :session_id"

MOVE_PROPOSALS = """
UPDATE proposals SET session_id = :into_id WHERE workspace_id = :workspace AND session_id = :session_id
"""

# What both were to read, they read once.
DROP_DOUBLE_NEWS = """
DELETE FROM agent_session_news WHERE workspace_id = :workspace AND session_id = :session_id AND event_id IN (
  SELECT event_id FROM agent_session_news WHERE workspace_id = :workspace AND session_id = :into_id)
"""

DROP_DOUBLE_DELIVERIES = """
DELETE FROM message_deliveries WHERE workspace_id = :workspace AND session_id = :session_id AND message_id IN (
  SELECT message_id FROM message_deliveries WHERE workspace_id = :workspace AND session_id = :into_id)
"""

MOVE_DELIVERIES = """
UPDATE message_deliveries SET session_id = :into_id WHERE workspace_id = :workspace AND session_id = :session_id
"""

MOVE_NEWS = """
UPDATE agent_session_news SET session_id = :into_id WHERE workspace_id = :workspace AND session_id = :session_id
"""

# A control that the other has already is kept.
MOVE_CONTROL = """
UPDATE session_controls SET session_id = :into_id
WHERE workspace_id = :workspace AND session_id = :session_id AND NOT EXISTS (
  SELECT 1 FROM session_controls o WHERE o.workspace_id = :workspace AND o.session_id = :into_id)
"""

MOVE_STEPS = """
UPDATE session_steps SET session_id = :into_id
WHERE workspace_id = :workspace AND session_id = :session_id AND NOT EXISTS (
  SELECT 1 FROM session_steps known
  WHERE known.workspace_id = session_steps.workspace_id AND known.session_id = :into_id
    AND known.id = session_steps.id)
"""

# The next step of the other says what it does.
DELETE_ACTIVITY = "DELETE FROM session_activity WHERE workspace_id = :workspace AND session_id = :session_id"

# Over all workspaces: this is the server's own housekeeping.
FORGET_MARKS = """
DELETE FROM agent_session_marks WHERE EXISTS (
  SELECT 1 FROM agent_sessions s
  WHERE s.workspace_id = agent_session_marks.workspace_id AND s.id = agent_session_marks.session_id
    AND s.last_seen_at <= :before AND NOT EXISTS (
      SELECT 1 FROM claims c WHERE c.workspace_id = s.workspace_id AND c.session_id = s.id AND c.state = 'active'))
"""

# Of those that cannot be recognised any more.
FORGET_NEWS = """
DELETE FROM agent_session_news WHERE NOT EXISTS (
  SELECT 1 FROM agent_session_marks m
  WHERE m.workspace_id = agent_session_news.workspace_id AND m.session_id = agent_session_news.session_id)
"""

END_BY_BEARER = """
UPDATE agent_sessions SET ended_at = :now
WHERE workspace_id = :workspace AND token_id = :token_id AND ended_at IS NULL
"""

END = "UPDATE agent_sessions SET ended_at = :now WHERE workspace_id = :workspace AND id = :id AND ended_at IS NULL"


def with_marks(tx: Tx, user_id: str, marks: frozenset[str]) -> list[tuple[str, AgentSession]]:
    """Each of these marks that is known, with its session; the oldest session first."""
    rows = tx.all(WITH_MARKS, user_id=user_id, marks=to_json(sorted(marks)))
    return [(row[0], AgentSession(*row[1:])) for row in rows]


def read_ahead_with_marks(tx: Tx, user_id: str, marks: frozenset[str]) -> None:
    tx.read_ahead(WITH_MARKS, user_id=user_id, marks=to_json(sorted(marks)))


def by_id(tx: Tx, session_id: str) -> AgentSession | None:
    row = tx.one(BY_ID, id=session_id)
    return AgentSession(*row) if row else None


def lock(tx: Tx, session_id: str) -> None:
    tx.lock(LOCK, id=session_id)


def live_or_holding_of(tx: Tx, agent_ids: list[str], since: int) -> list[AgentSession]:
    rows = (AgentSession(*row) for row in tx.all(OF_AGENTS, agent_ids=to_json(agent_ids), since=since))
    by_id = {session.id: session for session in rows}
    return sorted(by_id.values(), key=lambda session: (session.agent_id, session.number, session.id))


def at_work_in_project(tx: Tx, project_id: str) -> list[AgentSession]:
    return [AgentSession(*row) for row in tx.all(AT_WORK_IN_PROJECT, project_id=project_id, now=tx.now)]


def labels_by_id(tx: Tx, session_ids: Iterable[str | None]) -> dict[str, str]:
    """What to call the agent of each session."""
    ids = sorted({session_id for session_id in session_ids if session_id is not None})
    rows = tx.all(LABELS, ids=to_json(ids)) if ids else []
    return {ident: session_label(agent, number, name) for ident, agent, number, name in rows}


def add(tx: Tx, session: AgentSession) -> None:
    tx.run(
        INSERT,
        id=session.id,
        agent_id=session.agent_id,
        token_id=session.token_id,
        number=session.number,
        model=session.model,
        now=tx.now,
        name=session.name,
    )


def numbers_in_use(tx: Tx, agent_id: str, since: int) -> set[int]:
    return {row[0] for row in tx.all(NUMBERS, agent_id=agent_id, since=since)}


def record_sign_of_life(tx: Tx, session_id: str, model: str | None) -> None:
    tx.run(SEEN, id=session_id, model=model, now=tx.now)


def record_signs_of_life_by_hooks(tx: Tx, session_ids: list[str]) -> None:
    tx.run(SEEN_BY_HOOKS, session_ids=to_json(session_ids), now=tx.now)


def end_reported_by_hooks(tx: Tx, session_ids: list[str]) -> None:
    tx.run(ENDED_BY_HOOKS, session_ids=to_json(session_ids), now=tx.now)


def set_name(tx: Tx, session_id: str, name: str) -> None:
    tx.run(SET_NAME, id=session_id, name=name)


def add_mark(tx: Tx, user_id: str, mark: str, session_id: str) -> None:
    tx.run(ADD_MARK, user_id=user_id, mark=mark, session_id=session_id)


def marks_of(tx: Tx, session_id: str) -> frozenset[str]:
    return frozenset(row[0] for row in tx.all(MARKS, session_id=session_id))


def marks_by_session_id(tx: Tx, session_ids: Iterable[str]) -> dict[str, frozenset[str]]:
    marks: dict[str, frozenset[str]] = {session_id: frozenset() for session_id in session_ids}
    for session_id, mark in tx.all(MARKS_OF_SESSIONS, session_ids=to_json(sorted(marks))) if marks else ():
        marks[session_id] |= {mark}
    return marks


def merge(tx: Tx, session_id: str, into_id: str) -> None:
    """They turned out to be one: its marks, what it holds or has held, its news and its steps belong to the other."""
    tx.lock(LOCK_WITH_REFERENCES, id=session_id)
    tx.run(MOVE_MARKS, session_id=session_id, into_id=into_id)
    tx.run(MOVE_CLAIMS, session_id=session_id, into_id=into_id)
    tx.run(MOVE_PROPOSALS, session_id=session_id, into_id=into_id)
    for statement in (DROP_DOUBLE_NEWS, MOVE_NEWS, DROP_DOUBLE_DELIVERIES, MOVE_DELIVERIES):
        tx.run(statement, session_id=session_id, into_id=into_id)
    tx.run(MOVE_STEPS, session_id=session_id, into_id=into_id)
    tx.run(DELETE_ACTIVITY, session_id=session_id)
    tx.run(MOVE_CONTROL, session_id=session_id, into_id=into_id)
    tx.run(END, id=session_id, now=tx.now)


def end_of_token(tx: Tx, token_id: str) -> None:
    """`token_id` is that of a personal token or of a grant, which was revoked."""
    tx.run(END_BY_BEARER, token_id=token_id, now=tx.now)


def delete_old_marks(tx: Tx) -> None:
    tx.run(FORGET_MARKS, before=tx.now - SESSION_MARKS_KEPT_US)
    tx.run(FORGET_NEWS)
