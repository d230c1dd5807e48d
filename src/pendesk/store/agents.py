"""Queries on agents, and on who is at work: what is held, which tokens were used last, and the newest runs."""

from typing import NamedTuple

from pendesk.domain.agent import Agent, AgentIdentity
from pendesk.domain.limits import AGENT_SESSIONS_COUNTED
from pendesk.domain.run import AgentRun
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, any_row_sql, columns_sql, insert_sql
from pendesk.store.projects import is_there


class HeldAction(NamedTuple):
    """`session_id` is null where a person holds it in person."""

    claim_id: str
    user_id: str
    session_id: str | None
    agent_model: str | None
    taken_at: int
    renewed_at: int
    expires_at: int
    last_message: str | None
    action_id: str
    project_key: str
    ref_number: int
    label: str
    waiting: int


class AgentAtWork(NamedTuple):
    """An agent with its owner and its track record: `reviewed` counts first submissions, `passed` those approved."""

    id: str
    user_id: str
    name: str
    client: str
    machine: str
    user_name: str
    user_kind: str
    last_seen_at: int
    done: int
    reviewed: int
    passed: int


class AgentToken(NamedTuple):
    """A token or grant that an agent calls with and that works."""

    agent_id: str
    token_id: str
    kind: str
    name: str


class ActiveMember(NamedTuple):
    """A member with tokens that no agent has used yet, or with a claim taken in person."""

    user_id: str
    user_name: str
    user_kind: str
    tokens: int
    last_used_at: int | None


INSERT = insert_sql("agents", Agent)

BY_IDENTITY = f"""
SELECT {columns_sql(Agent)} FROM agents
WHERE workspace_id = :workspace AND user_id = :user_id AND client = :client AND machine = :machine
  AND token_id = :token_id
"""

LOCK = "SELECT 1 FROM agents WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

NAMES_OF_USER = "SELECT name FROM agents WHERE workspace_id = :workspace AND user_id = :user_id"

BY_ID = f"SELECT {columns_sql(Agent)} FROM agents WHERE workspace_id = :workspace AND id = :id"

RENAME = "UPDATE agents SET name = :name WHERE workspace_id = :workspace AND id = :id"

_HELD_ACTIONS = """
SELECT c.id, c.user_id, c.session_id, c.agent_model, c.taken_at, c.renewed_at, c.expires_at, c.last_message, a.id,
  p.key, a.ref_number, a.label,
  (SELECT count(*) FROM clarifications q WHERE q.workspace_id = a.workspace_id AND q.action_id = a.id
   AND q.answered_at IS NULL)
FROM claims c
JOIN actions a ON a.workspace_id = c.workspace_id AND a.id = c.action_id
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE c.workspace_id = :workspace AND c.state = 'active'
"""
HELD = f"{_HELD_ACTIONS} ORDER BY c.renewed_at DESC LIMIT :limit"
HELD_BY_SESSION = f"{_HELD_ACTIONS} AND c.session_id = :session_id ORDER BY c.renewed_at DESC LIMIT :limit"

# Of its newest sessions: of all of them there would be no end.
_CLAIMS_OF_AGENT = f"""
FROM (SELECT s.id FROM agent_sessions s WHERE s.workspace_id = g.workspace_id AND s.agent_id = g.id
  ORDER BY s.last_seen_at DESC LIMIT {AGENT_SESSIONS_COUNTED}) s
CROSS JOIN claims c
"""
_OF_SESSION = "WHERE c.workspace_id = g.workspace_id AND c.session_id = s.id"
_FIRST_REVIEWS = f"""
{_CLAIMS_OF_AGENT} CROSS JOIN submissions b CROSS JOIN reviews r
{_OF_SESSION} AND b.workspace_id = c.workspace_id AND b.claim_id = c.id AND b.number = 1
  AND r.workspace_id = b.workspace_id AND r.submission_id = b.id
"""

AGENTS_AT_WORK = f"""
SELECT g.id, g.user_id, g.name, g.client, g.machine, u.name, u.kind,
  (SELECT max(s.last_seen_at) FROM agent_sessions s
    WHERE s.workspace_id = g.workspace_id AND s.agent_id = g.id) AS seen,
  (SELECT count(*) {_CLAIMS_OF_AGENT} {_OF_SESSION} AND c.state = 'done'),
  (SELECT count(*) {_FIRST_REVIEWS}),
  (SELECT count(*) {_FIRST_REVIEWS} AND r.verdict = 'approved')
FROM agents g JOIN users u ON u.id = g.user_id
JOIN members m ON m.workspace_id = g.workspace_id AND m.user_id = g.user_id AND m.removed_at IS NULL
WHERE g.workspace_id = :workspace ORDER BY seen DESC, g.id LIMIT :limit
"""

