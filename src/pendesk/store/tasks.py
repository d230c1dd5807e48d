"""Queries of the list of tasks: a project's actions, filtered, in pages."""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.domain.action import Action
from pendesk.domain.limits import TASKS_LOOKED_AT
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql


class TaskQuery(NamedTuple):
    """What a list is limited to, as store/board.py has it; a blank lets everything through."""

    project_id: str
    assigned: str = ""
    assignee_user: str = ""
    assignee_agent: str = ""
    label: str = ""

    @property
    def is_narrowed(self) -> bool:
        return bool(self.assigned or self.label)

    @property
    def has_assignee(self) -> bool:
        return self.assigned == "any"


_LABEL = "(:label = '' OR a.labels LIKE :label ESCAPE '!')"
_FILTERS = f"""
  AND (:assigned = '' OR (:assigned = 'none' AND a.assignee_user_id IS NULL AND a.assignee_agent_id IS NULL)
    OR a.assignee_user_id = :assignee_user OR a.assignee_agent_id = :assignee_agent)
  AND {_LABEL}"""
_IN_PROJECT = "workspace_id = :workspace AND project_id = :project_id"
_AFTER = """AND ref_number > coalesce(
    (SELECT ref_number FROM actions WHERE workspace_id = :workspace AND id = :after), 0)"""
_SELECT = f"SELECT {columns_sql(Action, 'a')} FROM"

# Each walks an index in its order and stops: at the limit, or after as many as are looked at.
_LOOKED_AT = f"FROM actions WHERE {_IN_PROJECT} {_AFTER} ORDER BY ref_number"
PAGE = f"""
{_SELECT} (SELECT * {_LOOKED_AT} LIMIT :looked_at) a WHERE a.workspace_id = :workspace {_FILTERS}
ORDER BY a.ref_number LIMIT :limit
"""
LAST_LOOKED_AT = f"SELECT id {_LOOKED_AT} LIMIT 1 OFFSET :looked_at"

_OF_STATE = f"FROM actions WHERE {_IN_PROJECT} AND state = :state AND id > :after ORDER BY id"
PAGE_OF_STATE = f"""
{_SELECT} (SELECT * {_OF_STATE} LIMIT :looked_at) a WHERE a.workspace_id = :workspace {_FILTERS}
ORDER BY a.id LIMIT :limit
"""
LAST_LOOKED_AT_OF_STATE = f"SELECT id {_OF_STATE} LIMIT 1 OFFSET :looked_at"

_ASSIGNED = f"""
{_SELECT} actions a
WHERE a.workspace_id = :workspace AND a.project_id = :project_id {{assigned}} {_AFTER} AND {_LABEL}
ORDER BY a.ref_number LIMIT :limit
"""
PAGE_OF_USER = _ASSIGNED.format(assigned="AND a.assignee_user_id = :assignee_user")
PAGE_OF_AGENT = _ASSIGNED.format(assigned="AND a.assignee_agent_id = :assignee_agent")

# What full-text search has found in the project: by its name too, SQLite would go through all of it.
AMONG = f"""
{_SELECT} actions a
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids) {_FILTERS}
"""


def page_and_last_looked_at(
    tx: Tx, query: TaskQuery, states: Sequence[str] | None, after: str, limit: int
) -> tuple[list[Action], str | None]:
    """And the id of the last that was looked at, where there may be more behind it."""
    if query.has_assignee and states is None:
        return _page_of_assignee(tx, query, after, limit), None
    looked_at = TASKS_LOOKED_AT if query.is_narrowed else limit
    if states is None:
        return _window(tx, (PAGE, LAST_LOOKED_AT), query, limit, looked_at, after=after)
    windows = [
        _window(tx, (PAGE_OF_STATE, LAST_LOOKED_AT_OF_STATE), query, limit, looked_at, after=after, state=state)
        for state in states
    ]
    last = min((last for _, last in windows if last is not None), default=None)
    rows = [row for of_state, _ in windows for row in of_state if last is None or row.id <= last]
    return sorted(rows, key=lambda action: action.id)[:limit], last


def _window(
    tx: Tx, statements: tuple[str, str], query: TaskQuery, limit: int, looked_at: int, **params: str
) -> tuple[list[Action], str | None]:
    rows = [
        Action(*row) for row in tx.all(statements[0], limit=limit, looked_at=looked_at, **params, **query._asdict())
    ]
    if len(rows) == limit or not query.is_narrowed:
        return rows, None
    last = tx.one(statements[1], looked_at=looked_at - 1, project_id=query.project_id, **params)
    return rows, last[0] if last else None


def _page_of_assignee(tx: Tx, query: TaskQuery, after: str, limit: int) -> list[Action]:
    params = {"project_id": query.project_id, "label": query.label, "after": after, "limit": limit}
    rows = tx.all(PAGE_OF_USER, assignee_user=query.assignee_user, **params) if query.assignee_user else []
    if query.assignee_agent:
        rows += tx.all(PAGE_OF_AGENT, assignee_agent=query.assignee_agent, **params)
    return sorted((Action(*row) for row in rows), key=lambda action: action.ref_number)[:limit]


def among(tx: Tx, query: TaskQuery, states: Sequence[str] | None, ids: list[str]) -> list[Action]:
    """Those of the ids that fit, in the order of their ids."""
    rows = (Action(*row) for row in tx.all(AMONG, ids=to_json(ids), **query._asdict())) if ids else ()
    return sorted((row for row in rows if states is None or row.state in states), key=lambda action: action.id)
