"""Queries on commits and test results."""

from pendesk.domain.report import Commit, CriterionTest
from pendesk.store.json_text import to_json
from pendesk.store.tx import Tx, columns, insert

INSERT_COMMIT = insert("commits", Commit)

BY_SHA = f"""
SELECT {columns(Commit)} FROM commits
WHERE workspace_id = :workspace AND project_id = :project_id AND sha = :sha
"""

LINK_ACTION = """
INSERT INTO commit_actions (workspace_id, action_id, commit_id, linked_at)
VALUES (:workspace, :action_id, :commit_id, :now) ON CONFLICT DO NOTHING
"""

LINK_CRITERIA = """
INSERT INTO commit_criteria (workspace_id, criterion_id, commit_id)
SELECT workspace_id, id, :commit_id FROM criteria WHERE workspace_id = :workspace AND id IN (EACH :criterion_ids)
ON CONFLICT DO NOTHING
"""

OF_ACTION = f"""
SELECT {columns(Commit, "c")} FROM commit_actions ca
JOIN commits c ON c.workspace_id = ca.workspace_id AND c.id = ca.commit_id
WHERE ca.workspace_id = :workspace AND ca.action_id = :action_id ORDER BY ca.linked_at DESC, c.id DESC LIMIT :limit
"""

INSERT_RESULT = insert("test_results", CriterionTest)

NEWEST_RESULTS = f"""
SELECT {columns(CriterionTest)} FROM test_results
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id DESC LIMIT :limit
"""

RESULTS_OF_ACTION = f"""
SELECT {columns(CriterionTest)} FROM test_results
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id
"""


def commit_by_sha(tx: Tx, project_id: str, sha: str) -> Commit | None:
    row = tx.one(BY_SHA, project_id=project_id, sha=sha)
    return Commit(*row) if row else None


def add_commit(tx: Tx, commit: Commit) -> None:
    tx.run(INSERT_COMMIT, **commit._asdict())


def link_commit(tx: Tx, commit_id: str, action_id: str, criterion_ids: list[str]) -> None:
    tx.run(LINK_ACTION, commit_id=commit_id, action_id=action_id, now=tx.now)
    if criterion_ids:
        tx.run(LINK_CRITERIA, commit_id=commit_id, criterion_ids=to_json(criterion_ids))


def commits_of_action(tx: Tx, action_id: str, limit: int) -> list[Commit]:
    """The newest first."""
    return [Commit(*row) for row in tx.all(OF_ACTION, action_id=action_id, limit=limit)]


def head_sha(tx: Tx, action_id: str) -> str | None:
    newest = commits_of_action(tx, action_id, 1)
    return newest[0].sha if newest else None


def add_test_result(tx: Tx, result: CriterionTest) -> None:
    tx.run(INSERT_RESULT, **result._asdict())


def test_results_of_action(tx: Tx, action_id: str) -> list[CriterionTest]:
    return [CriterionTest(*row) for row in tx.all(RESULTS_OF_ACTION, action_id=action_id)]


def newest_test_results(tx: Tx, action_id: str, limit: int) -> list[CriterionTest]:
    return [CriterionTest(*row) for row in tx.all(NEWEST_RESULTS, action_id=action_id, limit=limit)]
