"""0019 and 0021: claims from before belong to an agent per token, and requested changes are a state."""

import pytest

from pendesk.store import actions, agents
from tests.store.engine.old_database import migrated

BEFORE = 18
ACTION = (
    "INSERT INTO actions (workspace_id, id, project_id, ref_number, label, description, area, paths, state, "
    "state_reason, priority, position, fence, claim_id, news_seq, revision, created_by, created_at, updated_at) VALUES "
    "('w', 'a{number}', 'p', {number}, 'L', '', '', '[]', '{state}', {reason}, 0, 0, 1, 'k{number}', 0, 1, 'u', 0, 0)"
)
CLAIM = (
    "INSERT INTO claims (workspace_id, id, action_id, user_id, token_id, fence, state, taken_at, renewed_at, "
    "expires_at, told_seq) VALUES ('w', 'k{number}', 'a{number}', 'u', {token}, 1, '{claim}', 5, 7, 9, 0)"
)
ROWS = [
    {"number": 1, "state": "in_review", "reason": "'changes_requested'", "token": "'t'", "claim": "submitted"},
    {"number": 2, "state": "in_progress", "reason": "NULL", "token": "'g'", "claim": "active"},
    {"number": 3, "state": "in_progress", "reason": "NULL", "token": "'gone'", "claim": "active"},
    {"number": 4, "state": "in_progress", "reason": "NULL", "token": "NULL", "claim": "active"},
    {"number": 5, "state": "wont_do", "reason": "'changes_requested'", "token": "NULL", "claim": "dropped"},
]


def old_rows():
    yield "INSERT INTO workspaces VALUES ('w', 'W', 0)"
    yield "INSERT INTO projects VALUES ('w', 'p', 'PEN', 'Pendesk', '', 'active', NULL, 1, 1, 'u', 0, 0)"
    yield "INSERT INTO users VALUES ('u', 'person', NULL, 'Ada', NULL, 0)"
    yield "INSERT INTO members (workspace_id, user_id, role, added_at) VALUES ('w', 'u', 'owner', 0)"
    yield (
        "INSERT INTO tokens (workspace_id, id, user_id, name, hash, scopes, created_at, owner_id, created_by) "
        "VALUES ('w', 't', 'u', 'Laptop', 'h', 'specs.read', 0, 'u', 'u')"
    )
    yield (
        "INSERT INTO oauth_grants (workspace_id, id, user_id, client_id, client_name, scopes, resource, created_at, "
        "refreshed_at, expires_at) VALUES ('w', 'g', 'u', 'c', 'Claude Code', 'specs.read', 'r', 0, 0, 9)"
    )
    for row in ROWS:
        yield ACTION.format(**row)
        yield CLAIM.format(**row)


async def test_old_claims_belong_to_an_agent_per_token_and_requested_changes_are_a_state(old_target):
    def read(tx):
        facts = [actions.facts(tx, f"a{row['number']}") for row in ROWS]
        return facts, agents.names_of_user(tx, "u")

    async with migrated(old_target, BEFORE, old_rows()) as store:
        facts, names = await store.read("w", read)
        with pytest.raises(Exception, match=r"(?i)check"):
            await store.write("w", lambda tx: tx.run("UPDATE actions SET state = 'nonsense'"))
    labels = [one.holder_session.label if one.holder_session else None for one in facts]
    assert labels == ["Laptop", "Claude Code", "Agent", None, None]
    assert names == {"Laptop", "Claude Code", "Agent"}
    assert [(one.action.state, one.action.state_reason) for one in facts] == [
        ("changes_requested", None),
        *[("in_progress", None)] * 3,
        ("wont_do", "changes_requested"),
    ]
