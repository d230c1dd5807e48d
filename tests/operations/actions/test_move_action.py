"""From one plan of a spec to another."""

from pendesk.domain.errors import BadField, RuleBroken
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


async def test_an_action_goes_to_another_plan_with_its_criteria(desk, ada):
    work = await drafted_spec(desk, ada)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Plan B")
    moved = await desk.call(ada, "move_action", action_id=work.actions[0]["refCode"], plan_id=other["pid"])
    assert (moved["planId"], len(moved["criteria"])) == (other["pid"], 2)
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    assert [one["pid"] for one in draft["actions"]] == [work.actions[1]["pid"]]
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id, plan_id=other["pid"])
    assert [one["pid"] for one in draft["actions"]] == [work.actions[0]["pid"]]
    assert draft["shownPlanId"] == other["pid"]


async def test_it_stays_in_its_spec(desk, ada):
    work, elsewhere = await drafted_spec(desk, ada), await drafted_spec(desk, ada)
    with refused(BadField):
        await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], plan_id=elsewhere.plan_id)


async def test_what_an_agent_has_in_hand_stays_where_it_is(desk, ada):
    work = await published_spec(desk, ada)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Plan B")
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    with refused(RuleBroken, "invalid_transition"):
        await desk.call(ada, "move_action", action_id=work.actions[0]["pid"], plan_id=other["pid"])
