"""Queries on webhooks of projects, what they delivered, and pull requests."""

from collections.abc import Iterable
from typing import NamedTuple

from pendesk.domain.github import Delivery, PullRequest, Webhook
from pendesk.domain.limits import DELIVERIES_KEPT
from pendesk.domain.ownership import OwnedItem
from pendesk.domain.review import Submission
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

BY_PROJECT = f"""
SELECT {columns_sql(Webhook)} FROM github_webhooks WHERE workspace_id = :workspace AND project_id = :project_id
"""

LOCK = """
SELECT 1 FROM github_webhooks WHERE workspace_id = :workspace AND project_id = :project_id FOR NO KEY UPDATE
"""

LOCK_OF_ACTION = """
SELECT 1 FROM github_webhooks WHERE workspace_id = :workspace AND project_id = (
  SELECT project_id FROM actions WHERE workspace_id = :workspace AND id = :action_id) FOR NO KEY UPDATE
"""

SET = """
INSERT INTO github_webhooks (workspace_id, project_id, generation, set_by, set_at, removed_at, last_number, owner_id)
VALUES (:workspace, :project_id, :generation, :set_by, :set_at, :removed_at, :last_number, :owner_id)
ON CONFLICT (workspace_id, project_id) DO UPDATE
SET generation = excluded.generation, set_by = excluded.set_by, set_at = excluded.set_at, removed_at = NULL,
  owner_id = excluded.owner_id
"""

# Whoever brings commits or checks of a project locks this row, so there has to be one.
ADD_REMOVED = """
INSERT INTO github_webhooks (workspace_id, project_id, generation, set_by, set_at, removed_at, last_number, owner_id)
VALUES (:workspace, :project_id, 0, :user_id, :now, :now, 0, :user_id)
ON CONFLICT (workspace_id, project_id) DO NOTHING
"""

OF_OWNER = """
SELECT p.id, p.key, p.name FROM github_webhooks w
JOIN projects p ON p.workspace_id = w.workspace_id AND p.id = w.project_id
WHERE w.workspace_id = :workspace AND w.owner_id = :owner_id AND w.removed_at IS NULL ORDER BY p.id
"""

GIVE = "UPDATE github_webhooks SET owner_id = :owner_id WHERE workspace_id = :workspace AND project_id = :project_id"

REMOVE = """
UPDATE github_webhooks SET removed_at = :now WHERE workspace_id = :workspace AND project_id = :project_id
"""

# Over all workspaces: a delivery names a project or a repository, and its signature tells whose it is.
LISTENING_FOR_PROJECT = """
SELECT workspace_id, project_id, generation FROM github_webhooks
WHERE project_id = :project_id AND removed_at IS NULL LIMIT :limit
"""
# The oldest projects first: whoever names the same repository later cannot push them out of the list.
LISTENING_TO_REPOSITORY = """
WITH named AS MATERIALIZED (
  SELECT workspace_id, id FROM projects
  WHERE repository_url IS NOT NULL AND lower(substr(repository_url, 1, 200)) IN (EACH :spellings)
)
SELECT w.workspace_id, w.project_id, w.generation FROM named p CROSS JOIN github_webhooks w
WHERE w.workspace_id = p.workspace_id AND w.project_id = p.id AND w.removed_at IS NULL
ORDER BY w.project_id LIMIT :limit
"""

KNOWN_DELIVERIES = f"""
SELECT {columns_sql(Delivery)} FROM github_deliveries
WHERE workspace_id = :workspace AND project_id = :project_id AND delivery_id = :delivery_id
UNION ALL
SELECT {columns_sql(Delivery)} FROM github_deliveries
WHERE workspace_id = :workspace AND project_id = :project_id AND digest = :digest
"""

INSERT_DELIVERY = insert_sql("github_deliveries", Delivery)

COUNT_DELIVERY = """
UPDATE github_webhooks SET last_number = :number WHERE workspace_id = :workspace AND project_id = :project_id
"""

FORGET_DELIVERIES = """
DELETE FROM github_deliveries
WHERE workspace_id = :workspace AND project_id = :project_id AND number <= :upto
"""

NEWEST_DELIVERIES = f"""
SELECT {columns_sql(Delivery)} FROM github_deliveries
WHERE workspace_id = :workspace AND project_id = :project_id ORDER BY number DESC LIMIT :limit
"""

PROJECTS = """
SELECT p.id, p.key, p.name, p.repository_url, w.set_at, o.name, t.set_at, t.checked_at, t.problem FROM projects p
LEFT JOIN github_tokens t ON t.workspace_id = p.workspace_id AND t.project_id = p.id
LEFT JOIN github_webhooks w ON w.workspace_id = p.workspace_id AND w.project_id = p.id AND w.removed_at IS NULL
LEFT JOIN users o ON o.id = w.owner_id
WHERE p.workspace_id = :workspace AND p.id > :after ORDER BY p.id LIMIT :limit
"""

