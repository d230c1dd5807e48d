"""0025: what was reported before belongs to the claim that had not ended then, on both engines."""

from pendesk.store import reports
from tests.store.engine.old_database import migrated

BEFORE = 21


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    yield (
        "INSERT INTO projects (workspace_id, id, key, name, description, state, last_ref, revision, created_by, "
        "created_at, updated_at) VALUES ('w', 'p', 'PEN', 'Pendesk', '', 'active', 1, 1, 'u', 0, 0)"
    )
    yield (
        "INSERT INTO actions (workspace_id, id, project_id, ref_number, label, description, area, paths, state, "
        "priority, position, fence, news_seq, revision, created_by, created_at, updated_at) VALUES "
        "('w', 'a', 'p', 1, 'L', '', '', '[]', 'in_progress', 0, 0, 2, 0, 1, 'u', 0, 0)"
    )
    yield "INSERT INTO criteria VALUES ('w', 'c', 'a', 0, 'T', 'seen', 1, NULL)"
    yield "INSERT INTO users VALUES ('u', 'person', NULL, 'u', NULL, 0)"
    yield "INSERT INTO members (workspace_id, user_id, role, added_at) VALUES ('w', 'u', 'owner', 0)"
    # The second was taken again at 40, when changes were requested: it began earlier than it says.
    for claim_id, fence, state, taken_at, ended_at in (
        ("k1", 1, "released", 0, "10"),
        ("k2", 2, "active", 40, "NULL"),
    ):
        yield (
            "INSERT INTO claims (workspace_id, id, action_id, user_id, fence, state, taken_at, renewed_at, expires_at, "
            f"ended_at, told_seq) VALUES ('w', '{claim_id}', 'a', 'u', {fence}, '{state}', {taken_at}, 0, 0, "
            f"{ended_at}, 0)"
        )
    for sha, linked_at, linked_by in (("s1", 5, "agent"), ("s2", 20, "agent"), ("s3", 30, "webhook")):
        yield f"INSERT INTO commits VALUES ('w', '{sha}', 'p', '{sha}', 'M', NULL, NULL, 'agent', 'u', {linked_at})"
        yield (
            "INSERT INTO commit_actions (workspace_id, action_id, commit_id, linked_at, linked_by) "
            f"VALUES ('w', 'a', '{sha}', {linked_at}, '{linked_by}')"
        )
    for number, reported_at in ((1, 10), (2, 20)):
        yield f"INSERT INTO test_results VALUES ('w', 'r{number}', 'a', 'c', 'passed', '', NULL, 'u', {reported_at})"


async def test_old_reports_get_their_claim(old_target):
    def read(tx):
        commits = reports.commits_of_action_with_reporter(tx, "a", 10)
        results = reports.newest_test_results(tx, "a", 10)
        return {commit.sha: reporter.claim_id for commit, reporter in commits}, {
            row.id: row.claim_id for row in results
        }

    async with migrated(old_target, BEFORE, old_rows()) as store:
        commits, results = await store.read("w", read)
    assert commits == {"s1": "k1", "s2": "k2", "s3": None}
    assert results == {"r1": "k1", "r2": "k2"}
