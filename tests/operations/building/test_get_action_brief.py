import pytest

from tests.desk import MINUTE, SECOND
from tests.workbench import published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3)


async def brief_of(desk, actor, action):
    return await desk.call(actor, "get_action_brief", action_pid=action["pid"])


async def test_it_has_everything_the_action_needs(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    brief = await brief_of(desk, ada, work.actions[0])
    assert brief["action"]["label"] == "Action 1"
    assert [one["text"] for one in brief["action"]["acceptanceCriteria"]] == [
        "Criterion 1.1 holds",
        "Criterion 1.2 holds",
    ]
    assert brief["spec"]["boundaries"] == ["No single sign-on"]
    assert brief["plan"] == {"approach": "Begin with the form."}
    assert [one["label"] for one in brief["siblingActions"]] == ["Action 2", "Action 3"]
    assert brief["openClarifications"] == []
    assert brief["claim"]["fence"] == 1


async def test_the_claimants_reading_marks_criteria_as_seen(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    brief = await brief_of(desk, ada, work.actions[0])
    assert [one["status"] for one in brief["action"]["acceptanceCriteria"]] == ["seen", "seen"]


async def test_anyone_elses_reading_marks_nothing(desk, ada, work):
    brief = await brief_of(desk, ada, work.actions[0])
    assert [one["status"] for one in brief["action"]["acceptanceCriteria"]] == ["pending", "pending"]
    assert "claim" not in brief


async def test_reading_renews_the_lease(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    desk.clock.forward(20 * MINUTE)
    await brief_of(desk, ada, work.actions[0])
    desk.clock.forward(20 * MINUTE)
    grace = await desk.person("Grace")
    facts = await brief_of(desk, grace, work.actions[1])
    assert facts["siblingActions"][0]["claimedBy"] == ada.user_id


async def test_reading_again_at_once_writes_nothing(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    first = await brief_of(desk, ada, work.actions[0])
    desk.clock.forward(5 * SECOND)
    assert await brief_of(desk, ada, work.actions[0]) == first


async def test_a_new_build_comes_as_an_advisory_and_its_changes_once(desk, ada, work):
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    first = await brief_of(desk, ada, action)
    await desk.call(ada, "update_criterion", criterion_id=action["criteria"][0], text="It holds twice")
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach="Begin with the tests.")
    assert (await brief_of(desk, ada, action))["briefRev"] == first["briefRev"]
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    progress = await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Went on.")
    assert "newer build" in progress["advisory"]
    assert "Call get_action_brief now" in progress["advisory"]
    second = await brief_of(desk, ada, action)
    assert second["briefRev"] != first["briefRev"]
    assert {"field": "action.criteria", "added": "It holds twice"} in second["changes"]
    assert {"field": "action.criteria", "removed": "Criterion 1.1 holds"} in second["changes"]
    assert any(one["field"] == "plan.approach" and "+Begin with the tests." in one["diff"] for one in second["changes"])
    third = await brief_of(desk, ada, action)
    assert "changes" not in third
    # Who has just read it is not sent to read it again, and hears no more of it.
    assert ("newer build" in second["advisory"], "get_action_brief" in second["advisory"]) == (True, False)
    later = await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Followed it.")
    commit = await desk.call(ada, "report_commit", action_pid=action["pid"], sha="c" * 40, message="Followed it")
    assert not [answer["advisory"] for answer in (third, later, commit) if "advisory" in answer]
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach="Begin with the docs.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    later = await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Went on.")
    assert "Call get_action_brief now" in later["advisory"]


async def test_the_next_holder_gets_the_hand_over(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"], agent_model="model-a")
    sha = "c" * 40
    await desk.call(ada, "report_commit", action_pid=action["pid"], sha=sha, message="Half\n\nmore", branch="half-way")
    await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Half is done.")
    desk.clock.forward(40 * MINUTE)
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    brief = await brief_of(desk, grace, action)
    assert brief["handOver"] == {
        "ended": "lost",
        "untrusted": {
            "holder": "Ada",
            "agentModel": "model-a",
            "branch": "half-way",
            "commits": [f"{sha} Half"],
            "lastProgress": "Half is done.",
        },
    }


async def test_who_is_at_work_hands_nothing_over_until_the_lease_has_run_out(desk, ada):
    grace, hugo = await desk.person("Grace"), await desk.person("Hugo")
    work = await published_spec(desk, ada, participants=(grace, hugo))
    action = work.actions[0]
    for holder in (ada, grace):
        desk.clock.forward(40 * MINUTE)
        await desk.call(holder, "claim_action", action_pid=action["pid"])
    assert "handOver" not in await brief_of(desk, hugo, action)
    desk.clock.forward(40 * MINUTE)
    told = (await brief_of(desk, hugo, action))["handOver"]
    assert (told["untrusted"]["holder"], told["ended"]) == ("Grace", "expired")


async def test_a_changed_task_without_a_build_shows_its_changes_too(desk, ada):
    project = await desk.call(ada, "create_project", name="Plain")
    task = await desk.call(ada, "create_action", project_id=project["pid"], label="Old", description="Old words")
    await desk.call(ada, "claim_action", action_pid=task["pid"])
    await brief_of(desk, ada, task)
    await desk.call(ada, "update_action", action_id=task["pid"], description="New words")
    brief = await brief_of(desk, ada, task)
    assert brief["changes"] == [{"field": "action.description", "diff": "@@ -1 +1 @@\n-Old words\n+New words"}]


async def test_it_says_where_the_code_is_that_the_action_builds_on(desk, ada):
    bo = await desk.person("Bo")
    work = await published_spec(desk, ada, actions=2, chain=True)
    first, second = work.actions
    assert "prerequisites" not in await brief_of(desk, ada, first)
    await desk.call(ada, "claim_action", action_pid=first["pid"])
    code = {"branch": "one", "head_sha": "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"}
    await desk.call(ada, "submit_for_review", action_pid=first["pid"], summary="Done.", **code)
    assert "prerequisites" not in await brief_of(desk, ada, second)
    verdicts = [{"criterionId": criterion, "verdict": "confirmed"} for criterion in first["criteria"]]
    await desk.call(bo, "review_action", action_pid=first["pid"], verdict="approved", summary="Yes.", verdicts=verdicts)
    (prerequisite,) = (await brief_of(desk, ada, second))["prerequisites"]
    assert prerequisite == {"refCode": "PEN-1", "by": "Ada", "branch": "one", "headSha": code["head_sha"]}