KEYS_WITH_WEBHOOK = """
SELECT p.key FROM projects p
JOIN github_webhooks w ON w.workspace_id = p.workspace_id AND w.project_id = p.id AND w.removed_at IS NULL
WHERE p.workspace_id = :workspace ORDER BY p.key
"""

# They are numbered without a gap, so the newest of each are those near its last number.
NEWEST_OF_PROJECTS = f"""
SELECT {columns_sql(Delivery, "d")} FROM github_webhooks w JOIN github_deliveries d
  ON d.workspace_id = w.workspace_id AND d.project_id = w.project_id AND d.number > w.last_number - :limit
WHERE w.workspace_id = :workspace AND w.project_id IN (EACH :ids) ORDER BY d.number DESC
"""

PULL_REQUEST = f"""
SELECT {columns_sql(PullRequest)} FROM pull_requests
WHERE workspace_id = :workspace AND project_id = :project_id AND number = :number
"""

SAVE_PULL_REQUEST = (
    insert_sql("pull_requests", PullRequest)
    + """
ON CONFLICT (workspace_id, project_id, number) DO UPDATE
SET url = excluded.url, title = excluded.title, state = excluded.state, branch = excluded.branch,
  head_sha = excluded.head_sha, merged_at = excluded.merged_at, updated_at = excluded.updated_at,
  base_branch = excluded.base_branch, is_draft = excluded.is_draft, merge_state = excluded.merge_state,
  ahead = excluded.ahead, behind = excluded.behind, heard_at = excluded.heard_at
"""
)

# With the workspace among the rows, SQLite looks each up by its whole key.
PULL_REQUESTS = f"""
WITH named AS MATERIALIZED (
  SELECT DISTINCT CAST(:workspace AS TEXT) AS workspace_id, r.project_id, r.number
  FROM (EACH ROW OF :rows (project_id TEXT, number BIGINT)) AS r
)
SELECT {columns_sql(PullRequest, "q")} FROM named n CROSS JOIN pull_requests q
WHERE q.workspace_id = n.workspace_id AND q.project_id = n.project_id AND q.number = n.number
"""

# By what GitHub is connected to them: its calls, or a token to read with.
CONNECTED = """
SELECT project_id FROM github_webhooks
WHERE workspace_id = :workspace AND project_id IN (EACH :ids) AND removed_at IS NULL
UNION SELECT project_id FROM github_tokens WHERE workspace_id = :workspace AND project_id IN (EACH :ids)
"""

# The newest submission of each action that was handed in with this pull request.
SUBMISSIONS_OF_PULL_REQUEST = f"""
WITH named AS MATERIALIZED (
  SELECT {columns_sql(Submission)} FROM submissions
  WHERE workspace_id = :workspace AND lower(substr(pr_url, 1, 200)) IN (EACH :spellings)
)
SELECT {columns_sql(Submission, "s")} FROM named s CROSS JOIN actions a
WHERE a.workspace_id = :workspace AND a.id = s.action_id AND a.project_id = :project_id AND s.number = (
  SELECT max(o.number) FROM submissions o WHERE o.workspace_id = :workspace AND o.action_id = s.action_id)
ORDER BY s.action_id
"""


# Of each action the newest submission, with the project and the state of the action.
NEWEST_SUBMISSIONS = f"""
SELECT a.project_id, a.state, {columns_sql(Submission, "s")} FROM submissions s CROSS JOIN actions a
WHERE s.workspace_id = :workspace AND s.action_id IN (EACH :ids) AND s.number = (
  SELECT max(o.number) FROM submissions o WHERE o.workspace_id = s.workspace_id AND o.action_id = s.action_id)
  AND a.workspace_id = s.workspace_id AND a.id = s.action_id
"""


class SubmissionOfProject(NamedTuple):
    """A submission, with the project and the state of its action."""

    project_id: str
    action_state: str
    submission: Submission


class WebhookCandidate(NamedTuple):
    """A webhook that may be meant."""

    workspace_id: str
    project_id: str
    generation: int


class ProjectWebhookStatus(NamedTuple):
    """set_at: None where GitHub does not call about the project. token_*: None where there is no token."""

    id: str
    key: str
    name: str
    repository_url: str | None
    set_at: int | None
    owner_name: str | None
    token_set_at: int | None
    token_checked_at: int | None
    token_problem: str | None


def webhook(tx: Tx, project_id: str) -> Webhook | None:
    row = tx.one(BY_PROJECT, project_id=project_id)
    return Webhook(*row) if row else None


def lock_webhook(tx: Tx, project_id: str) -> None:
    """Who brings commits or checks of a project comes one after the other: else neither sees what the other brings.

    After the member, before any action.
    """
    tx.lock(LOCK, project_id=project_id)


