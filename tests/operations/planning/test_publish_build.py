import pytest

from pendesk.domain.errors import RuleBroken
from tests.workbench import drafted_spec, published_spec


async def test_a_participant_sees_what_was_published(desk):
    author, agent = await desk.person("Ada"), await desk.person("Bot")
    work = await published_spec(desk, author, participants=(agent,))
    (spec,) = (await desk.call(agent, "list_available_specs"))["specs"]
    assert spec["pid"] == work.spec_id
    assert [one["refCode"] for one in spec["actions"]] == [one["refCode"] for one in work.actions]


async def test_a_published_action_is_claimed_and_its_brief_has_everything(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    await desk.call(author, "claim_action", action_pid=work.actions[0]["refCode"])
    brief = await desk.call(author, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert brief["action"]["label"] == "Action 1"
    assert brief["action"]["paths"] == ["src/part1/**"]
    assert [one["id"] for one in brief["action"]["acceptanceCriteria"]] == work.actions[0]["criteria"]
    assert brief["spec"]["results"] == ["A person can sign in"]
    assert brief["plan"]["approach"] == "Begin with the form."
    assert brief["siblingActions"][0]["refCode"] == work.actions[1]["refCode"]


async def test_a_chained_action_waits_for_the_one_before(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author, chain=True)
    with pytest.raises(RuleBroken, match="waits for") as refused:
        await desk.call(author, "claim_action", action_pid=work.actions[1]["pid"])
    assert refused.value.details["waitingOn"] == [work.actions[0]["refCode"]]


async def test_everything_that_is_missing_is_named_at_once(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author, actions=2, criteria=0)
    with pytest.raises(RuleBroken) as refused:
        await desk.call(author, "publish_build", spec_id=work.spec_id)
    assert refused.value.code == "criteria_missing"
    assert refused.value.details["actions"] == [one["refCode"] for one in work.actions]


async def test_a_plan_without_actions_is_not_published(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author, actions=0)
    with pytest.raises(RuleBroken, match="no action"):
        await desk.call(author, "publish_build", spec_id=work.spec_id)
