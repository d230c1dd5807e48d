"""Which records an action has: one look instead of a query for each kind that finds nothing."""

from typing import NamedTuple

from pendesk.domain.limits import BRIEF_CLAIMS
from pendesk.store.engine.tx import Tx

_OF_ACTION = "r.workspace_id = :workspace AND r.action_id = :action_id"
_OF_READER = "{0}.user_id = :user_id AND coalesce({0}.session_id, '') = :session_id"
EXISTING = f"""
SELECT
  EXISTS (SELECT 1 FROM clarifications r WHERE {_OF_ACTION}),
  EXISTS (SELECT 1 FROM submissions r WHERE {_OF_ACTION}),
  EXISTS (SELECT 1 FROM commit_actions r WHERE {_OF_ACTION}),
  EXISTS (SELECT 1 FROM test_results r WHERE {_OF_ACTION}),
  EXISTS (SELECT 1 FROM evidence r WHERE {_OF_ACTION}),
  EXISTS (SELECT 1 FROM recorded_events r WHERE {_OF_ACTION} AND r.kind = 'report.late'),
  EXISTS (SELECT 1 FROM edges r WHERE r.workspace_id = :workspace AND r.after_id = :action_id),
  EXISTS (SELECT 1 FROM documents r WHERE r.workspace_id = :workspace AND r.linked_action_id = :action_id),
  EXISTS (SELECT 1 FROM (
    SELECT r.user_id, r.session_id FROM claims r WHERE {_OF_ACTION} ORDER BY r.fence DESC LIMIT {BRIEF_CLAIMS}
  ) newest WHERE NOT ({_OF_READER.format("newest")})),
  (SELECT r.last_message FROM claims r WHERE {_OF_ACTION} AND {_OF_READER.format("r")} AND r.last_message IS NOT NULL
   ORDER BY r.fence DESC LIMIT 1)
"""


class ActionRecords(NamedTuple):
    """Whether there are any. `other_holders`: than the reader's own session, or the person in person; `own_message`
    is the last progress that these reported.
    """

    questions: bool
    submissions: bool
    commits: bool
    test_results: bool
    evidence: bool
    late_reports: bool
    prerequisites: bool
    documents: bool
    other_holders: bool
    own_message: str | None


def read_ahead_existing(tx: Tx, action_id: str, user_id: str, session_id: str | None) -> None:
    tx.read_ahead(EXISTING, action_id=action_id, user_id=user_id, session_id=session_id or "")


def existing(tx: Tx, action_id: str, user_id: str, session_id: str | None) -> ActionRecords:
    """To the eyes of a reader; of an empty `user_id` nothing is their own."""
    row = tx.one(EXISTING, action_id=action_id, user_id=user_id, session_id=session_id or "")
    assert row is not None
    *exist, own_message = row
    return ActionRecords._make([*map(bool, exist), own_message])
