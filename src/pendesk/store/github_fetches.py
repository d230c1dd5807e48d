"""Queries on the GitHub tokens of projects, and on what is to be read with them."""

from pendesk.domain.github_api import DueFetch, GithubFetch, GithubToken
from pendesk.store.engine.tx import Tx, columns_sql

TOKEN = f"""
SELECT {columns_sql(GithubToken)} FROM github_tokens WHERE workspace_id = :workspace AND project_id = :project_id
"""

TOKENS_OF_WORKSPACE = f"""
SELECT {columns_sql(GithubToken)} FROM github_tokens WHERE workspace_id = :workspace ORDER BY project_id
"""

SAVE = """
INSERT INTO github_tokens (workspace_id, project_id, sealed_token, set_by, set_at, checked_at, problem)
VALUES (:workspace, :project_id, :sealed_token, :set_by, :set_at, :checked_at, :problem)
ON CONFLICT (workspace_id, project_id) DO UPDATE
SET sealed_token = excluded.sealed_token, set_by = excluded.set_by, set_at = excluded.set_at,
  checked_at = excluded.checked_at, problem = excluded.problem
"""

# Not one that was set meanwhile.
SAVE_CHECKED = """
UPDATE github_tokens SET checked_at = :now, problem = :problem
WHERE workspace_id = :workspace AND project_id = :project_id AND set_at = :set_at
"""

REMOVE = "DELETE FROM github_tokens WHERE workspace_id = :workspace AND project_id = :project_id"

FETCH = f"""
SELECT {columns_sql(GithubFetch)} FROM github_fetches WHERE workspace_id = :workspace AND action_id = :action_id
"""

LOCK_FETCH = """
SELECT 1 FROM github_fetches WHERE workspace_id = :workspace AND action_id = :action_id FOR NO KEY UPDATE
"""

SAVE_FETCH = """
INSERT INTO github_fetches (workspace_id, action_id, submission_id, due_at, tries, problem)
VALUES (:workspace, :action_id, :submission_id, :due_at, :tries, :problem)
ON CONFLICT (workspace_id, action_id) DO UPDATE
SET submission_id = excluded.submission_id, due_at = excluded.due_at, tries = excluded.tries,
  problem = excluded.problem
"""

REMOVE_FETCH = "DELETE FROM github_fetches WHERE workspace_id = :workspace AND action_id = :action_id"

# Of what is in review in a project, the submissions that name a pull request.
QUEUE_OF_PROJECT = """
INSERT INTO github_fetches (workspace_id, action_id, submission_id, due_at, tries, problem)
SELECT a.workspace_id, a.id, s.id, :now, 0, NULL FROM actions a CROSS JOIN submissions s
WHERE a.workspace_id = :workspace AND a.project_id = :project_id AND a.state = 'in_review'
  AND s.workspace_id = a.workspace_id AND s.action_id = a.id AND s.pr_url IS NOT NULL AND s.number = (
    SELECT max(n.number) FROM submissions n WHERE n.workspace_id = a.workspace_id AND n.action_id = a.id)
ON CONFLICT (workspace_id, action_id) DO UPDATE
SET submission_id = excluded.submission_id, due_at = excluded.due_at, tries = 0, problem = NULL
"""

# Over all workspaces, the longest due first.
DUE = """
SELECT workspace_id, action_id FROM github_fetches WHERE due_at <= :now ORDER BY due_at LIMIT :limit
"""


def token(tx: Tx, project_id: str) -> GithubToken | None:
    row = tx.one(TOKEN, project_id=project_id)
    return GithubToken(*row) if row else None


def tokens_of_workspace(tx: Tx) -> list[GithubToken]:
    return [GithubToken(*row) for row in tx.all(TOKENS_OF_WORKSPACE)]


def save_token(tx: Tx, token: GithubToken) -> None:
    tx.run(SAVE, **token._asdict())


def save_token_checked(tx: Tx, project_id: str, set_at: int, problem: str | None) -> None:
    tx.run(SAVE_CHECKED, project_id=project_id, set_at=set_at, problem=problem, now=tx.now)


def remove_token(tx: Tx, project_id: str) -> None:
    tx.run(REMOVE, project_id=project_id)


def fetch_of_action(tx: Tx, action_id: str) -> GithubFetch | None:
    row = tx.one(FETCH, action_id=action_id)
    return GithubFetch(*row) if row else None


def lock_fetch(tx: Tx, action_id: str) -> None:
    tx.lock(LOCK_FETCH, action_id=action_id)


def save_fetch(tx: Tx, fetch: GithubFetch) -> None:
    tx.run(SAVE_FETCH, **fetch._asdict())


def remove_fetch(tx: Tx, action_id: str) -> None:
    tx.run(REMOVE_FETCH, action_id=action_id)


def queue_reviews_of_project(tx: Tx, project_id: str) -> None:
    tx.run(QUEUE_OF_PROJECT, project_id=project_id, now=tx.now)


def due_in_all_workspaces(tx: Tx, limit: int) -> list[DueFetch]:
    return [DueFetch(*row) for row in tx.all(DUE, now=tx.now, limit=limit)]
