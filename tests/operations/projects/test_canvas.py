"""get_canvas and put_canvas: where the tasks of a project stand."""

import pytest

from pendesk.domain.errors import BadField, NotFound
from tests.refusals import refused


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def project(desk, ada):
    created = await desk.call(ada, "create_project", name="Harbour", key="HRB")
    for label in ("Dredge", "Measure", "Open"):
        await desk.call(ada, "create_task", project_id=created["pid"], label=label)
    await desk.call(ada, "create_edge", project_id="HRB", from_task_id="HRB-2", to_task_id="HRB-1", label="depends_on")
    return created["pid"]


def places(canvas):
    return {node["refCode"]: (node["x"], node["y"], node["placed"]) for node in canvas["nodes"]}


async def test_what_nobody_has_placed_is_laid_out(desk, ada, project):
    canvas = await desk.call(ada, "get_canvas", project_id=project)
    at = places(canvas)
    first = canvas["nodes"][0]
    assert (first["label"], first["status"]) == ("Dredge", "todo")
    assert at["HRB-1"][0] < at["HRB-2"][0]
    assert not any(placed for _, _, placed in at.values())
    assert [(edge["label"], edge["comesFirst"]) for edge in canvas["edges"]] == [("depends_on", first["id"])]
    assert (canvas["layout"], canvas["complete"]) == ("automatic", True)


async def test_tasks_are_moved_and_the_others_stay(desk, ada, project):
    before = places(await desk.call(ada, "get_canvas", project_id=project))
    moved = await desk.call(ada, "put_canvas", project_id="HRB", nodes=[{"id": "HRB-3", "x": -10.5, "y": 7}])
    at = places(moved)
    assert at["HRB-3"] == (-10.5, 7, True)
    assert (at["HRB-1"], moved["layout"]) == (before["HRB-1"], "manual")
    assert moved == await desk.call(ada, "get_canvas", project_id=project)
    event = (await desk.call(ada, "list_events", project_id=project))["events"][-1]
    assert (event["kind"], event["data"]) == ("canvas.arranged", {"tasks": 1, "layout": "manual"})
    assert (await desk.call(ada, "get_action", action_id="HRB-3"))["revision"] == 1


async def test_tidying_forgets_every_place(desk, ada, project):
    fresh = await desk.call(ada, "get_canvas", project_id=project)
    await desk.call(ada, "put_canvas", project_id=project, nodes=[{"id": "HRB-1", "x": 1, "y": 1}])
    assert await desk.call(ada, "put_canvas", project_id=project, layout="automatic") == fresh


async def test_one_bad_node_and_nothing_moves(desk, ada, project):
    other = await desk.call(ada, "create_project", name="Other", key="OTH")
    await desk.call(ada, "create_task", project_id=other["pid"], label="Elsewhere")
    before = await desk.call(ada, "get_canvas", project_id=project)
    good = {"id": "HRB-1", "x": 1, "y": 1}
    for bad in ("OTH-1", "HRB-99", "nonsense", "HRB-1"):
        with refused(BadField) as caught:
            await desk.call(ada, "put_canvas", project_id=project, nodes=[good, {"id": bad, "x": 0, "y": 0}])
        assert caught.refusal.details["field"] == "nodes[1].id"
    assert await desk.call(ada, "get_canvas", project_id=project) == before
    with refused(NotFound):
        await desk.call(ada, "put_canvas", project_id="NONE")


async def test_the_canvas_and_the_flow_are_one_picture(desk, ada, project):
    await desk.call(ada, "put_canvas", project_id=project, nodes=[{"id": "HRB-3", "x": 40, "y": 500}])
    flow = await desk.call(ada, "get_flow", project_id=project)
    drawn = {node["card"]["refCode"]: (node["x"], node["y"], node["placed"]) for node in flow["nodes"]}
    assert drawn == places(await desk.call(ada, "get_canvas", project_id=project))
