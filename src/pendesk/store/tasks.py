"""Queries of the list of tasks: a project's actions, filtered, in pages."""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.domain.action import Action
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql


class TaskQuery(NamedTuple):
    """What a list is limited to, as store/board.py has it; a blank lets everything through."""

    project_id: str
    assigned: str = ""
    assignee_user: str = ""
    assignee_agent: str = ""
    label: str = ""


_FILTERS = """
  AND (:assigned = '' OR (:assigned = 'none' AND a.assignee_user_id IS NULL AND a.assignee_agent_id IS NULL)
    OR a.assignee_user_id = :assignee_user OR a.assignee_agent_id = :assignee_agent)
  AND (:label = '' OR a.labels LIKE :label ESCAPE '!')"""
_FITS = f"a.workspace_id = :workspace AND a.project_id = :project_id {_FILTERS}"
_SELECT = f"SELECT {columns_sql(Action, 'a')} FROM actions a"

# As in store/actions.py, each walks an index in its order and stops at the limit.
PAGE = f"""
{_SELECT}
WHERE {_FITS} AND a.ref_number > coalesce(
  (SELECT ref_number FROM actions WHERE workspace_id = :workspace AND id = :after), 0)
ORDER BY a.ref_number LIMIT :limit
"""

PAGE_OF_STATE = f"""
{_SELECT}
WHERE {_FITS} AND a.state = :state AND a.id > :after
ORDER BY a.id LIMIT :limit
"""

# What full-text search has found in the project: by its name too, SQLite would go through all of it.
AMONG = f"""
{_SELECT}
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids) {_FILTERS}
"""


def page(tx: Tx, query: TaskQuery, states: Sequence[str] | None, after: str, limit: int) -> list[Action]:
    if states is None:
        return [Action(*row) for row in tx.all(PAGE, after=after, limit=limit, **query._asdict())]
    rows = [
        Action(*row)
        for state in states
        for row in tx.all(PAGE_OF_STATE, state=state, after=after, limit=limit, **query._asdict())
    ]
    return sorted(rows, key=lambda action: action.id)[:limit]


def among(tx: Tx, query: TaskQuery, states: Sequence[str] | None, ids: list[str]) -> list[Action]:
    """Those of the ids that fit, in the order of their ids."""
    rows = (Action(*row) for row in tx.all(AMONG, ids=to_json(ids), **query._asdict())) if ids else ()
    return sorted((row for row in rows if states is None or row.state in states), key=lambda action: action.id)
