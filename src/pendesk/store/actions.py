"""Queries on actions."""

from collections.abc import Sequence
from typing import Any

from pendesk.domain.action import Action, ref_code
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.ids import parse_id, parse_ref_code_key_and_number
from pendesk.store import agent_sessions, tallies
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

_ACTION = len(Action._fields)
_CLAIM = len(Claim._fields)

INSERT = insert_sql("actions", Action)

ID_OF_REF = """
SELECT a.id FROM projects p JOIN actions a ON a.workspace_id = p.workspace_id AND a.project_id = p.id
WHERE p.workspace_id = :workspace AND p.key = :key AND a.ref_number = :number
"""

LOCK = "SELECT 1 FROM actions WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

FACTS = f"""
SELECT {columns_sql(Action, "a")}, p.key, p.state, p.refuse_overlap, sp.build_id, sp.build_number,
  {columns_sql(Claim, "c")}, u.name,
  {agent_sessions.COLUMNS}
FROM actions a
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
LEFT JOIN specs sp ON sp.workspace_id = a.workspace_id AND sp.id = a.spec_id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id AND c.id = a.claim_id
LEFT JOIN users u ON u.id = c.user_id
LEFT JOIN agent_sessions s ON s.workspace_id = c.workspace_id AND s.id = c.session_id
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
WHERE a.workspace_id = :workspace AND a.id = :id
"""

SAVE_STATE = """
UPDATE actions SET state = :state, state_reason = :state_reason, claim_id = :claim_id, fence = :fence,
  updated_at = :updated_at, drop_accepted_at = :drop_accepted_at, drop_accepted_by = :drop_accepted_by
WHERE workspace_id = :workspace AND id = :id
"""

SET_NEWS = "UPDATE actions SET news_event_id = :event_id WHERE workspace_id = :workspace AND id = :id"

SIBLINGS = """
SELECT a.id, a.ref_number, a.label, a.area, a.state, c.user_id
FROM actions a LEFT JOIN claims c
  ON c.workspace_id = a.workspace_id AND c.id = a.claim_id AND c.state = 'active' AND c.expires_at > :now
WHERE a.workspace_id = :workspace AND a.plan_id = :plan_id AND a.id <> :id AND a.state NOT IN ('backlog', 'scope')
ORDER BY a.position LIMIT :limit
"""

OF_PLAN = f"""
SELECT {columns_sql(Action)} FROM actions
WHERE workspace_id = :workspace AND plan_id = :plan_id ORDER BY position, id
"""

NEWEST_OF_PROJECT = f"""
SELECT {columns_sql(Action)} FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY ref_number DESC LIMIT :limit
"""

BY_IDS = f"""
SELECT {columns_sql(Action)} FROM actions WHERE workspace_id = :workspace AND id IN (EACH :ids)
"""

COUNT_OF_PLAN = "SELECT count(*) FROM actions WHERE workspace_id = :workspace AND plan_id = :plan_id"

# Two statements, so that each walks its own index: by ref number through a project, by id through one state.
PAGE = f"""
SELECT {columns_sql(Action)} FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id AND ref_number > coalesce(
  (SELECT ref_number FROM actions WHERE workspace_id = :workspace AND id = :after), 0)
ORDER BY ref_number LIMIT :limit
"""

PAGE_OF_STATE = f"""
SELECT {columns_sql(Action)} FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id AND state = :state AND id > :after
ORDER BY id LIMIT :limit
"""

ANY_OF_PROJECT = "SELECT 1 FROM actions WHERE workspace_id = :workspace AND project_id = :project_id LIMIT 1"

EDIT = """
UPDATE actions SET label = :label, description = :description, area = :area, paths = :paths, priority = :priority,
  position = :position, x = :x, y = :y, assignee_user_id = :assignee_user_id, assignee_agent_id = :assignee_agent_id,
  due_on = :due_on, labels = :labels, revision = :revision, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""

SET_POSITION = """
UPDATE actions SET position = :position, updated_at = :now WHERE workspace_id = :workspace AND id = :id
"""

SET_SPEC_AND_PLAN = """
UPDATE actions SET spec_id = :spec_id, plan_id = :plan_id, position = :position, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""

LAST_POSITION = """
SELECT position FROM actions WHERE workspace_id = :workspace AND plan_id = :plan_id ORDER BY position DESC LIMIT 1
"""

REFS = """
SELECT a.id, p.key, a.ref_number FROM actions a
JOIN projects p ON p.workspace_id = a.workspace_id AND p.id = a.project_id
WHERE a.workspace_id = :workspace AND a.id IN (EACH :ids)
"""

LABELS = "SELECT id, label, area FROM actions WHERE workspace_id = :workspace AND id IN (EACH :ids)"

REF_NUMBERS = "SELECT id, ref_number FROM actions WHERE workspace_id = :workspace AND id IN (EACH :ids)"


def add(tx: Tx, action: Action) -> None:
    tx.run(INSERT, **action._asdict())
    tallies.count_new(tx, action)


def resolve_id(tx: Tx, id_or_ref: str) -> str | None:
    """The id behind a pid or a ref code; a pid is taken at its word."""
    pid = parse_id(id_or_ref)
    if pid is not None:
        return pid
    ref = parse_ref_code_key_and_number(id_or_ref)
    row = tx.one(ID_OF_REF, key=ref[0], number=ref[1]) if ref else None
    return row[0] if row else None


