"""From one build to another."""

import pytest

from pendesk.domain.errors import BadField, NotFound
from tests.refusals import refused
from tests.workbench import published_spec


async def test_actions_that_came_went_or_were_reworded(desk, ada):
    work = await published_spec(desk, ada, actions=3)
    stored, reworded, idea = (action["pid"] for action in work.actions)
    await desk.call(ada, "update_action", action_id=reworded, label="Action two")
    await desk.call(ada, "update_action", action_id=idea, state="backlog")
    new = await desk.call(ada, "create_action", plan_id=work.plan_id, label="New", criteria=["It is there"])
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach="Begin with the test.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    answer = await desk.call(ada, "compare_builds", spec_id=work.spec_id, to_build=2)
    assert (answer["before"], answer["after"]) == ("B1", "B2")
    assert [item["field"] for item in answer["spec"]] == ["approach"]
    assert {entry["pid"]: entry["change"] for entry in answer["actions"]} == {
        reworded: "changed",
        new["pid"]: "added",
        idea: "removed",
    }
    assert stored not in {value["pid"] for value in answer["actions"]}


async def test_everything_is_new_in_the_first_build(desk, ada):
    work = await published_spec(desk, ada, actions=1)
    answer = await desk.call(ada, "compare_builds", spec_id=work.spec_id, to_build=1)
    assert answer["before"] is None
    assert [action["change"] for action in answer["actions"]] == ["added"]
    assert "title" in [item["field"] for item in answer["spec"]]


@pytest.mark.parametrize("asked", [{"to_build": 2}, {"to_build": 1, "from_build": 2}])
async def test_what_was_not_published_cannot_be_compared(desk, ada, asked):
    work = await published_spec(desk, ada)
    with refused(BadField if "from_build" in asked else NotFound):
        await desk.call(ada, "compare_builds", spec_id=work.spec_id, **asked)
