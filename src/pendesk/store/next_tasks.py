"""Queries of what comes next in a project: its open tasks, what waits for what among them, and the one to show."""

from typing import NamedTuple

from pendesk.domain.assignee import Assignee
from pendesk.domain.next_task import OpenTask
from pendesk.store.claims import LIVE_LEASES_OF_USER
from pendesk.store.engine.tx import Row, Tx, all_at_once
from pendesk.store.projects import OPEN_STATES
from pendesk.store.proposals import DraftRequest


class OpenWork(NamedTuple):
    """All that still holds back what waits for it, without the texts; (comes first, comes after) of all that comes
    before it, open or not; and how many slots the caller's leases take.
    """

    tasks: list[OpenTask]
    pairs: list[Row]
    live_leases: int


class ShownTask(NamedTuple):
    """`criteria`: how many it has."""

    id: str
    ref_number: int
    label: str
    state: str
    priority: int
    description: str
    due_on: str | None
    assignee: Assignee
    criteria: int
    draft_request: DraftRequest | None


# What prerequisites.unresolved says, each part by its index: that of what was dropped and not accepted, and not, by the
# project, that of all that ever was.
_IS_OPEN = f"a.workspace_id = :workspace AND a.project_id = :project_id AND a.state IN {OPEN_STATES}"
_IS_DROPPED = """a.workspace_id = :workspace AND a.state = 'wont_do' AND a.drop_accepted_at IS NULL
  AND a.project_id || '' = :project_id"""

_TASK = """
SELECT a.id, a.ref_number, a.label, a.priority, a.assignee_user_id, a.assignee_agent_id, a.due_on, a.state, a.spec_id,
  {claim}, a.fence, CASE WHEN a.paths <> '[]' THEN 1 ELSE 0 END, {draft} FROM actions a
"""
OPEN_OF_PROJECT = f"""
{_TASK.format(claim="c.user_id, c.state, c.expires_at", draft="d.kind")}
LEFT JOIN draft_requests d ON d.workspace_id = a.workspace_id AND d.action_id = a.id
LEFT JOIN claims c ON c.workspace_id = a.workspace_id
  AND c.id = CASE WHEN a.state IN ('in_progress', 'changes_requested') THEN a.claim_id END
WHERE {_IS_OPEN}
UNION ALL
{_TASK.format(claim="NULL, NULL, NULL", draft="NULL")} WHERE {_IS_DROPPED}
LIMIT :limit
"""

# CROSS JOIN: what is open first, not all edges of the workspace.
_ORDER = """SELECT e.before_id, e.after_id FROM actions a CROSS JOIN edges e
WHERE {which} AND e.workspace_id = a.workspace_id AND e.after_id = a.id"""
ORDER_OF_OPEN = f"{_ORDER.format(which=_IS_OPEN)} UNION ALL {_ORDER.format(which=_IS_DROPPED)}"

SHOWN = """
SELECT a.id, a.ref_number, a.label, a.state, a.priority, a.description, a.due_on, a.assignee_user_id,
  a.assignee_agent_id, (SELECT count(*) FROM criteria c
    WHERE c.workspace_id = a.workspace_id AND c.action_id = a.id AND c.removed_at IS NULL),
  d.action_id, d.kind, d.spec_id, d.note_id
FROM actions a LEFT JOIN draft_requests d ON d.workspace_id = a.workspace_id AND d.action_id = a.id
WHERE a.workspace_id = :workspace AND a.id = :id
"""


def open_of_project(tx: Tx, project_id: str, user_id: str, limit: int) -> OpenWork:
    tasks, pairs, leases = all_at_once(
        tx,
        (OPEN_OF_PROJECT, {"project_id": project_id, "limit": limit}),
        (ORDER_OF_OPEN, {"project_id": project_id}),
        (LIVE_LEASES_OF_USER, {"user_id": user_id, "now": tx.now}),
    )
    return OpenWork(list(map(OpenTask._make, tasks)), pairs, leases[0][0])


def shown(tx: Tx, task_id: str) -> ShownTask:
    row = tx.one(SHOWN, id=task_id)
    assert row is not None
    ident, number, label, state, priority, description, due_on, user_id, agent_id, criteria = row[:10]
    request = DraftRequest(*row[10:]) if row[10] is not None else None
    assignee = Assignee(user_id, agent_id)
    return ShownTask(ident, number, label, state, priority, description, due_on, assignee, criteria, request)
