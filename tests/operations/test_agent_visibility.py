"""What the board, the list and the action say of what no agent can see; and each cure, done, makes it seen."""

import pytest

from pendesk.domain.access import Role
from tests.workbench import drafted_spec, published_spec


async def hidden(desk, actor, ref):
    """The same everywhere."""
    action = await desk.call(actor, "get_action", action_id=ref)
    project_id = action["projectId"]
    columns = (await desk.call(actor, "get_board", project_id=project_id))["columns"]
    listed = (await desk.call(actor, "list_cards", project_id=project_id))["cards"]
    cards = [*listed, *(card for column in columns for card in column["cards"])]
    marks = [action.get("hiddenFromAgents"), *(row.get("hiddenFromAgents") for row in cards if row["refCode"] == ref)]
    assert len(marks) == 3
    assert marks[0] == marks[1] == marks[2]
    return (marks[0]["reason"], marks[0]["cure"]) if marks[0] else None


async def connect(desk, person):
    return await desk.call(person, "create_token", name="Laptop", scopes=["specs.read", "builds.write"])


@pytest.fixture
async def olga(desk):
    return await desk.person("Olga", Role.OWNER)


async def test_each_cure_done_leads_to_the_next_until_an_agent_sees_it(desk, olga):
    await connect(desk, olga)
    work = await drafted_spec(desk, olga, actions=1)
    action = await desk.call(olga, "create_action", spec_id=work.spec_id, label="New", state="backlog")
    ref = action["refCode"]
    await desk.call(olga, "update_project", project_id=work.project_id, state="paused")
    assert await hidden(desk, olga, ref) == ("project_not_active", "activate_project")
    await desk.call(olga, "update_project", project_id=work.project_id, state="active")
    assert await hidden(desk, olga, ref) == ("backlog", "move_to_todo")
    await desk.call(olga, "update_action", action_id=ref, state="todo")
    assert await hidden(desk, olga, ref) == ("unpublished", "add_criterion")
    await desk.call(olga, "create_criterion", action_id=ref, text="It holds")
    assert await hidden(desk, olga, ref) == ("unpublished", "publish_spec")
    other = await desk.call(olga, "create_plan", spec_id=work.spec_id, title="Plan B")
    await desk.call(olga, "move_action", action_id=ref, plan_id=other["pid"])
    assert await hidden(desk, olga, ref) == ("unpublished", "activate_plan")
    await desk.call(olga, "activate_plan", plan_id=other["pid"])
    assert await hidden(desk, olga, ref) == ("unpublished", "publish_spec")
    await desk.call(olga, "publish_build", spec_id=work.spec_id)
    assert await hidden(desk, olga, ref) is None


async def test_nobody_who_takes_part_has_an_agent(desk, olga):
    work = await published_spec(desk, olga, actions=1)
    ref = work.actions[0]["refCode"]
    assert await hidden(desk, olga, ref) == ("no_agent", "add_participants")
    grace = await desk.person("Grace")
    token = await connect(desk, grace)
    # She has one, and takes no part.
    assert await hidden(desk, olga, ref) == ("no_agent", "add_participants")
    await desk.call(olga, "set_participation", participation="everyone")
    assert await hidden(desk, olga, ref) is None
    await desk.call(grace, "revoke_token", token_id=token["tokenId"])
    assert await hidden(desk, olga, ref) == ("no_agent", "connect_agent")


async def test_outside_any_spec_every_members_agent_counts_but_a_viewers(desk, olga):
    project = await desk.call(olga, "create_project", name="Harbour")
    ref = (await desk.call(olga, "create_action", project_id=project["pid"], label="Loose"))["refCode"]
    viewer = await desk.person("Vera", Role.VIEWER)
    await connect(desk, viewer)
    assert await hidden(desk, olga, ref) == ("no_agent", "connect_agent")
    member = await desk.person("Mia")
    await desk.call(member, "create_token", name="Plans", scopes=["desk.read", "desk.write"])
    assert await hidden(desk, olga, ref) == ("no_agent", "connect_agent")
    await connect(desk, member)
    assert await hidden(desk, olga, ref) is None
