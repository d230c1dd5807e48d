"""Queries on commits and test results."""

from typing import NamedTuple

from pendesk.domain.claim import Claim
from pendesk.domain.report import Commit, CriterionTestResult
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx, columns_sql, insert_sql

INSERT_COMMIT = insert_sql("commits", Commit)

BY_SHA = f"""
SELECT {columns_sql(Commit)} FROM commits
WHERE workspace_id = :workspace AND project_id = :project_id AND sha = :sha
"""

BY_SHAS = f"""
SELECT {columns_sql(Commit)} FROM commits
WHERE workspace_id = :workspace AND project_id = :project_id AND sha IN (EACH :shas)
"""

# What the first report of a commit lacked is taken from a later one; what it had stays.
FILL_COMMIT = """
UPDATE commits SET branch = coalesce(branch, :branch), files_changed = coalesce(files_changed, :files_changed)
WHERE workspace_id = :workspace AND id = :id
"""

# The agent's own word replaces what a message or a branch seemed to say, never the other way round.
LINK_REPORTED = """
INSERT INTO commit_actions (workspace_id, action_id, commit_id, linked_at, linked_by, claim_id)
VALUES (:workspace, :action_id, :commit_id, :now, 'agent', :claim_id)
ON CONFLICT (workspace_id, action_id, commit_id) DO UPDATE
SET linked_at = excluded.linked_at, linked_by = excluded.linked_by, claim_id = excluded.claim_id
WHERE commit_actions.linked_by = 'webhook'
"""

LINK_NAMED = """
INSERT INTO commit_actions (workspace_id, action_id, commit_id, linked_at, linked_by)
VALUES (:workspace, :action_id, :commit_id, :now, 'webhook') ON CONFLICT DO NOTHING
"""

LINK_CRITERIA = """
INSERT INTO commit_criteria (workspace_id, criterion_id, commit_id)
SELECT workspace_id, id, :commit_id FROM criteria WHERE workspace_id = :workspace AND id IN (EACH :criterion_ids)
ON CONFLICT DO NOTHING
"""

OF_ACTION = f"""
SELECT {columns_sql(Commit, "c")} FROM commit_actions ca
JOIN commits c ON c.workspace_id = ca.workspace_id AND c.id = ca.commit_id
WHERE ca.workspace_id = :workspace AND ca.action_id = :action_id ORDER BY ca.linked_at DESC, c.id DESC LIMIT :limit
"""

COMMITS_WITH_REPORTER = f"""
SELECT {columns_sql(Commit, "c")}, k.id, k.user_id, k.session_id FROM commit_actions ca
JOIN commits c ON c.workspace_id = ca.workspace_id AND c.id = ca.commit_id
LEFT JOIN claims k ON k.workspace_id = ca.workspace_id AND k.id = ca.claim_id
WHERE ca.workspace_id = :workspace AND ca.action_id = :action_id ORDER BY ca.linked_at DESC, c.id DESC LIMIT :limit
"""

TRACED = f"""
SELECT {columns_sql(Commit, "c")}, ca.linked_at, ca.linked_by FROM commit_actions ca
JOIN commits c ON c.workspace_id = ca.workspace_id AND c.id = ca.commit_id
WHERE ca.workspace_id = :workspace AND ca.action_id = :action_id ORDER BY ca.linked_at DESC, c.id DESC LIMIT :limit
"""

CRITERIA_OF_COMMITS = """
SELECT cc.commit_id, cc.criterion_id FROM criteria k CROSS JOIN commit_criteria cc
WHERE k.workspace_id = :workspace AND k.action_id = :action_id AND k.removed_at IS NULL
  AND cc.workspace_id = k.workspace_id AND cc.criterion_id = k.id
ORDER BY k.position, k.id
"""

# What the agent reported comes before what only names the action: a mention on another branch moves no head.
HEAD_SHA = """
SELECT c.sha FROM commit_actions ca
JOIN commits c ON c.workspace_id = ca.workspace_id AND c.id = ca.commit_id
WHERE ca.workspace_id = :workspace AND ca.action_id = :action_id
ORDER BY ca.linked_by, ca.linked_at DESC, c.id DESC LIMIT 1
"""

ACTIONS_OF_SHA = """
SELECT ca.action_id FROM commits c
JOIN commit_actions ca ON ca.workspace_id = c.workspace_id AND ca.commit_id = c.id
WHERE c.workspace_id = :workspace AND c.project_id = :project_id AND c.sha = :sha ORDER BY ca.action_id
"""

LINKS_OF = """
SELECT commit_id FROM commit_actions
WHERE workspace_id = :workspace AND action_id = :action_id AND commit_id IN (EACH :commit_ids)
"""

LINE_OF_BRANCH = """
SELECT sha, message FROM commits
WHERE workspace_id = :workspace AND project_id = :project_id AND branch = :branch
ORDER BY reported_at DESC, id DESC LIMIT :limit
"""

INSERT_RESULT = insert_sql("test_results", CriterionTestResult)

NEWEST_RESULTS = f"""
SELECT {columns_sql(CriterionTestResult)} FROM test_results
WHERE workspace_id = :workspace AND action_id = :action_id ORDER BY id DESC LIMIT :limit
"""

RESULTS_WITH_REPORTER = f"""
SELECT {columns_sql(CriterionTestResult, "r")}, k.id, k.user_id, k.session_id FROM test_results r
LEFT JOIN claims k ON k.workspace_id = r.workspace_id AND k.id = r.claim_id
WHERE r.workspace_id = :workspace AND r.action_id = :action_id ORDER BY r.id DESC LIMIT :limit
"""

