"""Queries on clarifications."""

from pendesk.domain.clarification import Clarification
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("clarifications", Clarification)

OF_ACTION = f"""
SELECT {columns_sql(Clarification)} FROM clarifications
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id
"""

_PROJECT_ID = "(SELECT a.project_id FROM actions a WHERE a.workspace_id = :workspace AND a.id = action_id)"

BY_ID = f"""
SELECT {columns_sql(Clarification)} FROM clarifications
WHERE workspace_id = :workspace AND id = :id AND {is_there(_PROJECT_ID)}
"""

ACTION_OF = "SELECT action_id FROM clarifications WHERE workspace_id = :workspace AND id = :id"

ANSWER = """
UPDATE clarifications SET answer = :answer, answered_by = :answered_by, answered_at = :answered_at,
  answered_door = :answered_door, relayed = :relayed, written_back_revision = :written_back_revision
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, clarification: Clarification) -> None:
    tx.run(INSERT, **clarification._asdict())


def of_action(tx: Tx, action_id: str) -> list[Clarification]:
    return [Clarification(*row) for row in tx.all(OF_ACTION, action_id=action_id)]


def by_id(tx: Tx, clarification_id: str) -> Clarification | None:
    row = tx.one(BY_ID, id=clarification_id)
    return Clarification(*row) if row else None


def action_id_of(tx: Tx, clarification_id: str) -> str | None:
    row = tx.one(ACTION_OF, id=clarification_id)
    return row[0] if row else None


def save_answer(tx: Tx, answered: Clarification) -> None:
    tx.run(
        ANSWER,
        id=answered.id,
        answer=answered.answer,
        answered_by=answered.answered_by,
        answered_at=answered.answered_at,
        answered_door=answered.answered_door,
        relayed=answered.relayed,
        written_back_revision=answered.written_back_revision,
    )
