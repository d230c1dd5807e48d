"""Queries on the log as people read it: the newest first, with the names of those who did it."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from pendesk.domain.agent_session import session_label
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import TitledNoun
from pendesk.domain.event_visibility import Viewer
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.events import MATCHES, event_filter_sql_params, visibility_condition_sql


class TimelineRow(NamedTuple):
    """An event with names; `data` is JSON text."""

    seq: int
    at: int
    kind: str
    actor_id: str | None
    actor_name: str | None
    actor_kind: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_id: str | None
    project_key: str | None
    spec_id: str | None
    action_id: str | None
    ref_number: int | None
    label: str | None
    data: str
    agent_name: str | None
    session_number: int | None
    session_name: str | None


def _timeline_select_sql(
    table: str,
    sequence_column: str,
    subject_condition_sql: str,
    about_user_column: str = "e.about_user_id",
    agent_session_column: str = "e.agent_session_id",
) -> str:
    return f"""
SELECT e.{sequence_column}, e.at, e.kind, e.actor_id, u.name, u.kind, e.agent_model, e.door, e.object_id, e.project_id,
  p.key, e.spec_id, e.action_id, a.ref_number, a.label, e.data, g.name, s.number, s.name
FROM {table} e
LEFT JOIN users u ON u.id = e.actor_id
LEFT JOIN projects p ON p.workspace_id = e.workspace_id AND p.id = e.project_id
LEFT JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.action_id
LEFT JOIN agent_sessions s ON s.workspace_id = e.workspace_id AND s.id = {agent_session_column}
LEFT JOIN agents g ON g.workspace_id = s.workspace_id AND g.id = s.agent_id
WHERE e.workspace_id = :workspace {subject_condition_sql}
  AND e.{sequence_column} < :before AND e.{sequence_column} >= :floor
  AND {visibility_condition_sql(about_user_column)} AND {MATCHES}