NEWEST_OF_EACH = f"""
WITH of_action AS MATERIALIZED (
  SELECT {columns_sql(CriterionTestResult)} FROM test_results WHERE workspace_id = :workspace AND action_id = :action_id
)
SELECT {columns_sql(CriterionTestResult)} FROM (
  SELECT {columns_sql(CriterionTestResult)},
    row_number() OVER (PARTITION BY criterion_id ORDER BY reported_at DESC, id DESC) AS place FROM of_action
) ranked WHERE place <= :limit ORDER BY place
"""


class LinkedCommit(NamedTuple):
    """A commit of an action: since when, by whose word, and which criteria it is for."""

    commit: Commit
    linked_at: int
    linked_by: str
    criteria: list[str]


class Reporter(NamedTuple):
    """Who had the claim under which something was reported; all None of a commit that only a webhook brought."""

    claim_id: str | None
    user_id: str | None
    session_id: str | None


def commit_by_sha(tx: Tx, project_id: str, sha: str) -> Commit | None:
    row = tx.one(BY_SHA, project_id=project_id, sha=sha)
    return Commit(*row) if row else None


def commits_by_sha(tx: Tx, project_id: str, shas: list[str]) -> dict[str, Commit]:
    commits = [Commit(*row) for row in tx.all(BY_SHAS, project_id=project_id, shas=to_json(shas))]
    return {commit.sha: commit for commit in commits}


def fill_missing_fields(tx: Tx, commit: Commit, branch: str | None, files_changed: int | None) -> bool:
    """Whether there was anything to add."""
    lacks = (commit.branch is None and branch is not None) or (
        commit.files_changed is None and files_changed is not None
    )
    if lacks:
        tx.run(FILL_COMMIT, id=commit.id, branch=branch, files_changed=files_changed)
    return lacks


def add_commit(tx: Tx, commit: Commit) -> None:
    tx.run(INSERT_COMMIT, **commit._asdict())


def link_commit(tx: Tx, commit_id: str, claim: Claim, criterion_ids: list[str]) -> None:
    """As the agent that has the claim reports it."""
    tx.run(LINK_REPORTED, commit_id=commit_id, action_id=claim.action_id, claim_id=claim.id, now=tx.now)
    if criterion_ids:
        tx.run(LINK_CRITERIA, commit_id=commit_id, criterion_ids=to_json(criterion_ids))


def commits_of_action(tx: Tx, action_id: str, limit: int) -> list[Commit]:
    """The newest first."""
    return [Commit(*row) for row in tx.all(OF_ACTION, action_id=action_id, limit=limit)]


def commits_of_action_with_reporter(tx: Tx, action_id: str, limit: int) -> list[tuple[Commit, Reporter]]:
    rows = tx.all(COMMITS_WITH_REPORTER, action_id=action_id, limit=limit)
    return [(Commit(*row[:-3]), Reporter(*row[-3:])) for row in rows]


def newest_commit_sha_of_action(tx: Tx, action_id: str) -> str | None:
    """The newest commit that was reported against the action; where none was, the newest that names it."""
    row = tx.one(HEAD_SHA, action_id=action_id)
    return row[0] if row else None


def link_unlinked_mentioning_commits(tx: Tx, action_id: str, commit_ids: list[str]) -> list[str]:
    """Commits whose message or branch names the action; those that were not linked yet are given back."""
    known = {row[0] for row in tx.all(LINKS_OF, action_id=action_id, commit_ids=to_json(commit_ids))}
    unlinked = [commit_id for commit_id in commit_ids if commit_id not in known]
    for commit_id in unlinked:
        tx.run(LINK_NAMED, commit_id=commit_id, action_id=action_id, now=tx.now)
    return unlinked


def action_ids_linked_to_commit_sha(tx: Tx, project_id: str, sha: str) -> list[str]:
    return [row[0] for row in tx.all(ACTIONS_OF_SHA, project_id=project_id, sha=sha)]


def newest_shas_and_messages_of_branch(tx: Tx, project_id: str, branch: str, limit: int) -> list[tuple[str, str]]:
    """SHA and message of its newest recorded commits, the oldest of them first."""
    rows = tx.all(LINE_OF_BRANCH, project_id=project_id, branch=branch, limit=limit)
    return [(row[0], row[1]) for row in reversed(rows)]


def add_test_result(tx: Tx, result: CriterionTestResult) -> None:
    tx.run(INSERT_RESULT, **result._asdict())


def newest_test_results(tx: Tx, action_id: str, limit: int) -> list[CriterionTestResult]:
    return [CriterionTestResult(*row) for row in tx.all(NEWEST_RESULTS, action_id=action_id, limit=limit)]


def newest_test_results_with_reporter(tx: Tx, action_id: str, limit: int) -> list[tuple[CriterionTestResult, Reporter]]:
    rows = tx.all(RESULTS_WITH_REPORTER, action_id=action_id, limit=limit)
    return [(CriterionTestResult(*row[:-3]), Reporter(*row[-3:])) for row in rows]


def linked_commits(tx: Tx, action_id: str, limit: int) -> list[LinkedCommit]:
    """The newest first."""
    named: dict[str, list[str]] = {}
    for commit_id, criterion_id in tx.all(CRITERIA_OF_COMMITS, action_id=action_id):
        named.setdefault(commit_id, []).append(criterion_id)
    rows = tx.all(TRACED, action_id=action_id, limit=limit)
    return [LinkedCommit(Commit(*row[:-2]), row[-2], row[-1], named.get(row[0], [])) for row in rows]


def newest_test_results_per_criterion(tx: Tx, action_id: str, limit_per_criterion: int) -> list[CriterionTestResult]:
    """At most `limit_per_criterion` test results a criterion, the newest first."""
    return [CriterionTestResult(*row) for row in tx.all(NEWEST_OF_EACH, action_id=action_id, limit=limit_per_criterion)]
