import asyncio

import pytest

from pendesk.domain.errors import RuleBroken
from tests.events import events_of
from tests.workbench import drafted_spec, published_spec


async def test_a_participant_sees_what_was_published(desk):
    author, agent = await desk.person("Ada"), await desk.person("Bot")
    work = await published_spec(desk, author, participants=(agent,))
    (spec,) = (await desk.call(agent, "list_available_specs"))["specs"]
    assert spec["pid"] == work.spec_id
    assert [action["refCode"] for action in spec["actions"]] == [item["refCode"] for item in work.actions]


async def test_a_published_action_is_claimed_and_its_brief_has_everything(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    await desk.call(author, "claim_action", action_pid=work.actions[0]["refCode"])
    brief = await desk.call(author, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert brief["action"]["label"] == "Action 1"
    assert brief["action"]["paths"] == ["src/part1/**"]
    assert [item["id"] for item in brief["action"]["acceptanceCriteria"]] == work.actions[0]["criteria"]
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
    assert refused.value.details["actions"] == [action["refCode"] for action in work.actions]


async def test_a_plan_without_actions_is_not_published(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author, actions=0)
    with pytest.raises(RuleBroken, match="no action"):
        await desk.call(author, "publish_build", spec_id=work.spec_id)


async def test_a_spec_without_a_plan_is_not_published(desk):
    author = await desk.person("Ada")
    project = await desk.call(author, "create_project", name="Pendesk")
    spec = await desk.call(author, "create_spec", project_id=project["pid"], title="x")
    with pytest.raises(RuleBroken, match="no plan yet"):
        await desk.call(author, "publish_build", spec_id=spec["pid"])


async def test_publishing_again_makes_the_next_build_and_tells_the_holder(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    action = work.actions[0]
    await desk.call(author, "claim_action", action_pid=action["pid"])
    before = await desk.call(author, "get_action_brief", action_pid=action["pid"])
    await desk.call(author, "update_criterion", criterion_id=action["criteria"][0], text="It is quick")
    await desk.call(author, "update_plan", plan_id=work.plan_id, approach="Begin with the tests.")
    same = await desk.call(author, "get_action_brief", action_pid=action["pid"])
    assert same["briefRev"] == before["briefRev"]  # nothing changes until it is published
    published = await desk.call(author, "publish_build", spec_id=work.spec_id)
    assert (published["build"], published["supersedes"]) == ("B2", "B1")
    progress = await desk.call(author, "update_progress", action_pid=action["pid"], status="started", message="On it.")
    assert "newer build" in progress["advisory"]
    brief = await desk.call(author, "get_action_brief", action_pid=action["pid"])
    assert brief["briefRev"] != before["briefRev"]
    assert {(change["field"], change.get("added")) for change in brief["changes"] if "removed" not in change} == {
        ("action.criteria", "It is quick"),
        ("plan.approach", None),
    }


async def test_an_unchanged_plan_published_again_has_the_same_brief(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    before = await desk.call(author, "get_action_brief", action_pid=work.actions[0]["pid"])
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    assert (await desk.call(author, "get_action_brief", action_pid=work.actions[0]["pid"]))["briefRev"] == before[
        "briefRev"
    ]


async def test_only_the_active_plan_is_published(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    other = await desk.call(author, "create_plan", spec_id=work.spec_id, title="B")
    action = await desk.call(author, "create_action", plan_id=other["pid"], label="Other", criteria=["c"])
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    with pytest.raises(RuleBroken, match="not part of a published build"):
        await desk.call(author, "claim_action", action_pid=action["pid"])
    await desk.call(author, "activate_plan", plan_id=other["pid"])
    published = await desk.call(author, "publish_build", spec_id=work.spec_id)
    assert published["actions"] == [action["refCode"]]


async def test_ideas_and_designs_stay_out_and_need_no_criteria(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author, actions=1)
    for state in ("backlog", "scope"):
        await desk.call(author, "create_action", plan_id=work.plan_id, label="Later", state=state)
    published = await desk.call(author, "publish_build", spec_id=work.spec_id)
    assert published["actions"] == [work.actions[0]["refCode"]]


async def test_what_was_dropped_needs_no_criteria_but_alone_is_nothing_to_publish(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author, actions=1, criteria=0)
    await desk.call(author, "update_action", action_id=work.actions[0]["pid"], state="wont_do", reason="No")
    with pytest.raises(RuleBroken, match="no action"):
        await desk.call(author, "publish_build", spec_id=work.spec_id)
    await desk.call(author, "create_action", plan_id=work.plan_id, label="Do it", criteria=["c"])
    assert len((await desk.call(author, "publish_build", spec_id=work.spec_id))["actions"]) == 2


async def test_builds_are_listed_newest_first(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    builds = (await desk.call(author, "list_builds", spec_id=work.spec_id))["builds"]
    assert [(build["build"], build["current"], build["actions"], build["publishedBy"]) for build in builds] == [
        ("B2", True, 2, "Ada"),
        ("B1", False, 2, "Ada"),
    ]
    older = await desk.call(author, "list_builds", spec_id=work.spec_id, cursor=2)
    assert [item["build"] for item in older["builds"]] == ["B1"]


async def test_builds_published_at_once_are_numbered_one_after_the_other(desk):
    author = await desk.person("Ada")
    work = await drafted_spec(desk, author)
    result = await asyncio.gather(*(desk.call(author, "publish_build", spec_id=work.spec_id) for _ in range(8)))
    assert sorted(item["build"] for item in result) == [f"B{number}" for number in range(1, 9)]
    assert (await desk.call(author, "get_spec_draft", spec_id=work.spec_id))["build"] == "B8"


async def test_the_log_says_what_was_published(desk):
    author = await desk.person("Ada")
    work = await published_spec(desk, author)
    (event,) = await events_of(desk, author, "build.published")
    assert (event["data"]["before"], event["data"]["after"]) == (None, "B1")
    assert event["data"]["actions"] == [action["refCode"] for action in work.actions]
