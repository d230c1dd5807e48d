"""Queries on CI's checks."""

from collections.abc import Iterable

from pendesk.domain.checks import CheckTally, CiCheck
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql

OF_SHA = f"""
SELECT {columns_sql(CiCheck)} FROM checks
WHERE workspace_id = :workspace AND project_id = :project_id AND sha = :sha ORDER BY name
"""

TALLIES = """
WITH named AS MATERIALIZED (
  SELECT DISTINCT CAST(:workspace AS TEXT) AS workspace_id, r.project_id, r.sha
  FROM (EACH ROW OF :rows (project_id TEXT, sha TEXT)) AS r
)
SELECT c.project_id, c.sha, count(CASE WHEN c.state = 'passed' THEN 1 END),
  count(CASE WHEN c.state = 'failed' THEN 1 END), count(CASE WHEN c.state = 'pending' THEN 1 END),
  count(CASE WHEN c.conclusion = 'success' THEN 1 END), max(c.updated_at)
FROM named n CROSS JOIN checks c
WHERE c.workspace_id = n.workspace_id AND c.project_id = n.project_id AND c.sha = n.sha
GROUP BY c.project_id, c.sha
"""

SAVE = """
INSERT INTO checks (workspace_id, project_id, sha, name, state, url, updated_at, conclusion)
VALUES (:workspace, :project_id, :sha, :name, :state, :url, :updated_at, :conclusion)
ON CONFLICT (workspace_id, project_id, sha, name) DO UPDATE
SET state = excluded.state, url = excluded.url, updated_at = excluded.updated_at, conclusion = excluded.conclusion
"""


def of_commit(tx: Tx, project_id: str, commit_sha: str) -> list[CiCheck]:
    return [CiCheck(*row) for row in tx.all(OF_SHA, project_id=project_id, sha=commit_sha)]


def tallies_by_project_and_sha(
    tx: Tx, projects_and_shas: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], CheckTally]:
    rows = list(projects_and_shas)
    counted = tx.all(TALLIES, rows=to_json(rows)) if rows else []
    return {(project_id, sha): CheckTally(*counts) for project_id, sha, *counts in counted}


def save(tx: Tx, check: CiCheck) -> None:
    tx.run(SAVE, **check._asdict())
