"""Queries on CI's checks."""

from pendesk.domain.checks import Check
from pendesk.store.engine.tx import Tx, columns

OF_SHA = f"""
SELECT {columns(Check)} FROM checks
WHERE workspace_id = :workspace AND project_id = :project_id AND sha = :sha ORDER BY name
"""

SAVE = """
INSERT INTO checks (workspace_id, project_id, sha, name, state, url, updated_at, conclusion)
VALUES (:workspace, :project_id, :sha, :name, :state, :url, :updated_at, :conclusion)
ON CONFLICT (workspace_id, project_id, sha, name) DO UPDATE
SET state = excluded.state, url = excluded.url, updated_at = excluded.updated_at, conclusion = excluded.conclusion
"""


def of_sha(tx: Tx, project_id: str, sha: str) -> list[Check]:
    return [Check(*row) for row in tx.all(OF_SHA, project_id=project_id, sha=sha)]


def save(tx: Tx, check: Check) -> None:
    tx.run(SAVE, **check._asdict())