def lock(tx: Tx, action_id: str) -> None:
    tx.lock(LOCK, id=action_id)


def facts(tx: Tx, action_id: str) -> ActionFacts | None:
    row = tx.one(FACTS, id=action_id)
    if row is None:
        return None
    middle = _ACTION + 5
    after_claim = middle + _CLAIM
    claim = Claim(*row[middle:after_claim]) if row[middle] is not None else None
    session = AgentSession(*row[after_claim + 1 :]) if row[after_claim + 1] is not None else None
    key, state, refuses_overlap, build_id, build_number = row[_ACTION:middle]
    return ActionFacts(
        Action(*row[:_ACTION]),
        key,
        state,
        build_id,
        build_number,
        claim,
        row[after_claim] or "",
        session,
        refuses_overlap=bool(refuses_overlap),
    )


def save_state_and_claim(tx: Tx, before: Action, action: Action) -> None:
    """After a transition: its state and who holds it."""
    tallies.count_change(tx, before, action)
    tx.run(
        SAVE_STATE,
        id=action.id,
        state=action.state,
        state_reason=action.state_reason,
        claim_id=action.claim_id,
        fence=action.fence,
        updated_at=action.updated_at,
        drop_accepted_at=action.drop_accepted_at,
        drop_accepted_by=action.drop_accepted_by,
    )


def set_newest_event_for_holder(tx: Tx, action_id: str, event_id: int) -> None:
    tx.run(SET_NEWS, id=action_id, event_id=event_id)


def set_position(tx: Tx, action_id: str, position: int) -> None:
    tx.run(SET_POSITION, id=action_id, position=position, now=tx.now)


def set_spec_and_plan(tx: Tx, action: Action) -> None:
    spec_and_plan = {"spec_id": action.spec_id, "plan_id": action.plan_id, "position": action.position}
    tx.run(SET_SPEC_AND_PLAN, id=action.id, **spec_and_plan, now=tx.now)


def last_position_in_plan(tx: Tx, plan_id: str) -> int:
    row = tx.one(LAST_POSITION, plan_id=plan_id)
    return row[0] if row else 0


def plan_siblings_with_holder_id(tx: Tx, action: Action, limit: int) -> list[tuple[Any, ...]]:
    if action.plan_id is None:
        return []
    return tx.all(SIBLINGS, plan_id=action.plan_id, id=action.id, now=tx.now, limit=limit)


def read_ahead_plan_siblings(tx: Tx, action: Action, limit: int) -> None:
    if action.plan_id is not None:
        tx.read_ahead(SIBLINGS, plan_id=action.plan_id, id=action.id, now=tx.now, limit=limit)


def of_plan(tx: Tx, plan_id: str) -> list[Action]:
    return [Action(*row) for row in tx.all(OF_PLAN, plan_id=plan_id)]


def newest_of_project(tx: Tx, project_id: str, limit: int) -> list[Action]:
    return [Action(*row) for row in tx.all(NEWEST_OF_PROJECT, project_id=project_id, limit=limit)]


def by_ids(tx: Tx, ids: list[str]) -> list[Action]:
    """In the order of the ids."""
    by_id = {row[0]: Action(*row) for row in tx.all(BY_IDS, ids=to_json(ids))} if ids else {}
    return [by_id[ident] for ident in ids if ident in by_id]


def count_in_plan(tx: Tx, plan_id: str) -> int:
    row = tx.one(COUNT_OF_PLAN, plan_id=plan_id)
    assert row is not None
    count: int = row[0]
    return count


def ref_number_by_id(tx: Tx, ids: list[str]) -> dict[str, int]:
    return {row[0]: row[1] for row in tx.all(REF_NUMBERS, ids=to_json(ids))}


def page(tx: Tx, project_id: str, states: Sequence[str] | None, after: str, limit: int) -> list[Action]:
    if states is None:
        return [Action(*row) for row in tx.all(PAGE, project_id=project_id, after=after, limit=limit)]
    rows = [
        row
        for state in states
        for row in tx.all(PAGE_OF_STATE, project_id=project_id, state=state, after=after, limit=limit)
    ]
    return sorted((Action(*row) for row in rows), key=lambda action: action.id)[:limit]


def has_project_any(tx: Tx, project_id: str) -> bool:
    return tx.one(ANY_OF_PROJECT, project_id=project_id) is not None


def update(tx: Tx, action: Action) -> None:
    tx.run(
        EDIT,
        id=action.id,
        label=action.label,
        description=action.description,
        area=action.area,
        paths=action.paths,
        priority=action.priority,
        position=action.position,
        x=action.x,
        y=action.y,
        assignee_user_id=action.assignee_user_id,
        assignee_agent_id=action.assignee_agent_id,
        due_on=action.due_on,
        labels=action.labels,
        revision=action.revision,
        now=tx.now,
    )


def ref_code_by_id(tx: Tx, ids: list[str]) -> dict[str, str]:
    """Action id -> ref code."""
    return {row[0]: ref_code(row[1], row[2]) for row in tx.all(REFS, ids=to_json(ids))} if ids else {}


def labels_and_areas_by_id(tx: Tx, ids: list[str]) -> dict[str, tuple[str, str]]:
    return {row[0]: (row[1], row[2]) for row in tx.all(LABELS, ids=to_json(ids))} if ids else {}
