"""Queries on the one log."""

from typing import Any

from pendesk.domain.event import EventKind, LoggedEvent
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import PRIVATE_KINDS, Viewer
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns

_PRIVATE = ", ".join(f"'{kind}'" for kind in sorted(PRIVATE_KINDS))
# domain/event_visibility.py as SQL. A name in quotes cannot stand in a text of the data: there the quotes are escaped.
SEEN = f"""
(:sees_everything = 1 OR e.kind NOT IN ({_PRIVATE})
  OR (:own <> '' AND (e.actor_id = :own OR e.object_id = :own OR e.data LIKE :own_in_data)))
"""
FITS = """
(:by = '' OR e.actor_id = :by) AND (:model = '' OR e.agent_model = :model)
AND (:any_kind = 1 OR e.kind IN (EACH :kinds))
"""

_SELECT = f"SELECT {columns(LoggedEvent, 'e')} FROM events e WHERE e.workspace_id = :workspace AND e.seq > :after"
_ORDER = " ORDER BY e.seq LIMIT :limit"

ALL = _SELECT + _ORDER
NEWS = _SELECT + " AND e.action_id = :action_id AND e.kind IN ('clarification.answered', 'action.reviewed')" + _ORDER

# One statement for each way of looking, so that each has its index: OR-ing these together would have none.
_PAGE = f"{_SELECT} AND e.seq <= :upto AND {SEEN} AND {FITS}"
PAGE = _PAGE + _ORDER
PAGE_OF_PROJECT = _PAGE + " AND e.project_id = :project_id" + _ORDER
PAGE_OF_ACTION = _PAGE + " AND e.action_id = :action_id" + _ORDER

NEWEST_OF_KIND = f"""
SELECT {columns(LoggedEvent)} FROM events
WHERE workspace_id = :workspace AND action_id = :action_id AND kind = :kind ORDER BY seq DESC LIMIT 1
"""

# Over all workspaces, by each one's newest event.
NEWEST_TIME = """
SELECT coalesce(max(newest.at), 0) FROM (
  SELECT (SELECT e.at FROM events e WHERE e.workspace_id = w.id ORDER BY e.seq DESC LIMIT 1) AS at FROM workspaces w
) newest
"""

NEWEST = """
SELECT w.id, (SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = w.id) FROM workspaces w
WHERE w.id IN (EACH :ids)
"""

LAST_SEQ = "SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = :workspace"


def fitting(wanted: EventFilter, eyes: Viewer) -> dict[str, Any]:
    """The names in SEEN and FITS."""
    return {
        "sees_everything": int(eyes.everything),
        "own": eyes.own,
        "own_in_data": f'%"user":"{eyes.own}"%',
        "by": wanted.actor_id,
        "model": wanted.agent_model,
        "any_kind": int(wanted.kinds is None),
        "kinds": to_json(sorted(wanted.kinds or ())),
    }


def after(tx: Tx, seq: int, limit: int) -> list[LoggedEvent]:
    """Whatever came: for the server itself, never for a caller."""
    return [LoggedEvent(*row) for row in tx.all(ALL, after=seq, limit=limit)]


def page(tx: Tx, seq: int, limit: int, wanted: EventFilter, eyes: Viewer) -> tuple[list[LoggedEvent], int]:
    """What came after a number, and how far up the log was looked at."""
    upto = 2**53 if wanted.has_an_index() else seq + TIMELINE_WINDOW
    names = fitting(wanted, eyes) | {"after": seq, "upto": upto, "limit": limit}
    if wanted.action_id:
        rows = tx.all(PAGE_OF_ACTION, action_id=wanted.action_id, **names)
    elif wanted.project_id:
        rows = tx.all(PAGE_OF_PROJECT, project_id=wanted.project_id, **names)
    else:
        rows = tx.all(PAGE, **names)
    return [LoggedEvent(*row) for row in rows], upto


def news(tx: Tx, action_id: str, after: int, limit: int) -> list[LoggedEvent]:
    """What the holder of an action should hear: answers and verdicts."""
    return [LoggedEvent(*row) for row in tx.all(NEWS, after=after, action_id=action_id, limit=limit)]


def newest_of_kind(tx: Tx, action_id: str, kind: EventKind) -> LoggedEvent | None:
    row = tx.one(NEWEST_OF_KIND, action_id=action_id, kind=kind)
    return LoggedEvent(*row) if row else None


def last_seq(tx: Tx) -> int:
    row = tx.one(LAST_SEQ)
    assert row is not None
    seq: int = row[0]
    return seq


def newest(tx: Tx, workspaces: list[str]) -> dict[str, int]:
    """The last number of each."""
    return {row[0]: row[1] for row in tx.all(NEWEST, ids=to_json(workspaces))}


def newest_time(tx: Tx) -> int:
    row = tx.one(NEWEST_TIME)
    assert row is not None
    moment: int = row[0]
    return moment
