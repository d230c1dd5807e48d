"""Queries over a whole workspace, for the frame of every page."""

from typing import NamedTuple

from pendesk.store.engine.tx import Tx


class ProjectActivity(NamedTuple):
    """`active`: how many of its actions are in someone's hands or wait for a review."""

    id: str
    key: str
    name: str
    state: str
    active: int


PROJECTS = """
SELECT p.id, p.key, p.name, p.state, (
  SELECT count(*) FROM actions a
  WHERE a.workspace_id = p.workspace_id AND a.project_id = p.id
    AND a.state IN ('in_progress', 'in_review', 'changes_requested'))
FROM projects p WHERE p.workspace_id = :workspace AND p.state <> 'archived' ORDER BY p.id LIMIT :limit
"""


def projects_with_active_action_counts(tx: Tx, limit: int) -> list[ProjectActivity]:
    return [ProjectActivity(*row) for row in tx.all(PROJECTS, limit=limit)]
