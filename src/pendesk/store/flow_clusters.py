"""Queries of the flow of a project with many actions: spec by spec. A blank spec id is that of actions without one."""

from typing import NamedTuple

from pendesk.domain.limits import CLOSED_LOOKED_AT
from pendesk.store.board import looked_at
from pendesk.store.engine.tx import Row, Tx
from pendesk.store.projects import OPEN_STATES

COUNTS = f"""
SELECT coalesce(a.spec_id, ''), a.state, count(*) FROM ({looked_at("spec_id, state")}) a
GROUP BY a.spec_id, a.state
"""

# CROSS JOIN: what is open first, then what it waits for.
EDGES = f"""
SELECT coalesce(b.spec_id, ''), coalesce(a.spec_id, ''), count(*),
  sum(CASE WHEN b.state IN {OPEN_STATES} THEN 1 ELSE 0 END)
FROM actions a CROSS JOIN edges e CROSS JOIN actions b
WHERE a.workspace_id = :workspace AND a.project_id = :project_id AND a.state IN {OPEN_STATES}
  AND e.workspace_id = a.workspace_id AND e.after_id = a.id AND b.workspace_id = e.workspace_id AND b.id = e.before_id
  AND coalesce(b.spec_id, '') <> coalesce(a.spec_id, '')
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT :limit
"""

OF_SPEC = """
SELECT a.id, a.state FROM plans p CROSS JOIN actions a
WHERE p.workspace_id = :workspace AND p.spec_id = :spec_id
  AND a.workspace_id = p.workspace_id AND a.plan_id = p.id AND a.project_id || '' = :project_id
ORDER BY CASE WHEN a.state IN ('done', 'wont_do') THEN 1 ELSE 0 END, a.updated_at DESC, a.ref_number DESC
"""


class SpecEdge(NamedTuple):
    before: str
    after: str
    edges: int
    unresolved: int


def counts_by_spec_and_state(tx: Tx, project_id: str) -> list[Row]:
    """Of all that is open, and of the newest of what is closed."""
    return tx.all(COUNTS, project_id=project_id, closed=CLOSED_LOOKED_AT)


def edges_between_specs(tx: Tx, project_id: str, limit: int) -> list[SpecEdge]:
    """Those that most actions have first."""
    return [SpecEdge(*row) for row in tx.all(EDGES, project_id=project_id, limit=limit)]


def action_ids_and_states_of_spec(tx: Tx, project_id: str, spec_id: str) -> list[Row]:
    """However long ago they were closed: those that are open first, then the newest."""
    return tx.all(OF_SPEC, project_id=project_id, spec_id=spec_id)
