"""Queries on the one log."""

from pendesk.domain.event import EventKind, LoggedEvent
from pendesk.store.json_text import to_json
from pendesk.store.tx import Tx, columns

# One statement for each way of looking, so that each has its index: OR-ing filters together would have none.
_SELECT = f"SELECT {columns(LoggedEvent)} FROM events WHERE workspace_id = :workspace AND seq > :after"
_ORDER = " ORDER BY seq LIMIT :limit"

ALL = _SELECT + _ORDER
OF_PROJECT = _SELECT + " AND project_id = :project_id" + _ORDER
OF_ACTION = _SELECT + " AND action_id = :action_id" + _ORDER
NEWS = _SELECT + " AND action_id = :action_id AND kind IN ('clarification.answered', 'action.reviewed')" + _ORDER

NEWEST_OF_KIND = f"""
SELECT {columns(LoggedEvent)} FROM events
WHERE workspace_id = :workspace AND action_id = :action_id AND kind = :kind ORDER BY seq DESC LIMIT 1
"""

# Over all workspaces, by each one's newest event.
NEWEST_TIME = """
SELECT coalesce(max(e.at), 0) FROM workspaces w JOIN events e
  ON e.workspace_id = w.id AND e.seq = (SELECT max(seq) FROM events WHERE workspace_id = w.id)
"""

NEWEST = """
SELECT w.id, (SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = w.id) FROM workspaces w
WHERE w.id IN (EACH :ids)
"""

LAST_SEQ = "SELECT coalesce(max(seq), 0) FROM events WHERE workspace_id = :workspace"


def after(
    tx: Tx, seq: int, limit: int, *, project_id: str | None = None, action_id: str | None = None
) -> list[LoggedEvent]:
    if action_id is not None:
        rows = tx.all(OF_ACTION, after=seq, limit=limit, action_id=action_id)
    elif project_id is not None:
        rows = tx.all(OF_PROJECT, after=seq, limit=limit, project_id=project_id)
    else:
        rows = tx.all(ALL, after=seq, limit=limit)
    return [LoggedEvent(*row) for row in rows]


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
