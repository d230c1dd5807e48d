"""Queries on agent runs."""

from pendesk.domain.run import AgentRun
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql
from pendesk.store.projects import is_there

INSERT = insert_sql("agent_runs", AgentRun)

BY_ID = f"""
SELECT {columns_sql(AgentRun)} FROM agent_runs WHERE workspace_id = :workspace AND id = :id AND {is_there("project_id")}
"""

LOCK = "SELECT 1 FROM agent_runs WHERE workspace_id = :workspace AND id = :id FOR NO KEY UPDATE"

# The newest first: what runs now is what people look for.
PAGE = f"""
SELECT {columns_sql(AgentRun)} FROM agent_runs
WHERE workspace_id = :workspace AND project_id = :project_id AND id < :before ORDER BY id DESC LIMIT :limit
"""

# Sorted outside: by an ORDER BY inside, SQLite would rather go through every run of the workspace, which are in order.
NEWEST_OF_ACTION = f"""
WITH of_action AS MATERIALIZED (
  SELECT {columns_sql(AgentRun)} FROM agent_runs WHERE workspace_id = :workspace AND action_id = :action_id
)
SELECT {columns_sql(AgentRun)} FROM of_action ORDER BY id DESC LIMIT :limit
"""

TOUCH = "UPDATE agent_runs SET last_at = :now WHERE workspace_id = :workspace AND id = :id"

END = """
UPDATE agent_runs SET status = :status, tokens = :tokens, cost_micros = :cost_micros, result = :result,
  last_at = :now, ended_at = :now
WHERE workspace_id = :workspace AND id = :id
"""


def add(tx: Tx, run: AgentRun) -> None:
    tx.run(INSERT, **run._asdict())


def by_id(tx: Tx, run_id: str) -> AgentRun | None:
    row = tx.one(BY_ID, id=run_id)
    return AgentRun(*row) if row else None


def lock(tx: Tx, run_id: str) -> None:
    tx.lock(LOCK, id=run_id)


def page(tx: Tx, project_id: str, before_id: str, limit: int) -> list[AgentRun]:
    return [AgentRun(*row) for row in tx.all(PAGE, project_id=project_id, before=before_id, limit=limit)]


def newest_of_action(tx: Tx, action_id: str, limit: int) -> list[AgentRun]:
    return [AgentRun(*row) for row in tx.all(NEWEST_OF_ACTION, action_id=action_id, limit=limit)]


def set_last_activity_to_now(tx: Tx, run_id: str) -> None:
    tx.run(TOUCH, id=run_id, now=tx.now)


def end(tx: Tx, run: AgentRun) -> None:
    tx.run(
        END,
        id=run.id,
        status=run.status,
        tokens=run.tokens,
        cost_micros=run.cost_micros,
        result=run.result,
        now=tx.now,
    )
