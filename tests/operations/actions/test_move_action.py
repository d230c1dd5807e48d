"""Into a spec and out of it, from one spec to another, and from one plan of a spec to another."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.errors import BadField, NotFound, RuleBroken
from tests.refusals import refused
from tests.workbench import drafted_spec, next_door, published_spec


async def agent(desk, name="Ben"):
    return (await desk.person(name, scopes=BUILDING_SCOPES))._replace(via="mcp")


async def availability(desk, actor, ref):
    """What the board says of it."""
    action = await desk.call(actor, "get_action", action_id=ref)
    cards = (await desk.call(actor, "list_cards", project_id=action["projectId"]))["cards"]
    card = next(card for card in cards if card["refCode"] == ref)
    return card["availability"], card.get("notReadyReason")


async def test_an_action_goes_to_another_plan_with_its_criteria(desk, ada):
    work = await drafted_spec(desk, ada)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Plan B")
    moved = await desk.call(ada, "move_action", action_id=work.actions[0]["refCode"], plan_id=other["pid"])
    assert (moved["planId"], len(moved["criteria"])) == (other["pid"], 2)
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    assert [action["pid"] for action in draft["actions"]] == [work.actions[1]["pid"]]
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id, plan_id=other["pid"])
    assert [action["pid"] for action in draft["actions"]] == [work.actions[0]["pid"]]
    assert draft["shownPlanId"] == other["pid"]


async def test_a_plain_action_goes_into_a_spec_and_is_claimed_after_the_next_publish(desk, ada):
    work = await published_spec(desk, ada)
    ben = await agent(desk)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=ben.user_id)
    task = await desk.call(ada, "create_action", project_id=work.project_id, label="Loose", criteria=["It holds"])
    assert await availability(desk, ada, task["refCode"]) == ("free", None)
    moved = await desk.call(ada, "move_action", action_id=task["refCode"], spec_id=work.spec_id)
    assert (moved["specId"], moved["planId"], moved["refCode"]) == (work.spec_id, work.plan_id, task["refCode"])
    assert await availability(desk, ada, task["refCode"]) == ("not_ready", "unpublished")
    with refused(RuleBroken, "not_published"):
        await desk.call(ben, "claim_action", action_pid=task["refCode"])
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    assert [action["refCode"] for action in draft["actions"]][-1] == task["refCode"]
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert await availability(desk, ada, task["refCode"]) == ("free", None)
    assert (await desk.call(ben, "claim_action", action_pid=task["refCode"]))["refCode"] == task["refCode"]


async def test_a_spec_without_a_plan_gets_its_first(desk, ada):
    project = await desk.call(ada, "create_project", name="Harbour")
    spec = await desk.call(ada, "create_spec", project_id=project["pid"], title="Tides")
    task = await desk.call(ada, "create_action", project_id=project["pid"], label="Loose")
    moved = await desk.call(ada, "move_action", action_id=task["pid"], spec_id=spec["pid"])
    draft = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])
    assert [plan["pid"] for plan in draft["plans"]] == [moved["planId"]]
    added = await desk.call(ada, "create_action", spec_id=spec["pid"], label="Beside it")
    assert added["planId"] == moved["planId"]


async def test_what_leaves_a_published_spec_is_no_longer_part_of_it_for_agents(desk, ada):
    work = await published_spec(desk, ada)
    ben = await agent(desk)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=ben.user_id)
    ref = work.actions[0]["refCode"]
    out = await desk.call(ada, "move_action", action_id=ref, spec_id="")
    assert (out["specId"], out["planId"], len(out["criteria"])) == (None, None, 2)
    spec = await desk.call(ben, "get_spec", spec_pid=work.spec_id)
    assert [action["refCode"] for action in spec["actions"]] == [work.actions[1]["refCode"]]
    listed = await desk.call(ben, "list_available_specs")
    assert [row["refCode"] for row in listed["specs"][0]["actions"]] == [work.actions[1]["refCode"]]
    assert [row["refCode"] for row in listed["otherActions"][0]["actions"]] == [ref]
    assert (await desk.call(ben, "claim_action", action_pid=ref))["refCode"] == ref
    # The build keeps what was published; the next one is without it.
    builds = (await desk.call(ada, "list_builds", spec_id=work.spec_id))["builds"]
    assert builds[0]["actions"] == 2
    published = await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert published["actions"] == [work.actions[1]["refCode"]]


async def test_from_one_spec_to_another_with_edges_and_ref(desk, ada):
    work = await published_spec(desk, ada, chain=True)
    other = await desk.call(ada, "create_spec", project_id=work.project_id, title="Sign out")
    first, second = (action["refCode"] for action in work.actions)
    await desk.call(ada, "move_action", action_id=second, spec_id=other["pid"])
    moved = await desk.call(ada, "get_action", action_id=second)
    assert (moved["refCode"], moved["specId"]) == (second, other["pid"])
    draft = await desk.call(ada, "get_spec_draft", spec_id=other["pid"])
    assert [row["refCode"] for row in draft["actions"][0]["prerequisites"]] == [first]
    await desk.call(ada, "move_action", action_id=second, spec_id=work.spec_id)
    assert await availability(desk, ada, second) == ("blocked", None)


async def test_what_an_agent_has_or_is_in_review_stays_where_it_is(desk, ada):
    work = await published_spec(desk, ada)
    ref = work.actions[0]["refCode"]
    await desk.call(ada, "claim_action", action_pid=ref)
    with refused(RuleBroken, "invalid_transition"):
        await desk.call(ada, "move_action", action_id=ref, spec_id="")
    summary = {"pr_url": "https://github.com/acme/harbour/pull/1", "summary": "Done."}
    await desk.call(ada, "submit_for_review", action_pid=ref, **summary)
    with refused(RuleBroken, "invalid_transition"):
        await desk.call(ada, "move_action", action_id=ref, spec_id="")
    # Nothing to do is no refusal.
    same = await desk.call(ada, "move_action", action_id=ref, spec_id=work.spec_id)
    assert same["planId"] == work.plan_id


async def test_it_stays_in_its_project_and_in_its_workspace(desk, ada):
    work, elsewhere = await drafted_spec(desk, ada), await drafted_spec(desk, ada)
    for place in ({"plan_id": elsewhere.plan_id}, {"spec_id": elsewhere.spec_id}, {}):
        with refused(BadField):
            await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], **place)
    both = {"plan_id": work.plan_id, "spec_id": work.spec_id}
    with refused(BadField):
        await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], **both)
    other_desk = await next_door(desk)
    foreign = await drafted_spec(other_desk, await other_desk.person("Eve"))
    with refused(NotFound):
        await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], spec_id=foreign.spec_id)


async def test_the_log_tells_where_it_went(desk, ada):
    work = await drafted_spec(desk, ada)
    task = await desk.call(ada, "create_action", project_id=work.project_id, label="Loose")
    await desk.call(ada, "move_action", action_id=task["pid"], spec_id=work.spec_id)
    events = (await desk.call(ada, "get_timeline"))["events"]
    moves = [event["data"] for event in events if event["kind"] == "action.edited"]
    assert moves == [{"plan": {"before": None, "after": work.plan_id}, "spec": {"before": None, "after": work.spec_id}}]


async def test_a_draft_with_an_action_that_was_worked_on_is_not_deleted_with_it(desk, ada):
    work = await published_spec(desk, ada)
    other = await desk.call(ada, "create_spec", project_id=work.project_id, title="Sign out")
    await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], spec_id=other["pid"])
    with refused(RuleBroken, "in_use"):
        await desk.call(ada, "delete_spec", spec_id=other["pid"])
    await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], spec_id=work.spec_id)
    await desk.call(ada, "delete_spec", spec_id=other["pid"])


async def test_what_is_done_already_may_go_into_a_spec_and_needs_no_criterion_to_be_published(desk, ada):
    work = await drafted_spec(desk, ada)
    done = await desk.call(ada, "create_task", project_id=work.project_id, label="Done before")
    await desk.call(ada, "update_task", task_id=done["pid"], status="done")
    await desk.call(ada, "move_action", action_id=done["pid"], spec_id=work.spec_id)
    assert (await desk.call(ada, "preview_build", spec_id=work.spec_id))["ready"]
    published = await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert done["refCode"] in published["actions"]


async def test_an_action_outside_any_spec_gets_criteria_later_and_is_then_reviewed(desk, ada):
    project = await desk.call(ada, "create_project", name="Harbour")
    task = await desk.call(ada, "create_task", project_id=project["pid"], label="Loose")
    action = await desk.call(ada, "create_criterion", action_id=task["refCode"], text="The page shows the tides")
    second = await desk.call(ada, "create_criterion", action_id=task["refCode"], text="And the wind")
    order = [second["criteria"][1]["id"], action["criteria"][0]["id"]]
    ordered = await desk.call(ada, "order_criteria", action_id=task["refCode"], criterion_ids=order)
    assert [criterion["id"] for criterion in ordered["criteria"]] == order
    with pytest.raises(RuleBroken):
        await desk.call(ada, "update_task", task_id=task["pid"], status="done")
    ben = await agent(desk)
    await desk.call(ben, "claim_action", action_pid=task["refCode"])
    brief = await desk.call(ben, "get_action_brief", action_pid=task["refCode"])
    assert [criterion["text"] for criterion in brief["action"]["acceptanceCriteria"]] == [
        "And the wind",
        "The page shows the tides",
    ]
    hand_over = {"pr_url": "https://github.com/acme/harbour/pull/1", "summary": "Done."}
    await desk.call(ben, "submit_for_review", action_pid=task["refCode"], **hand_over)
    verdicts = [{"criterionId": ident, "verdict": "confirmed"} for ident in order]
    judgement = {"verdict": "approved", "summary": "Good.", "verdicts": verdicts}
    await desk.call(ada, "review_action", action_pid=task["refCode"], **judgement)
    assert (await desk.call(ada, "get_action", action_id=task["pid"]))["state"] == "done"
