"""A project as a graph."""

import pytest

from pendesk.operations.overview import get_flow
from pendesk.operations.overview.flow_clusters import NO_SPEC
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


async def test_only_the_actions_of_a_spec_and_only_what_is_not_done(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    await desk.call(ada, "create_action", project_id="PEN", label="Without a spec")
    first, second = (action["refCode"] for action in work.actions)
    await desk.call(ada, "update_action", action_id=first, state="wont_do", reason="No.")
    assert set(await refs(desk, ada)) == {first, second, "PEN-3"}
    assert set(await refs(desk, ada, spec_id=work.spec_id)) == {first, second}
    assert set(await refs(desk, ada, spec_id=work.spec_id, done="hidden")) == {second}
    assert set(await refs(desk, ada, spec_id="none")) == {"PEN-3"}
    assert await refs(desk, ada, spec_id="01a1e9af-ffea-7b49-a9fd-f6ea9d8a1186") == []
    other = await published_spec(desk, ada, actions=1)
    assert await refs(desk, ada, spec_id=other.spec_id) == []


async def refs(desk, person, **fields):
    flow = await desk.call(person, "get_flow", project_id="PEN", **fields)
    return [node["card"]["refCode"] for node in flow["nodes"]]


@pytest.fixture
async def three_specs(desk, ada, monkeypatch):
    """More actions than can be drawn: two specs that wait for each other, one that is done; and one action of none."""
    monkeypatch.setattr(get_flow, "FLOW_NODES", 3)
    work = await published_spec(desk, ada, actions=2)
    spec_ids = [work.spec_id]
    for title in ("Sign out", "Old"):
        spec = await desk.call(ada, "create_spec", project_id="PEN", title=title)
        plan = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="A", approach="So")
        for number in (1, 2):
            await desk.call(ada, "create_action", plan_id=plan["pid"], label=f"{title} {number}")
        spec_ids.append(spec["pid"])
    await desk.call(ada, "create_action", project_id="PEN", label="Without a spec")
    for old in ("PEN-5", "PEN-6"):
        await desk.call(ada, "update_action", action_id=old, state="wont_do", reason="Old.")
    for before, after in (("PEN-1", "PEN-3"), ("PEN-2", "PEN-3"), ("PEN-4", "PEN-2"), ("PEN-5", "PEN-7")):
        ends = {"from_task_id": before, "to_task_id": after}
        await desk.call(ada, "create_edge", project_id="PEN", label="blocks", **ends)
    return spec_ids


async def test_of_more_actions_than_can_be_drawn_the_specs_are_with_what_they_wait_for(desk, ada, three_specs):
    sign_in, sign_out, old = three_specs
    flow = await desk.call(ada, "get_flow", project_id="PEN")
    assert (flow["nodes"], flow["count"], flow["fitting"], flow["done"]) == ([], 7, 5, "hidden")
    clusters = {cluster.get("specId"): cluster for cluster in flow["clusters"]}
    assert {ident: (each["title"], each["open"], each["total"]) for ident, each in clusters.items()} == {
        sign_in: ("Sign in", {"todo": 2}, 2),
        sign_out: ("Sign out", {"todo": 2}, 2),
        None: (NO_SPEC, {"todo": 1}, 1),
    }
    assert [(edge["before"], edge["after"], edge["count"], edge["unresolved"]) for edge in flow["clusterEdges"]] == [
        (sign_in, sign_out, 2, 2),
        (sign_out, sign_in, 1, 1),
    ]
    assert clusters[sign_in]["x"] < clusters[sign_out]["x"]  # what most actions wait for
    shown = await desk.call(ada, "get_flow", project_id="PEN", done="shown")
    assert {cluster.get("specId") for cluster in shown["clusters"]} == {sign_in, sign_out, old, None}
    assert [edge["count"] for edge in shown["clusterEdges"]] == [2, 1, 1]
    assert set(await refs(desk, ada, spec_id=sign_out)) == {"PEN-3", "PEN-4"}
    assert len(await refs(desk, ada, group="action", done="shown")) == 7


async def test_a_few_actions_are_grouped_by_spec_where_that_is_asked_for(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    flow = await desk.call(ada, "get_flow", project_id="PEN", group="spec")
    assert [(cluster["specId"], cluster["open"]) for cluster in flow["clusters"]] == [(work.spec_id, {"todo": 2})]