ORDER BY e.{sequence_column} DESC LIMIT :limit
"""


# As a subquery: of a project that has most of the log, PostgreSQL would go through the log for its newest events,
# and through all that has happened elsewhere since.
_THE_PROJECT = "(SELECT CAST(:project_id AS TEXT))"
_OF_PROJECT = f"AND e.project_id = {_THE_PROJECT}"
_OF_ACTION = "AND e.action_id = :action_id"
ALL = _timeline_select_sql("events", "seq", "")
OF_PROJECT = _timeline_select_sql("events", "seq", _OF_PROJECT)
OF_ACTION = _timeline_select_sql("events", "seq", _OF_ACTION)
# No export has private events; what a file nonetheless has of them is about its object at most.
IMPORTED_OF_PROJECT = _timeline_select_sql("imported_events", "number", _OF_PROJECT, "e.object_id", "NULL")
IMPORTED_OF_ACTION = _timeline_select_sql("imported_events", "number", _OF_ACTION, "e.object_id", "NULL")

# Where a window of a project's events ends.
FLOOR_OF_PROJECT = f"""
SELECT seq FROM events WHERE workspace_id = :workspace AND project_id = {_THE_PROJECT} AND seq < :before
ORDER BY seq DESC LIMIT 1 OFFSET :looked_at
"""

_MOVED = """kind IN ('action.created', 'action.moved', 'action.reopened', 'action.claimed', 'action.released',
  'action.dropped', 'action.submitted', 'action.resubmitted', 'action.reviewed', 'action.deleted')"""

MOVES = f"""
SELECT seq, at, action_id, kind, data FROM events
WHERE workspace_id = :workspace AND project_id = :project_id AND action_id IS NOT NULL AND seq > :after AND {_MOVED}
ORDER BY seq LIMIT :limit
"""

NEWEST_MOVES = f"""
SELECT seq, at, action_id, kind, data FROM events
WHERE workspace_id = :workspace AND project_id = {_THE_PROJECT} AND action_id IS NOT NULL AND {_MOVED}
ORDER BY seq DESC LIMIT :limit
"""

FIRST_KIND = """
SELECT kind FROM events WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY seq LIMIT 1
"""

# The first move of an action that came by an import is not its creation.
IMPORTED_ACTIONS = f"""
SELECT a.id, a.created_at, a.state, (
  SELECT e.data FROM events e
  WHERE e.workspace_id = :workspace AND e.action_id = a.id AND {_MOVED} ORDER BY e.seq LIMIT 1
)
FROM actions a
WHERE a.workspace_id = :workspace AND a.project_id = :project_id AND NOT EXISTS (
  SELECT 1 FROM events e WHERE e.workspace_id = :workspace AND e.action_id = a.id AND e.kind = 'action.created'
)
ORDER BY a.ref_number LIMIT :limit
"""


# Only of those who are or were members: an imported event may name anybody's id.
MEMBER_NAMES = """
SELECT u.id, u.name FROM members m JOIN users u ON u.id = m.user_id
WHERE m.workspace_id = :workspace AND m.user_id IN (EACH :ids)
UNION ALL
SELECT g.id, g.name FROM agents g WHERE g.workspace_id = :workspace AND g.id IN (EACH :ids)
"""

INVITE_ADDRESSES = "SELECT id, email FROM invites WHERE workspace_id = :workspace AND id IN (EACH :ids)"

_TITLE_COLUMNS: dict[TitledNoun, tuple[str, str]] = {
    "project": ("projects", "name"),
    "goal": ("goals", "title"),
    "spec": ("specs", "title"),
    "plan": ("plans", "title"),
    "document": ("documents", "title"),
    "note": ("notes", "title"),
}
TITLES = {
    noun: f"SELECT id, {column} FROM {table} WHERE workspace_id = :workspace AND id IN (EACH :ids)"
    for noun, (table, column) in _TITLE_COLUMNS.items()
}


def agent_label(row: TimelineRow) -> str | None:
    if row.agent_name is None or row.session_number is None:
        return None
    return session_label(row.agent_name, row.session_number, row.session_name or "")


def member_names_by_id(tx: Tx, user_ids: list[str]) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(MEMBER_NAMES, ids=to_json(user_ids))} if user_ids else {}


def titles_by_id(tx: Tx, ids_by_noun: Mapping[TitledNoun, Collection[str]]) -> dict[str, str]:
    """As they are now; what was deleted has none."""
    return {
        row[0]: row[1] for noun, ids in ids_by_noun.items() for row in tx.all(TITLES[noun], ids=to_json(sorted(ids)))
    }


def invite_emails_by_id(tx: Tx, invite_ids: list[str]) -> dict[str, str]:
    return {row[0]: row[1] for row in tx.all(INVITE_ADDRESSES, ids=to_json(invite_ids))} if invite_ids else {}


def page_and_lowest_searched_seq(
    tx: Tx, before_seq: int, event_filter: EventFilter, viewer: Viewer, limit: int
) -> tuple[list[TimelineRow], int]:
    """What came before a number, and how far down the log was looked at.

    An action's events have an index. Anything else is looked for in a window of the log, or of a project's part of it,
    so that a rare kind costs no walk through all of it.
    """
    floor = _floor(tx, before_seq, event_filter)
    names = event_filter_sql_params(event_filter, viewer) | {"before": before_seq, "floor": floor, "limit": limit}
    if event_filter.action_id:
        rows = tx.all(OF_ACTION, action_id=event_filter.action_id, **names)
    elif event_filter.project_id:
        rows = tx.all(OF_PROJECT, project_id=event_filter.project_id, **names)
    else:
        rows = tx.all(ALL, **names)
    return [TimelineRow(*row) for row in rows], floor


def _floor(tx: Tx, before_seq: int, event_filter: EventFilter) -> int:
    if event_filter.action_id:
        return 0
    if not event_filter.project_id:
        return max(0, before_seq - TIMELINE_WINDOW)
    if not (event_filter.kinds or event_filter.actor_id or event_filter.agent_model):
        return 0
    row = tx.one(FLOOR_OF_PROJECT, project_id=event_filter.project_id, before=before_seq, looked_at=TIMELINE_WINDOW)
    return row[0] if row else 0


def page_of_imported_events(
    tx: Tx, before_number: int, event_filter: EventFilter, viewer: Viewer, limit: int
) -> list[TimelineRow]:
    """The same for the imported history of a project, or of one of its actions."""
    names = event_filter_sql_params(event_filter, viewer) | {"before": before_number, "floor": 0, "limit": limit}
    if event_filter.action_id:
        rows = tx.all(IMPORTED_OF_ACTION, action_id=event_filter.action_id, **names)
    else:
        rows = tx.all(IMPORTED_OF_PROJECT, project_id=event_filter.project_id, **names)
    return [TimelineRow(*row) for row in rows]


def action_state_change_event_rows(tx: Tx, project_id: str, after_seq: int, limit: int) -> list[Row]:
    """Number, time, action, kind and data of what changed an action's state, the oldest first."""
    return tx.all(MOVES, project_id=project_id, after=after_seq, limit=limit)


def newest_state_change_event_rows(tx: Tx, project_id: str, limit: int) -> list[Row]:
    """The same of the newest, also the oldest of them first."""
    return tx.all(NEWEST_MOVES, project_id=project_id, limit=limit)[::-1]


def imported_actions_first_state_change(tx: Tx, project_id: str, limit: int) -> list[Row]:
    """Id, time, state now and data of the first move of imported actions: their creation is not in the log. Of a
    project that was not imported there are none, and nobody looks for them.
    """
    first = tx.one(FIRST_KIND, project_id=project_id)
    if first is None or first[0] != "project.imported":
        return []
    return sorted(tx.all(IMPORTED_ACTIONS, project_id=project_id, limit=limit), key=lambda row: (row[1], row[0]))
