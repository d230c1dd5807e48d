"""Who is at work."""

import pytest

from pendesk.store import tokens
from tests.desk import MINUTE
from tests.workbench import next_door, published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def agents_of(desk, person):
    told = await desk.call(person, "list_agents")
    return {agent["name"]: agent for agent in told["agents"]}, told["runs"]


async def test_nobody_without_a_token_or_something_in_hand(desk, ada):
    assert await agents_of(desk, ada) == ({}, [])


async def test_what_each_holds_and_how_the_lease_is_doing(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, actions=2, participants=(grace,))
    first, second = work.actions
    await desk.call(grace, "claim_action", action_pid=first["pid"], agent_model="Opus 5")
    await desk.call(grace, "request_clarification", action_pid=first["pid"], question="Which colour?")
    desk.clock.forward(31 * MINUTE)
    await desk.call(grace, "claim_action", action_pid=second["pid"])
    await desk.call(grace, "update_progress", action_pid=second["pid"], status="started", message="Half of it.")
    agents, _ = await agents_of(desk, ada)
    held = {each["refCode"]: each for each in agents["Grace"]["held"]}
    older, newer = held[first["refCode"]], held[second["refCode"]]
    assert (older["pulse"], older["waiting"], older["agentModel"]) == ("expired", 1, "Opus 5")
    assert (newer["pulse"], newer["waiting"], newer["message"]) == ("live", 0, "Half of it.")
    await desk.call(grace, "release_action", action_pid=second["pid"])
    agents, _ = await agents_of(desk, ada)
    assert [each["refCode"] for each in agents["Grace"]["held"]] == [first["refCode"]]


async def test_the_last_to_call_comes_first_and_a_revoked_token_is_none(desk, ada):
    grace = await desk.person("Grace")
    hers = await desk.call(grace, "create_token", name="Claude Code")
    mine = await desk.call(ada, "create_token", name="Codex")
    await desk.store.write(desk.workspace, lambda tx: tokens.record_use(tx, mine["tokenId"]))
    agents, _ = await agents_of(desk, ada)
    assert [(name, agent["lastCallAt"] is not None) for name, agent in agents.items()] == [
        ("Ada", True),
        ("Grace", False),
    ]
    await desk.call(grace, "revoke_token", token_id=hers["tokenId"])
    agents, _ = await agents_of(desk, ada)
    assert list(agents) == ["Ada"]


async def test_runs_of_every_project_the_newest_first(desk, ada):
    for name in ("One", "Two"):
        project = await desk.call(ada, "create_project", name=name)
        await desk.call(ada, "start_agent_run", project_id=project["pid"], label=name, model="Opus 5")
    desk.clock.forward(31 * MINUTE)
    _, runs = await agents_of(desk, ada)
    assert [(run["label"], run["status"], run["model"]) for run in runs] == [
        ("Two", "stale", "Opus 5"),
        ("One", "stale", "Opus 5"),
    ]
    away = await next_door(desk)
    assert await agents_of(away, await away.person("Eve")) == ({}, [])
