"""A project as a graph."""

import pytest

from tests.workbench import published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def flow_of(desk, person, project):
    told = await desk.call(person, "get_flow", project_id=project)
    return {node["card"]["refCode"]: node for node in told["nodes"]}, told["edges"]


async def test_what_comes_first_stands_to_the_left_and_the_longest_line_is_critical(desk, ada):
    work = await published_spec(desk, ada, actions=3, chain=True)
    nodes, edges = await flow_of(desk, ada, work.project_id)
    first, second, third = (nodes[each["refCode"]] for each in work.actions)
    assert first["x"] < second["x"] < third["x"]
    assert [each["critical"] for each in (first, second, third)] == [True, True, True]
    assert [(each["critical"], each["ordered"], each["past"]) for each in edges] == [(True, True, False)] * 2
    assert edges[0]["before"] == work.actions[0]["pid"]


async def test_a_place_by_hand_stays_and_the_others_stay_where_they_were(desk, ada):
    work = await published_spec(desk, ada, actions=3, chain=True)
    before, _ = await flow_of(desk, ada, work.project_id)
    await desk.call(ada, "update_action", action_id=work.actions[1]["pid"], x=-40.5, y=900)
    after, _ = await flow_of(desk, ada, work.project_id)
    moved = after[work.actions[1]["refCode"]]
    assert (moved["x"], moved["y"], moved["placed"]) == (-40.5, 900, True)
    for each in (work.actions[0]["refCode"], work.actions[2]["refCode"]):
        assert (after[each]["x"], after[each]["y"]) == (before[each]["x"], before[each]["y"])
        assert after[each]["placed"] is False


async def test_a_change_of_state_moves_nothing(desk, ada):
    work = await published_spec(desk, ada, actions=4, chain=True)
    before, _ = await flow_of(desk, ada, work.project_id)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    after, _ = await flow_of(desk, ada, work.project_id)
    assert {ref: (node["x"], node["y"]) for ref, node in after.items()} == {
        ref: (node["x"], node["y"]) for ref, node in before.items()
    }


async def test_an_edge_that_passes_an_action_goes_by_it_until_one_of_its_ends_is_moved(desk, ada):
    work = await published_spec(desk, ada, actions=3, chain=True)
    first, _, third = (each["pid"] for each in work.actions)
    ends = {"from_task_id": first, "to_task_id": third}
    await desk.call(ada, "create_edge", project_id=work.project_id, label="blocks", **ends)
    _, edges = await flow_of(desk, ada, work.project_id)
    assert [len(each["bends"]) for each in edges] == [0, 0, 1]
    await desk.call(ada, "update_action", action_id=first, x=0, y=0)
    _, edges = await flow_of(desk, ada, work.project_id)
    assert [len(each["bends"]) for each in edges] == [0, 0, 0]


async def test_labels_without_an_order_connect_but_do_not_order(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    first, second = (each["pid"] for each in work.actions)
    ends = {"from_task_id": first, "to_task_id": second}
    await desk.call(ada, "create_edge", project_id=work.project_id, label="supports", **ends)
    nodes, (edge,) = await flow_of(desk, ada, work.project_id)
    assert (edge["before"], edge["after"], edge["ordered"], edge["critical"]) == (first, second, False, False)
    assert not any(node["critical"] for node in nodes.values())
