"""Queries on who watches what, and on what they have not looked at since. domain/watching.py has the rule."""

from pendesk.domain.watching import Happening, Watched, Watcher
from pendesk.store.engine.tx import Tx

# By what is watched: who does, and why. Of the reasons the first in this order is told.
_SAID = """
SELECT x.user_id, '{why}' AS why, {rank} AS rank FROM watches x
WHERE x.workspace_id = :workspace AND x.object_id = {object} AND x.watching = 1
"""
_COMMENTED = """
SELECT c.author_id, 'commented', 3 FROM comments c WHERE c.workspace_id = :workspace AND c.{kind}_id = :object_id
UNION ALL
SELECT n.user_id, 'mentioned', 4 FROM comments c CROSS JOIN mentions n
WHERE c.workspace_id = :workspace AND c.{kind}_id = :object_id
  AND n.workspace_id = c.workspace_id AND n.comment_id = c.id AND n.user_id IS NOT NULL
"""
_OF_ACTION = f"""
{_SAID.format(why="chosen", rank=0, object=":object_id")} UNION ALL
SELECT a.created_by, 'author', 1 FROM actions a WHERE a.workspace_id = :workspace AND a.id = :object_id UNION ALL
SELECT a.assignee_user_id, 'assignee', 2 FROM actions a
WHERE a.workspace_id = :workspace AND a.id = :object_id AND a.assignee_user_id IS NOT NULL UNION ALL
SELECT g.user_id, 'assignee', 2 FROM actions a CROSS JOIN agents g
WHERE a.workspace_id = :workspace AND a.id = :object_id
  AND g.workspace_id = a.workspace_id AND g.id = a.assignee_agent_id UNION ALL
{_COMMENTED.format(kind="action")} UNION ALL
{_SAID.format(why="spec", rank=5, object=":spec_id")} UNION ALL
{_SAID.format(why="project", rank=6, object=":project_id")} AND NOT EXISTS (
  SELECT 1 FROM watches y WHERE y.workspace_id = :workspace AND y.user_id = x.user_id AND y.object_id = :spec_id)
"""
_OF_SPEC = f"""
{_SAID.format(why="chosen", rank=0, object=":object_id")} UNION ALL
SELECT s.created_by, 'author', 1 FROM specs s WHERE s.workspace_id = :workspace AND s.id = :object_id UNION ALL
{_COMMENTED.format(kind="spec")} UNION ALL
{_SAID.format(why="project", rank=6, object=":project_id")}
"""
_OF_PROJECT = _SAID.format(why="chosen", rank=0, object=":object_id")
_SOURCES = {"action": _OF_ACTION, "spec": _OF_SPEC, "project": _OF_PROJECT}

# Present people, and none who has said that they do not want to.
_PRESENT = """
CROSS JOIN members m CROSS JOIN users u
WHERE m.workspace_id = :workspace AND m.user_id = w.user_id AND m.removed_at IS NULL
  AND u.id = w.user_id AND u.kind = 'person' AND NOT EXISTS (
  SELECT 1 FROM watches z
  WHERE z.workspace_id = :workspace AND z.user_id = w.user_id AND z.object_id = :object_id AND z.watching = 0)
"""
WATCHERS = {
    kind: f"SELECT w.user_id, u.name, w.why FROM ({sources}) w {_PRESENT} ORDER BY w.rank, u.name, w.user_id"
    for kind, sources in _SOURCES.items()
}

# Who did it knows; what one of their agents did is news to them.
ADD_NEWS = {
    kind: f"""
INSERT INTO watch_news
  (workspace_id, user_id, object_id, project_id, action_id, spec_id, kind, actor_id, session_id, at, changes)
SELECT DISTINCT :workspace, w.user_id, :object_id, :project_id, :action_id, :own_spec_id, :kind, :actor_id, :session_id,
  CAST(:now AS BIGINT), 1
FROM ({_SOURCES[kind]}) w {_PRESENT} AND w.user_id <> :but
ON CONFLICT (workspace_id, user_id, object_id) DO UPDATE
SET kind = excluded.kind, actor_id = excluded.actor_id, session_id = excluded.session_id, at = excluded.at,
  changes = watch_news.changes + 1
"""
    for kind in ("action", "spec")
}

SET = """
INSERT INTO watches (workspace_id, user_id, object_id, project_id, watching, changed_at)
VALUES (:workspace, :user_id, :object_id, :project_id, :watching, :now)
ON CONFLICT (workspace_id, user_id, object_id) DO UPDATE
SET watching = excluded.watching, changed_at = excluded.changed_at
"""

READ = "DELETE FROM watch_news WHERE workspace_id = :workspace AND user_id = :user_id AND object_id = :object_id"
READ_ALL = "DELETE FROM watch_news WHERE workspace_id = :workspace AND user_id = :user_id"


def set_watching(tx: Tx, user_id: str, watched: Watched, watching: bool) -> None:
    tx.run(
        SET,
        user_id=user_id,
        object_id=watched.object_id,
        project_id=watched.project_id,
        watching=int(watching),
        now=tx.now,
    )


def watchers(tx: Tx, watched: Watched) -> list[Watcher]:
    """Each once, with the first reason."""
    names = {"object_id": watched.object_id, "project_id": watched.project_id, "spec_id": watched.spec_id or ""}
    by_user_id: dict[str, Watcher] = {}
    for row in tx.all(WATCHERS[watched.kind], **names):
        by_user_id.setdefault(row[0], Watcher(*row))
    return list(by_user_id.values())


def add_news(tx: Tx, happening: Happening) -> None:
    watched = happening.watched
    tx.run(
        ADD_NEWS[watched.kind],
        object_id=watched.object_id,
        project_id=watched.project_id,
        spec_id=watched.spec_id or "",
        action_id=watched.object_id if watched.kind == "action" else None,
        own_spec_id=watched.object_id if watched.kind == "spec" else None,
        kind=happening.kind,
        actor_id=happening.actor_id or None,
        session_id=happening.session_id,
        but="" if happening.session_id else happening.actor_id,
        now=tx.now,
    )


def mark_read(tx: Tx, user_id: str, object_id: str) -> None:
    tx.run(READ, user_id=user_id, object_id=object_id)


def mark_all_read(tx: Tx, user_id: str) -> None:
    tx.run(READ_ALL, user_id=user_id)
