"""Which kinds of records an action has: one look instead of a query for each that finds nothing."""

from typing import NamedTuple

from pendesk.store.engine.tx import Tx

_EXISTS = "EXISTS (SELECT 1 FROM {0} r WHERE r.workspace_id = :workspace AND r.action_id = :action_id)"
_TABLES = ("clarifications", "submissions", "commit_actions", "test_results")
EXISTING = "SELECT " + ", ".join(_EXISTS.format(table) for table in _TABLES)


class ActionRecords(NamedTuple):
    """Whether there are any."""

    questions: bool
    submissions: bool
    commits: bool
    test_results: bool


def existing(tx: Tx, action_id: str) -> ActionRecords:
    row = tx.one(EXISTING, action_id=action_id)
    assert row is not None
    return ActionRecords(*map(bool, row))
