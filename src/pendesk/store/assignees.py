"""Queries on who actions are assigned to: present members, and agents of present members."""

from collections.abc import Iterable

from pendesk.domain.action import Action
from pendesk.domain.assignee import Assignable, Assignee
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql
from pendesk.store.projects import is_there

_MEMBERS = """
SELECT u.id, NULL, u.kind, u.name, u.id, '' FROM members m JOIN users u ON u.id = m.user_id
WHERE m.workspace_id = :workspace AND m.removed_at IS NULL
"""
_AGENTS = """
SELECT NULL, g.id, 'agent', g.name, u.id, u.name FROM members m
CROSS JOIN agents g JOIN users u ON u.id = g.user_id
WHERE m.workspace_id = :workspace AND m.removed_at IS NULL
  AND g.workspace_id = m.workspace_id AND g.user_id = m.user_id
"""

MEMBERS_NAMED = f"{_MEMBERS} AND (u.name = :text OR u.email = :email OR u.id = :pid)"
AGENTS_NAMED = f"{_AGENTS} AND (g.name = :text OR g.id = :pid)"
MEMBERS = f"{_MEMBERS} ORDER BY u.name, u.id LIMIT :limit"
AGENTS = f"{_AGENTS} ORDER BY g.name, g.id LIMIT :limit"

# By id, whether or not they are still there: a card may be older than a removal.
USERS_BY_ID = "SELECT u.id, NULL, u.kind, u.name, u.id, '' FROM users u WHERE u.id IN (EACH :ids)"
AGENTS_BY_ID = """
SELECT NULL, g.id, 'agent', g.name, u.id, u.name FROM agents g JOIN users u ON u.id = g.user_id
WHERE g.workspace_id = :workspace AND g.id IN (EACH :ids)
"""

# Who has something assigned in a project, found member by member: there are fewer of them than of actions.
MEMBERS_WITH_WORK = f"""
{_MEMBERS} AND EXISTS (SELECT 1 FROM actions a
  WHERE a.workspace_id = m.workspace_id AND a.assignee_user_id = m.user_id AND a.project_id = :project_id)
ORDER BY u.name, u.id LIMIT :limit
"""
AGENTS_WITH_WORK = f"""
{_AGENTS} AND EXISTS (SELECT 1 FROM actions a
  WHERE a.workspace_id = g.workspace_id AND a.assignee_agent_id = g.id AND a.project_id = :project_id)
ORDER BY g.name, g.id LIMIT :limit
"""

ASSIGNED_TO_USER = f"""
SELECT {columns_sql(Action)} FROM actions
WHERE workspace_id = :workspace AND assignee_user_id = :user_id AND {is_there("project_id")}
"""
ASSIGNED_TO_AGENTS_OF_USER = f"""
SELECT {columns_sql(Action, "a")} FROM agents g
CROSS JOIN actions a
WHERE g.workspace_id = :workspace AND g.user_id = :user_id
  AND a.workspace_id = g.workspace_id AND a.assignee_agent_id = g.id AND {is_there("a.project_id")}
"""

UNASSIGN = """
UPDATE actions SET assignee_user_id = NULL, assignee_agent_id = NULL, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def named(tx: Tx, text: str) -> list[Assignable]:
    """Whose name, email or pid this is, to the letter; an email in any case."""
    rows = tx.all(MEMBERS_NAMED, text=text, email=text.lower(), pid=text) + tx.all(AGENTS_NAMED, text=text, pid=text)
    return [_assignable(row) for row in rows]


def all_assignable(tx: Tx, limit: int) -> list[Assignable]:
    """Members first, then agents: the first of each by name."""
    return [_assignable(row) for row in tx.all(MEMBERS, limit=limit) + tx.all(AGENTS, limit=limit)]


def with_work_in_project(tx: Tx, project_id: str, limit: int) -> list[Assignable]:
    rows = tx.all(MEMBERS_WITH_WORK, project_id=project_id, limit=limit)
    rows += tx.all(AGENTS_WITH_WORK, project_id=project_id, limit=limit)
    return [_assignable(row) for row in rows]


def by_assignee(tx: Tx, assignees: Iterable[Assignee]) -> dict[Assignee, Assignable]:
    """Their names, as they are now."""
    distinct = set(assignees)
    user_ids = sorted(assignee.user_id for assignee in distinct if assignee.user_id)
    agent_ids = sorted(assignee.agent_id for assignee in distinct if assignee.agent_id)
    rows = tx.all(USERS_BY_ID, ids=to_json(user_ids)) if user_ids else []
    rows += tx.all(AGENTS_BY_ID, ids=to_json(agent_ids)) if agent_ids else []
    return {assignable.assignee: assignable for assignable in map(_assignable, rows)}


def assigned_to_user_or_their_agents(tx: Tx, user_id: str) -> list[Action]:
    rows = tx.all(ASSIGNED_TO_USER, user_id=user_id) + tx.all(ASSIGNED_TO_AGENTS_OF_USER, user_id=user_id)
    return sorted((Action(*row) for row in rows), key=lambda action: action.id)


def unassign(tx: Tx, action_id: str) -> None:
    tx.run(UNASSIGN, id=action_id, now=tx.now)


def _assignable(row: Row) -> Assignable:
    user_id, agent_id, *described = row
    return Assignable(Assignee(user_id, agent_id), *described)
