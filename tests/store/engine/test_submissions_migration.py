"""0020: what was submitted and attached before stays as it was, and stands by its evidence, on both engines."""

from pendesk.domain.evidence import evidence_state
from pendesk.store import attachments, criteria, projects, reviews
from tests.store.engine.old_database import migrated

BEFORE = 18
# A criterion that passed and then failed, one that passed, and one that a person confirmed.
STORIES = {"c1": ("passed", "failed"), "c2": ("passed",), "c3": ("human",)}
PR = "https://example.com/pr/1"


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    yield "INSERT INTO projects VALUES ('w', 'p', 'PEN', 'Pendesk', '', 'active', NULL, 1, 1, 'u', 0, 0)"
    yield "INSERT INTO specs VALUES ('w', 's', 'p', NULL, 'T', '', '[]', '[]', '[]', NULL, NULL, 0, 1, 'u', 0, 0)"
    yield (
        "INSERT INTO actions (workspace_id, id, project_id, ref_number, label, description, area, paths, state, "
        "priority, position, fence, news_seq, revision, created_by, created_at, updated_at) VALUES "
        "('w', 'a', 'p', 1, 'L', '', '', '[]', 'in_review', 0, 0, 1, 0, 1, 'u', 0, 0)"
    )
    yield "INSERT INTO users VALUES ('u', 'person', NULL, 'u', NULL, 0)"
    yield "INSERT INTO members (workspace_id, user_id, role, added_at) VALUES ('w', 'u', 'owner', 0)"
    yield (
        "INSERT INTO claims (workspace_id, id, action_id, user_id, fence, state, taken_at, renewed_at, expires_at, "
        "told_seq) VALUES ('w', 'k', 'a', 'u', 1, 'submitted', 0, 0, 0, 0)"
    )
    yield (
        "INSERT INTO submissions (workspace_id, id, action_id, claim_id, number, pr_url, summary, head_sha, "
        f"submitted_by, submitted_at) VALUES ('w', 'n', 'a', 'k', 1, '{PR}', 'Done.', 'abc', 'u', 9)"
    )
    yield (
        "INSERT INTO attachments (workspace_id, id, project_id, spec_id, name, media_type, size_bytes, sha256, "
        "storage_key, added_by, added_at) VALUES ('w', 'f', 'p', 's', 'a.png', 'image/png', 1, 'x', 'key', 'u', 5)"
    )
    for place, (criterion_id, story) in enumerate(STORIES.items()):
        yield f"INSERT INTO criteria VALUES ('w', '{criterion_id}', 'a', {place}, 'T', 'validated', 1, NULL)"
        for at, word in enumerate(story):
            ident = f"{criterion_id}-{at}"
            if word != "human":
                result = f"'r{ident}', 'a', '{criterion_id}', '{word}', '', NULL, 'u', {at}"
                yield f"INSERT INTO test_results VALUES ('w', {result})"
            if word != "failed":
                level = "human" if word == "human" else "claimed"
                yield (
                    f"INSERT INTO evidence VALUES ('w', 'e{ident}', 'a', '{criterion_id}', 1, '{level}', NULL, '', "
                    f"'r{ident}', 'u', {at}, NULL, NULL)"
                )


async def test_old_rows_stay_and_stand_by_what_was_reported(old_target):
    def read(tx):
        states = [str(evidence_state(history)) for history in criteria.evidence_histories(tx, ["a"])]
        return states, reviews.newest_submission(tx, "a"), attachments.of_spec(tx, "s"), projects.by_id(tx, "p")

    async with migrated(old_target, BEFORE, old_rows()) as store:
        states, submission, (attachment,), project = await store.read("w", read)
    assert states == ["failing", "claimed", "confirmed"]
    assert (submission.pr_url, submission.branch, submission.head_sha) == (PR, None, "abc")
    assert (attachment.name, attachment.storage_key, attachment.criterion_id) == ("a.png", "key", None)
    assert project.require_evidence is None