def lock_webhook_of_action_project(tx: Tx, action_id: str) -> None:
    tx.lock(LOCK_OF_ACTION, action_id=action_id)


def add_or_replace_webhook(tx: Tx, hook: Webhook) -> None:
    tx.run(SET, **hook._asdict())


def add_removed_webhook_if_none(tx: Tx, project_id: str, user_id: str) -> None:
    tx.run(ADD_REMOVED, project_id=project_id, user_id=user_id, now=tx.now)


def webhooks_of_owner(tx: Tx, owner_id: str) -> list[OwnedItem]:
    rows = tx.all(OF_OWNER, owner_id=owner_id)
    return [
        OwnedItem("github_webhook", project_id, f"{name} ({key})", project_id=project_id)
        for project_id, key, name in rows
    ]


def set_webhook_owner(tx: Tx, project_id: str, owner_id: str) -> None:
    tx.run(GIVE, project_id=project_id, owner_id=owner_id)


def remove_webhook(tx: Tx, project_id: str) -> None:
    tx.run(REMOVE, project_id=project_id, now=tx.now)


def project_webhooks_in_all_workspaces(tx: Tx, project_id: str, limit: int) -> list[WebhookCandidate]:
    return [WebhookCandidate(*row) for row in tx.all(LISTENING_FOR_PROJECT, project_id=project_id, limit=limit)]


def repo_webhooks_in_all_workspaces(tx: Tx, url_variants: list[str], limit: int) -> list[WebhookCandidate]:
    rows = tx.all(LISTENING_TO_REPOSITORY, spellings=to_json(url_variants), limit=limit)
    return [WebhookCandidate(*row) for row in rows]


def deliveries_with_id_or_digest(tx: Tx, project_id: str, delivery_id: str, digest: str) -> list[Delivery]:
    rows = tx.all(KNOWN_DELIVERIES, project_id=project_id, delivery_id=delivery_id, digest=digest)
    return [Delivery(*row) for row in rows]


def add_delivery_and_prune_old(tx: Tx, delivery: Delivery) -> None:
    tx.run(INSERT_DELIVERY, **delivery._asdict())
    tx.run(COUNT_DELIVERY, project_id=delivery.project_id, number=delivery.number)
    tx.run(FORGET_DELIVERIES, project_id=delivery.project_id, upto=delivery.number - DELIVERIES_KEPT)


def newest_deliveries(tx: Tx, project_id: str, limit: int) -> list[Delivery]:
    return [Delivery(*row) for row in tx.all(NEWEST_DELIVERIES, project_id=project_id, limit=limit)]


def projects_with_webhook_status(tx: Tx, after: str, limit: int) -> list[ProjectWebhookStatus]:
    return [ProjectWebhookStatus(*row) for row in tx.all(PROJECTS, after=after, limit=limit)]


def project_keys_with_webhook(tx: Tx) -> list[str]:
    return [row[0] for row in tx.all(KEYS_WITH_WEBHOOK)]


def newest_deliveries_by_project(tx: Tx, project_ids: list[str], limit_per_project: int) -> dict[str, list[Delivery]]:
    """The newest first."""
    deliveries: dict[str, list[Delivery]] = {}
    for row in tx.all(NEWEST_OF_PROJECTS, ids=to_json(project_ids), limit=limit_per_project):
        deliveries.setdefault(row[0], []).append(Delivery(*row))
    return deliveries


def pull_request(tx: Tx, project_id: str, number: int) -> PullRequest | None:
    row = tx.one(PULL_REQUEST, project_id=project_id, number=number)
    return PullRequest(*row) if row else None


def save_pull_request(tx: Tx, pull_request: PullRequest) -> None:
    tx.run(SAVE_PULL_REQUEST, **pull_request._asdict())


def newest_submissions(tx: Tx, action_ids: list[str]) -> list[SubmissionOfProject]:
    rows = tx.all(NEWEST_SUBMISSIONS, ids=to_json(action_ids)) if action_ids else []
    return [SubmissionOfProject(project_id, state, Submission(*rest)) for project_id, state, *rest in rows]


def pull_requests_by_project_and_number(
    tx: Tx, projects_and_numbers: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], PullRequest]:
    rows = list(projects_and_numbers)
    pulls = [PullRequest(*row) for row in tx.all(PULL_REQUESTS, rows=to_json(rows))] if rows else []
    return {(pull.project_id, pull.number): pull for pull in pulls}


def connected_project_ids(tx: Tx, project_ids: list[str]) -> set[str]:
    return {row[0] for row in tx.all(CONNECTED, ids=to_json(project_ids))}


def newest_submissions_of_pull_request(tx: Tx, project_id: str, url_variants: list[str]) -> list[Submission]:
    rows = tx.all(SUBMISSIONS_OF_PULL_REQUEST, project_id=project_id, spellings=to_json(url_variants))
    return [Submission(*row) for row in rows]
