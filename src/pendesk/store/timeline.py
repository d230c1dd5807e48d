"""Queries on the log as people read it: the newest first, with the names of those who did it."""

from typing import NamedTuple

from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import Viewer
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.events import FITS, SEEN, fitting


class Deed(NamedTuple):
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


def _select(table: str, number: str, subject: str) -> str:
    return f"""
SELECT e.{number}, e.at, e.kind, e.actor_id, u.name, u.kind, e.agent_model, e.door, e.object_id, e.project_id, p.key,
  e.spec_id, e.action_id, a.ref_number, a.label, e.data
FROM {table} e
LEFT JOIN users u ON u.id = e.actor_id
LEFT JOIN projects p ON p.workspace_id = e.workspace_id AND p.id = e.project_id
LEFT JOIN actions a ON a.workspace_id = e.workspace_id AND a.id = e.action_id
WHERE e.workspace_id = :workspace {subject} AND e.{number} < :before AND e.{number} >= :floor
  AND {SEEN} AND {FITS}
ORDER BY e.{number} DESC LIMIT :limit
"""


_OF_PROJECT = "AND e.project_id = :project_id"
_OF_ACTION = "AND e.action_id = :action_id"
ALL = _select("events", "seq", "")
OF_PROJECT = _select("events", "seq", _OF_PROJECT)
OF_ACTION = _select("events", "seq", _OF_ACTION)
IMPORTED_OF_PROJECT = _select("imported_events", "number", _OF_PROJECT)
IMPORTED_OF_ACTION = _select("imported_events", "number", _OF_ACTION)

_MOVED = """kind IN ('action.created', 'action.moved', 'action.reopened', 'action.claimed', 'action.released',
  'action.dropped', 'action.submitted', 'action.resubmitted', 'action.reviewed', 'action.deleted')"""

MOVES = f"""
SELECT seq, at, action_id, kind, data FROM events
WHERE workspace_id = :workspace AND project_id = :project_id AND action_id IS NOT NULL AND seq > :after AND {_MOVED}
ORDER BY seq LIMIT :limit
"""

# The first move of an action that came by an import is not its creation.
BROUGHT_IN = f"""
SELECT a.id, a.created_at, a.state, (
  SELECT e.data FROM events e
  WHERE e.workspace_id = :workspace AND e.action_id = a.id AND {_MOVED} ORDER BY e.seq LIMIT 1
)
FROM actions a
WHERE a.workspace_id = :workspace AND a.project_id = :project_id AND NOT EXISTS (
  SELECT 1 FROM events e WHERE e.workspace_id = :workspace AND e.action_id = a.id AND e.kind = 'action.created'
)
ORDER BY a.created_at, a.id
"""


def before(tx: Tx, seq: int, wanted: EventFilter, eyes: Viewer, limit: int) -> tuple[list[Deed], int]:
    """What came before a number, and how far down the log was looked at.

    A project's or an action's events have an index. Anything else is looked for in a window of the log, so that a
    rare kind costs no walk through all of it.
    """
    floor = 0 if wanted.project_id or wanted.action_id else max(0, seq - TIMELINE_WINDOW)
    names = fitting(wanted, eyes) | {"before": seq, "floor": floor, "limit": limit}
    if wanted.action_id:
        rows = tx.all(OF_ACTION, action_id=wanted.action_id, **names)
    elif wanted.project_id:
        rows = tx.all(OF_PROJECT, project_id=wanted.project_id, **names)
    else:
        rows = tx.all(ALL, **names)
    return [Deed(*row) for row in rows], floor


def imported_before(tx: Tx, number: int, wanted: EventFilter, eyes: Viewer, limit: int) -> list[Deed]:
    """The same of what a project, or one of its actions, brought along when it was imported."""
    names = fitting(wanted, eyes) | {"before": number, "floor": 0, "limit": limit}
    if wanted.action_id:
        rows = tx.all(IMPORTED_OF_ACTION, action_id=wanted.action_id, **names)
    else:
        rows = tx.all(IMPORTED_OF_PROJECT, project_id=wanted.project_id, **names)
    return [Deed(*row) for row in rows]


def moves(tx: Tx, project_id: str, after: int, limit: int) -> list[Row]:
    """Number, time, action, kind and data of what changed an action's state, the oldest first."""
    return tx.all(MOVES, project_id=project_id, after=after, limit=limit)


def brought_in(tx: Tx, project_id: str) -> list[Row]:
    """Id, time, state now and data of the first move of each action whose making is not in the log: it was imported."""
    return tx.all(BROUGHT_IN, project_id=project_id)
