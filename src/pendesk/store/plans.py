"""Queries on plans."""

from pendesk.domain.project import Plan
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("plans", Plan)

_PROJECT_ID = "(SELECT s.project_id FROM specs s WHERE s.workspace_id = :workspace AND s.id = spec_id)"

BY_ID = f"""
SELECT {columns_sql(Plan)} FROM plans WHERE workspace_id = :workspace AND id = :id AND {is_there(_PROJECT_ID)}
"""

OF_SPEC = f"SELECT {columns_sql(Plan)} FROM plans WHERE workspace_id = :workspace AND spec_id = :spec_id ORDER BY id"

EDIT = """
UPDATE plans SET title = :title, approach = :approach, revision = :revision, updated_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, plan: Plan) -> None:
    tx.run(INSERT, **plan._asdict())


def by_id(tx: Tx, plan_id: str) -> Plan | None:
    row = tx.one(BY_ID, id=plan_id)
    return Plan(*row) if row else None


def of_spec(tx: Tx, spec_id: str) -> list[Plan]:
    return [Plan(*row) for row in tx.all(OF_SPEC, spec_id=spec_id)]


def update(tx: Tx, plan: Plan) -> None:
    tx.run(EDIT, id=plan.id, title=plan.title, approach=plan.approach, revision=plan.revision, now=tx.now)
