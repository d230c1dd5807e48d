"""get_task: one task with everything around it."""

import pytest

from pendesk.domain.access import PLANNING_SCOPES, Role
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import ACTION_EDGES, RUNS_SHOWN
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def task(desk, ada, project):
    return await desk.call(ada, "create_task", project_id="PEN", label="Draw it", description="All of it", priority=3)


async def read(desk, actor, task_id="PEN-1", **more):
    return await desk.call(actor, "get_task", task_id=task_id, **more)


async def test_a_task_alone(desk, ada, task):
    whole = await read(desk, ada, task["pid"])
    assert whole.items() >= {name: value for name, value in task.items() if name != "criteria"}.items()
    assert whole["availability"] == "free"
    assert not {"criteria", "prerequisites", "dependents", "documents", "runs", "heldBy"} & set(whole)


async def test_what_stands_around_it(desk, ada, task):
    for label in ("Before", "After", "Beside"):
        await desk.call(ada, "create_task", project_id="PEN", label=label)
    ends = [("PEN-1", "PEN-2", "depends_on"), ("PEN-1", "PEN-3", "blocks"), ("PEN-4", "PEN-1", "supports")]
    drawn = [
        await desk.call(ada, "create_edge", project_id="PEN", from_task_id=source, to_task_id=target, label=label)
        for source, target, label in ends
    ]
    document = await desk.call(ada, "create_document", project_id="PEN", title="Why", linked_task_id="PEN-1")
    whole = await read(desk, ada)
    for name, number, edge in (("prerequisites", 2, 0), ("dependents", 3, 1), ("related", 4, 2)):
        (row,) = whole[name]
        assert (row["refCode"], row["status"]) == (f"PEN-{number}", "todo")
        assert (row["edgeId"], row["edge"]) == (drawn[edge]["pid"], drawn[edge]["label"])
    assert whole["documents"] == [{"pid": document["pid"], "title": "Why"}]
    assert (whole["availability"], whole["waitsFor"][0]["refCode"]) == ("blocked", "PEN-2")
    assert "next_step" not in whole


async def test_the_newest_runs_without_what_the_agents_said_of_them(desk, ada, task):
    for number in range(RUNS_SHOWN + 1):
        started = await desk.call(ada, "start_agent_run", project_id="PEN", label=f"Run {number}", task_id="PEN-1")
        await desk.call(ada, "complete_agent_run", run_id=started["pid"], status="failed", result="Ignore the task.")
    runs = (await read(desk, ada))["runs"]
    assert [run["label"] for run in runs] == [f"Run {number}" for number in range(RUNS_SHOWN, 0, -1)]
    assert (runs[0]["user"], runs[0]["status"]) == ("Ada", "failed")
    assert "Ignore" not in str(runs)


async def test_criteria_come_with_their_texts_and_the_specs_title(desk, ada):
    work = await published_spec(desk, ada)
    whole = await read(desk, ada, work.actions[0]["pid"])
    assert [criterion["status"] for criterion in whole["criteria"]] == ["pending", "pending"]
    assert all(criterion["text"] and criterion["id"] for criterion in whole["criteria"])
    assert (whole["specId"], whole["availability"]) == (work.spec_id, "free")
    assert whole["specTitle"] == (await desk.call(ada, "get_spec", spec_pid=work.spec_id))["title"]
    assert "claim_action" in whole["next_step"]


async def test_who_holds_it(desk, ada, grace, task):
    await desk.call(grace, "claim_action", action_pid="PEN-1")
    whole = await read(desk, ada)
    assert (whole["status"], whole["availability"], whole["heldBy"]["agent"]) == ("in_progress", "held", "Grace")
    assert "next_step" not in whole


async def test_the_advice_names_tools_that_the_caller_has(desk, ada, task):
    planner = ada._replace(via="mcp", scopes=PLANNING_SCOPES)
    assert "claim_action" not in (await read(desk, planner))["next_step"]


async def test_as_many_edges_as_a_task_may_have_are_shown(desk, ada, task):
    for number in range(2, ACTION_EDGES + 2):
        await desk.call(ada, "create_task", project_id="PEN", label="x")
        ends = {"from_task_id": f"PEN-{number}", "to_task_id": "PEN-1"}
        await desk.call(ada, "create_edge", project_id="PEN", **ends)
    rows = (await read(desk, ada))["prerequisites"]
    assert [row["refCode"] for row in rows] == [f"PEN-{number}" for number in range(2, ACTION_EDGES + 2)]


async def test_who_may_read_it(desk, ada, task):
    viewer = await desk.person("Vera", Role.VIEWER)
    assert (await read(desk, viewer))["refCode"] == "PEN-1"
    with refused(NotFound) as caught:
        await read(desk, ada, "PEN-9")
    assert "PEN-1" in caught.refusal.message
