"""Queries on deviations, and on the results of commands that a spec requires."""

from pendesk.domain.deviation import CommandResult, Deviation, DeviationKind, DeviationState
from pendesk.domain.report import Outcome
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx, columns_sql, insert_sql

INSERT = insert_sql("deviations", Deviation)

OF_SUBMISSION = f"""
SELECT {columns_sql(Deviation)} FROM deviations
WHERE workspace_id = :workspace AND submission_id = :submission_id ORDER BY position
"""

ACCEPTED_OF_ACTION = f"""
SELECT {columns_sql(Deviation)} FROM deviations
WHERE workspace_id = :workspace AND action_id = :action_id AND state = 'accepted'
ORDER BY decided_at DESC, id DESC LIMIT :limit
"""

DELETE = "DELETE FROM deviations WHERE workspace_id = :workspace AND submission_id = :submission_id"

DECIDE = """
UPDATE deviations SET state = :state, decided_by = :decided_by, decided_at = :now
WHERE workspace_id = :workspace AND id IN (EACH :ids)
"""

# Of what each action submitted last.
OPEN_COUNTS = """
SELECT d.action_id, count(*) FROM deviations d
WHERE d.workspace_id = :workspace AND d.action_id IN (EACH :action_ids) AND d.state = 'open' AND d.submission_id = (
  SELECT s.id FROM submissions s WHERE s.workspace_id = d.workspace_id AND s.action_id = d.action_id
  ORDER BY s.number DESC LIMIT 1)
GROUP BY d.action_id
"""

INSERT_COMMAND = insert_sql("command_results", CommandResult)

COMMANDS = f"""
SELECT {columns_sql(CommandResult)} FROM command_results
WHERE workspace_id = :workspace AND submission_id = :submission_id ORDER BY position
"""


def of_submission(tx: Tx, submission_id: str) -> list[Deviation]:
    return [_deviation(row) for row in tx.all(OF_SUBMISSION, submission_id=submission_id)]


def accepted_of_action(tx: Tx, action_id: str, limit: int) -> list[Deviation]:
    """Of every submission; what was accepted last comes first."""
    return [_deviation(row) for row in tx.all(ACCEPTED_OF_ACTION, action_id=action_id, limit=limit)]


def replace(tx: Tx, submission_id: str, deviations: list[Deviation]) -> None:
    tx.run(DELETE, submission_id=submission_id)
    for deviation in deviations:
        tx.run(INSERT, **deviation._asdict())


def decide(tx: Tx, deviation_ids: list[str], state: DeviationState, decided_by: str) -> None:
    tx.run(DECIDE, ids=to_json(deviation_ids), state=state, decided_by=decided_by, now=tx.now)


def open_count_by_action_id(tx: Tx, action_ids: list[str]) -> dict[str, int]:
    """Of the newest submission of each; without those that have none."""
    rows = tx.all(OPEN_COUNTS, action_ids=to_json(action_ids)) if action_ids else []
    return {row[0]: row[1] for row in rows}


def add_commands(tx: Tx, results: list[CommandResult]) -> None:
    for result in results:
        tx.run(INSERT_COMMAND, **result._asdict())


def commands_of(tx: Tx, submission_id: str) -> list[CommandResult]:
    results = [CommandResult(*row) for row in tx.all(COMMANDS, submission_id=submission_id)]
    return [result._replace(outcome=Outcome(result.outcome)) for result in results]


def _deviation(row: Row) -> Deviation:
    deviation = Deviation(*row)
    return deviation._replace(kind=DeviationKind(deviation.kind), state=DeviationState(deviation.state))
