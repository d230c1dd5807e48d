"""The log of a workspace folded, beside what its tables hold."""

from typing import Any

from pendesk.domain.fold import FoldedActions, fold_events
from pendesk.store import events, states
from tests.desk import TestDesk

WHOLE_LOG = 1_000_000


def folded_and_stored(tx: Any) -> tuple[FoldedActions, FoldedActions]:
    stored: FoldedActions = {}
    for (project_id,) in tx.all("SELECT id FROM projects WHERE workspace_id = :workspace"):
        stored |= states.project_action_states_from_tables(tx, project_id)
    return fold_events(events.all_after_ignoring_visibility(tx, 0, WHOLE_LOG)), stored


async def check_fold(desk: TestDesk) -> FoldedActions:
    """Folding the log gives the states of the tables; both are the same, so one is returned."""
    folded, stored = await desk.store.read(desk.workspace, folded_and_stored)
    assert folded == stored
    return folded