# A grant, or a personal token, that was revoked or has expired is none.
_CALLED_WITH = any_row_sql("""SELECT 1 FROM agent_sessions s
  WHERE s.workspace_id = g.workspace_id AND s.token_id = t.id AND s.agent_id = g.id""")
TOKENS = f"""
SELECT g.id, t.id, 'token', t.name FROM agents g CROSS JOIN tokens t
WHERE g.workspace_id = :workspace AND g.id IN (EACH :agent_ids)
  AND t.workspace_id = g.workspace_id AND t.user_id = g.user_id AND {_CALLED_WITH}
  AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
UNION ALL
SELECT g.id, t.id, 'grant', t.client_name FROM agents g CROSS JOIN oauth_grants t
WHERE g.workspace_id = :workspace AND g.id IN (EACH :agent_ids)
  AND t.workspace_id = g.workspace_id AND t.user_id = g.user_id AND {_CALLED_WITH}
  AND t.revoked_at IS NULL AND t.expires_at > :now
ORDER BY 2
"""

NEWEST_OF_USER = """
SELECT id FROM agents WHERE workspace_id = :workspace AND user_id = :user_id ORDER BY created_at DESC, id DESC LIMIT 1
"""

WITHOUT_AGENT = """
SELECT m.user_id, u.name, u.kind, count(t.id), max(t.last_used_at) FROM members m
JOIN users u ON u.id = m.user_id
LEFT JOIN tokens t ON t.workspace_id = m.workspace_id AND t.user_id = m.user_id
  AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now)
  AND NOT EXISTS (SELECT 1 FROM agent_sessions s
    WHERE s.workspace_id = t.workspace_id AND s.token_id = coalesce(t.grant_id, t.id))
WHERE m.workspace_id = :workspace AND m.removed_at IS NULL
GROUP BY m.user_id, u.name, u.kind
HAVING count(t.id) > 0 OR EXISTS (
  SELECT 1 FROM claims c
  WHERE c.workspace_id = :workspace AND c.user_id = m.user_id AND c.state = 'active' AND c.session_id IS NULL)
ORDER BY coalesce(max(t.last_used_at), 0) DESC, u.name LIMIT :limit
"""

RUNS = f"""
SELECT {columns_sql(AgentRun)} FROM agent_runs WHERE workspace_id = :workspace AND {is_there("project_id")}
ORDER BY id DESC LIMIT :limit
"""


def add(tx: Tx, agent: Agent) -> None:
    tx.run(INSERT, **agent._asdict())


def by_identity(tx: Tx, user_id: str, identity: AgentIdentity) -> Agent | None:
    row = tx.one(BY_IDENTITY, user_id=user_id, **identity._asdict())
    return Agent(*row) if row else None


def by_id(tx: Tx, agent_id: str) -> Agent | None:
    row = tx.one(BY_ID, id=agent_id)
    return Agent(*row) if row else None


def rename(tx: Tx, agent_id: str, name: str) -> None:
    tx.run(RENAME, id=agent_id, name=name)


def lock(tx: Tx, agent_id: str) -> None:
    tx.lock(LOCK, id=agent_id)


def newest_of_user(tx: Tx, user_id: str) -> str | None:
    row = tx.one(NEWEST_OF_USER, user_id=user_id)
    return row[0] if row else None


def names_of_user(tx: Tx, user_id: str) -> set[str]:
    return {row[0] for row in tx.all(NAMES_OF_USER, user_id=user_id)}


def held_actions(tx: Tx, limit: int) -> list[HeldAction]:
    return [HeldAction(*row) for row in tx.all(HELD, limit=limit)]


def held_actions_of_session(tx: Tx, session_id: str, limit: int) -> list[HeldAction]:
    return [HeldAction(*row) for row in tx.all(HELD_BY_SESSION, session_id=session_id, limit=limit)]


def newest_at_work(tx: Tx, limit: int) -> list[AgentAtWork]:
    return [AgentAtWork(*row) for row in tx.all(AGENTS_AT_WORK, limit=limit)]


def working_tokens_of(tx: Tx, agent_ids: list[str]) -> list[AgentToken]:
    return [AgentToken(*row) for row in tx.all(TOKENS, agent_ids=to_json(agent_ids), now=tx.now)]


def members_with_unused_token_or_own_claim(tx: Tx, limit: int) -> list[ActiveMember]:
    return [ActiveMember(*row) for row in tx.all(WITHOUT_AGENT, now=tx.now, limit=limit)]


def newest_runs(tx: Tx, limit: int) -> list[AgentRun]:
    return [AgentRun(*row) for row in tx.all(RUNS, limit=limit)]
