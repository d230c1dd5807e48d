"""What is kept beside the actions of a workspace, made again: their states by folding the log, how many there are by
counting them.
"""

from collections import Counter
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


Counts = dict[tuple[str, str], int]


def kept_and_counted(tx: Any) -> tuple[Counts, Counts]:
    """By project, and by whether they were made, done or dropped."""
    rows = tx.all("SELECT project_id, kind, count FROM action_tallies WHERE workspace_id = :workspace")
    kept: Counter[tuple[str, str]] = Counter()
    for project_id, kind, count in rows:
        kept[project_id, kind] += count
    counted: Counter[tuple[str, str]] = Counter()
    for project_id, state in tx.all("SELECT project_id, state FROM actions WHERE workspace_id = :workspace"):
        counted[project_id, "made"] += 1
        counted[project_id, state] += state in ("done", "wont_do")
    return {key: count for key, count in kept.items() if count}, {key: count for key, count in counted.items() if count}


async def check_fold(desk: TestDesk) -> FoldedActions:
    """Folding the log gives the states of the tables; both are the same, so one is returned. What is kept is right."""
    folded, stored = await desk.store.read(desk.workspace, folded_and_stored)
    assert folded == stored
    await check_tallies(desk)
    return folded


async def check_tallies(desk: TestDesk) -> None:
    kept, counted = await desk.store.read(desk.workspace, kept_and_counted)
    assert kept == counted
