"""In which order the actions of a plan stand."""

import pytest

from pendesk.domain.errors import BadField
from tests.refusals import refused
from tests.workbench import drafted_spec


async def order(desk, ada, work):
    draft = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    return [action["pid"] for action in draft["actions"]]


async def test_actions_stand_as_they_were_put_and_a_new_one_comes_last(desk, ada):
    work = await drafted_spec(desk, ada, actions=3)
    first, two, three = (action["pid"] for action in work.actions)
    await desk.call(ada, "order_actions", plan_id=work.plan_id, action_ids=[three, first, two])
    assert await order(desk, ada, work) == [three, first, two]
    refs = [item["refCode"] for item in (work.actions[2], work.actions[0], work.actions[1])]
    answer = await desk.call(ada, "order_actions", plan_id=work.plan_id, action_ids=refs)
    assert answer["actionIds"] == [three, first, two]
    new = await desk.call(ada, "create_action", plan_id=work.plan_id, label="New", criteria=["It is there"])
    assert await order(desk, ada, work) == [three, first, two, new["pid"]]
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    published = await desk.call(ada, "get_spec", spec_pid=work.spec_id)
    assert [entry["pid"] for entry in published["actions"]] == [three, first, two, new["pid"]]


@pytest.mark.parametrize("spoil", [lambda ids: ids[:1], lambda ids: [ids[0], ids[0]], lambda ids: [*ids, "x"]])
async def test_each_is_named_once(desk, ada, spoil):
    work = await drafted_spec(desk, ada)
    ids = [action["pid"] for action in work.actions]
    with refused(BadField):
        await desk.call(ada, "order_actions", plan_id=work.plan_id, action_ids=spoil(ids))
    assert await order(desk, ada, work) == ids
