"""Queries on CI's checks."""

from pendesk.domain.checks import CiCheck
from pendesk.store.engine.tx import Tx, columns_sql

OF_SHA = f"""
SELECT {columns_sql(CiCheck)} FROM checks
WHERE workspace_id = :workspace AND project_id = :project_id AND sha = :sha ORDER BY name
"""

SAVE = """
INSERT INTO checks (workspace_id, project_id, sha, name, state, url, updated_at, conclusion)
VALUES (:workspace, :project_id, :sha, :name, :state, :url, :updated_at, :conclusion)
ON CONFLICT (workspace_id, project_id, sha, name) DO UPDATE
SET state = excluded.state, url = excluded.url, updated_at = excluded.updated_at, conclusion = excluded.conclusion
"""


def of_commit(tx: Tx, project_id: str, commit_sha: str) -> list[CiCheck]:
    return [CiCheck(*row) for row in tx.all(OF_SHA, project_id=project_id, sha=commit_sha)]


def save(tx: Tx, check: CiCheck) -> None:
    tx.run(SAVE, **check._asdict())
