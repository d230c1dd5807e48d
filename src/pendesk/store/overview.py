"""Queries over a whole workspace, for the frame of every page."""

from typing import NamedTuple

from pendesk.store.tx import Tx


class ProjectAtWork(NamedTuple):
    """`active`: how many of its actions are in someone's hands or wait for a review."""

    id: str
    key: str
    name: str
    state: str
    active: int


class Needs(NamedTuple):
    """How many things wait for people."""

    questions: int
    reviews: int
    expired: int
    guests: int


PROJECTS = """
SELECT p.id, p.key, p.name, p.state, (
  SELECT count(*) FROM actions a
  WHERE a.workspace_id = p.workspace_id AND a.project_id = p.id AND a.state IN ('in_progress', 'in_review'))
FROM projects p WHERE p.workspace_id = :workspace AND p.state <> 'archived' ORDER BY p.id LIMIT :limit
"""

QUESTIONS = "SELECT count(*) FROM clarifications WHERE workspace_id = :workspace AND answered_at IS NULL"

# By way of the projects: the index of states begins with them.
REVIEWS = """
SELECT count(*) FROM projects p JOIN actions a ON a.workspace_id = p.workspace_id AND a.project_id = p.id
WHERE p.workspace_id = :workspace AND a.state = 'in_review' AND coalesce(a.state_reason, '') <> 'changes_requested'
"""

EXPIRED = """
SELECT count(*) FROM claims WHERE workspace_id = :workspace AND state = 'active' AND expires_at <= :now
"""

GUESTS = """
SELECT count(*) FROM projects p JOIN inbox_items i ON i.workspace_id = p.workspace_id AND i.project_id = p.id
WHERE p.workspace_id = :workspace AND i.status = 'pending'
"""


def projects(tx: Tx, limit: int) -> list[ProjectAtWork]:
    return [ProjectAtWork(*row) for row in tx.all(PROJECTS, limit=limit)]


def needs(tx: Tx) -> Needs:
    counts = [tx.one(QUESTIONS), tx.one(REVIEWS), tx.one(EXPIRED, now=tx.now), tx.one(GUESTS)]
    return Needs(*(row[0] for row in counts if row is not None))
