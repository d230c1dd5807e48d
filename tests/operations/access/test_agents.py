"""An agent is renamed, and shut out, by its person or an admin."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.agent_session import CallOrigin
from pendesk.domain.errors import MissingScope, NotFound, RuleBroken, Unauthenticated
from pendesk.store import tokens
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.events import events_of
from tests.operations.oauth.granting import client_of, let_in
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def agent(desk, ada):
    """Ada's Codex, which has claimed something: its pid, and how it calls."""
    token = await desk.call(ada, "create_token", name="Laptop", scopes=["specs.read", "builds.write"])
    work = await published_spec(desk, ada)
    caller = ada._replace(
        via="mcp", scopes=BUILDING_SCOPES, token_id=token["tokenId"], origin=CallOrigin("codex", "ada-laptop")
    )
    await desk.call(caller, "claim_action", action_pid=work.actions[0]["pid"])
    (row,) = (await desk.call(ada, "list_agents"))["agents"]
    return row["pid"], caller


async def test_a_new_name_is_shown_everywhere_at_once(desk, ada, agent):
    pid, _caller = agent
    assert (await desk.call(ada, "rename_agent", agent_id=pid, name="Night shift"))["name"] == "Night shift"
    (claimed,) = [row for row in (await desk.call(ada, "get_timeline"))["events"] if row["kind"] == "action.claimed"]
    assert claimed["agent"] == "Night shift"
    assert len(await events_of(desk, ada, "agent.renamed")) == 1
    await desk.call(ada, "rename_agent", agent_id=pid, name="Night shift")
    assert len(await events_of(desk, ada, "agent.renamed")) == 1


async def test_two_agents_of_a_person_cannot_have_one_name(desk, ada, agent):
    pid, caller = agent
    other = caller._replace(origin=CallOrigin("claude-code", "ada-laptop"))
    work = await published_spec(desk, ada)
    await desk.call(other, "claim_action", action_pid=work.actions[0]["pid"])
    with refused(RuleBroken) as caught:
        await desk.call(ada, "rename_agent", agent_id=pid, name="Claude Code on ada-laptop")
    assert caught.refusal.code == "name_taken"


async def test_its_tokens_are_revoked_and_its_sessions_have_ended(desk, ada, agent):
    pid, caller = agent
    assert (await desk.call(ada, "revoke_agent_tokens", agent_id=pid))["tokens"] == 0
    token = await desk.store.read(desk.workspace, lambda tx: tokens.by_id(tx, caller.token_id))
    assert token.revoked_at is not None
    (row,) = (await desk.call(ada, "list_agents"))["agents"]
    assert (row["credentials"], row["sessions"][0]["ended"]) == ([], True)
    assert len(await events_of(desk, ada, "token.revoked")) == 1


async def test_an_agent_that_was_let_in_by_oauth_is_shut_out_too(desk, ada):
    issued = await let_in(desk, ada, await client_of(desk))
    work = await published_spec(desk, ada)
    caller = await authenticate_bearer_token(desk.dispatcher, f"Bearer {issued.access_token}", "mcp")
    await desk.call(
        caller._replace(origin=CallOrigin("codex", "ada-laptop")), "claim_action", action_pid=work.actions[0]["pid"]
    )
    (row,) = (await desk.call(ada, "list_agents"))["agents"]
    for _ in range(2):
        assert (await desk.call(ada, "revoke_agent_tokens", agent_id=row["pid"]))["tokens"] == 0
    with refused(Unauthenticated):
        await authenticate_bearer_token(desk.dispatcher, f"Bearer {issued.access_token}", "mcp")
    (event,) = await events_of(desk, ada, "grant.revoked")
    assert event["data"]["reason"] == "a person ended it"


@pytest.mark.parametrize(
    ("operation", "arguments"), [("rename_agent", {"name": "Mine now"}), ("revoke_agent_tokens", {})]
)
async def test_only_its_person_and_admins_change_an_agent_and_never_an_agent(desk, agent, grace, operation, arguments):
    pid, caller = agent
    with refused(NotFound):
        await desk.call(grace, operation, agent_id=pid, **arguments)
    with refused(MissingScope):
        await desk.call(caller, operation, agent_id=pid, **arguments)
    assert await desk.call(grace._replace(role=Role.ADMIN), operation, agent_id=pid, **arguments)
