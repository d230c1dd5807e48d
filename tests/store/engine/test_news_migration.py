"""What an agent had not read when its session got news of its own, and a key that was used before, on both engines."""

from pendesk.store import idempotency, session_news
from tests.store.engine.old_database import migrated
from tests.store.engine.test_agents_migration import CLAIM

BEFORE = 21
ACTION = (
    "INSERT INTO actions (workspace_id, id, project_id, ref_number, label, description, area, paths, state, priority, "
    "position, fence, claim_id, news_seq, revision, created_by, created_at, updated_at) VALUES ('w', 'a{number}', 'p', "
    "{number}, 'L', '', '', '[]', '{state}', 0, 0, 1, 'k{number}', {number}, 1, 'u', 0, 0)"
)
ROWS = [
    {"number": 1, "state": "changes_requested", "token": "'t'", "claim": "submitted"},
    {"number": 2, "state": "in_progress", "token": "'t'", "claim": "active"},
    {"number": 3, "state": "done", "token": "'t'", "claim": "done"},
    {"number": 4, "state": "in_progress", "token": "NULL", "claim": "active"},
]


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    yield (
        "INSERT INTO projects (workspace_id, id, key, name, description, state, last_ref, revision, created_by, "
        "created_at, updated_at) VALUES ('w', 'p', 'PEN', 'Pendesk', '', 'active', 1, 1, 'u', 0, 0)"
    )
    yield "INSERT INTO users VALUES ('u', 'person', NULL, 'Ada', NULL, 0)"
    yield "INSERT INTO members (workspace_id, user_id, role, added_at) VALUES ('w', 'u', 'owner', 0)"
    yield "INSERT INTO agents VALUES ('w', 'g', 'u', 'Codex', '', '', 't', 0)"
    yield (
        "INSERT INTO agent_sessions (workspace_id, id, agent_id, token_id, number, started_at, last_seen_at) "
        "VALUES ('w', 's', 'g', 't', 1, 0, 0)"
    )
    for row in ROWS:
        yield ACTION.format(**row)
        yield CLAIM.format(**row)
        yield (
            "INSERT INTO events (workspace_id, seq, at, kind, door, object_id, project_id, action_id, data) VALUES "
            f"('w', {row['number']}, 0, 'action.reviewed', 'web', 'r', 'p', 'a{row['number']}', '{{}}')"
        )
    yield "UPDATE claims SET session_id = 's' WHERE token_id = 't'"
    yield "INSERT INTO idempotency_keys VALUES ('w', 'u', 'once', 'claim_action', 'hash', '{}', 5)"


async def test_what_was_unread_is_the_sessions_news_but_not_an_old_approval(old_target):
    async with migrated(old_target, BEFORE, old_rows()) as store:
        unread = await store.read("w", lambda tx: session_news.unread_of_session(tx, "s", 9))
        answers = await store.read("w", lambda tx: tx.all(idempotency.FIND, user_id="u", key="once"))
    assert [(event.id, event.project_key, event.ref_number) for event in unread] == [(1, "PEN", 1), (2, "PEN", 2)]
    assert answers == [(5, "", "hash", "{}")]
