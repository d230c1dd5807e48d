"""Agent runs: who worked on what with which model, what it cost, and that a silent one shows."""

import asyncio

import pytest

from pendesk.domain.errors import BadField, HeldByAnother, NotFound, RuleBroken
from pendesk.domain.limits import PAGE_ROWS, RUN_STALE_US, RUNS_SHOWN
from tests.desk import SECOND
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import next_door


@pytest.fixture
async def run(desk, ada, project):
    await desk.call(ada, "create_task", project_id="PEN", label="Draw it")
    return await desk.call(ada, "start_agent_run", project_id="PEN", task_id="PEN-1", model="a model")


async def shown(desk, who):
    return (await desk.call(who, "list_agent_runs", project_id="PEN"))["runs"]


async def test_a_run_from_its_start_to_its_end(desk, ada, run):
    task = await desk.call(ada, "get_task", task_id="PEN-1")
    assert (run["label"], run["status"], run["user"]) == ("Draw it", "running", "Ada")
    assert (run["taskId"], run["model"]) == (task["pid"], "a model")
    desk.clock.forward(SECOND)
    progressed = await desk.call(ada, "record_agent_progress", run_id=run["pid"], message="Drew a line.")
    assert progressed["lastSignAt"] > run["lastSignAt"]
    ended = await desk.call(
        ada, "complete_agent_run", run_id=run["pid"], status="completed", tokens=12345, cost=0.1, result="It is drawn."
    )
    assert (ended["status"], ended["tokens"], ended["cost"]) == ("completed", 12345, 0.1)
    assert await shown(desk, ada) == [ended]
    (event,) = await events_of(desk, ada, "run.progressed")
    assert (event["data"]["message"], event["actionId"], event["agentModel"]) == (
        "Drew a line.",
        task["pid"],
        "a model",
    )
    (event,) = await events_of(desk, ada, "run.ended")
    assert event["data"]["costMicros"] == 100_000


async def test_the_least_that_is_needed(desk, ada, project):
    run = await desk.call(ada, "start_agent_run", project_id="PEN")
    assert (run["label"], run["taskId"], run["model"]) == ("Agent run", None, None)
    failed = await desk.call(ada, "complete_agent_run", run_id=run["pid"], status="failed")
    assert failed["status"] == "failed"
    assert not {"tokens", "cost"} & set(failed)


async def test_a_silent_run_is_stale_until_it_gives_a_sign(desk, ada, run):
    desk.clock.forward(RUN_STALE_US - 1)
    assert (await shown(desk, ada))[0]["status"] == "running"
    desk.clock.forward(1)
    assert (await shown(desk, ada))[0]["status"] == "stale"
    assert (await desk.call(ada, "get_project", project_id="PEN"))["agentRuns"][0]["status"] == "stale"
    told = await desk.call(ada, "record_agent_progress", run_id=run["pid"], message="Back.")
    assert told["status"] == "running"


async def test_a_run_that_ended_takes_nothing_more(desk, ada, run):
    await desk.call(ada, "complete_agent_run", run_id=run["pid"], status="completed")
    for operation, more in (("complete_agent_run", {"status": "failed"}), ("record_agent_progress", {"message": "x"})):
        with refused(RuleBroken, "run_ended"):
            await desk.call(ada, operation, run_id=run["pid"], **more)


async def test_a_run_ends_once_however_many_end_it(desk, ada, project):
    for _ in range(5):
        run = await desk.call(ada, "start_agent_run", project_id="PEN")
        told = await asyncio.gather(
            *(
                desk.call(ada, "complete_agent_run", run_id=run["pid"], status=status, tokens=number)
                for number, status in enumerate(("completed", "failed") * 2)
            ),
            return_exceptions=True,
        )
        (won,) = [one for one in told if isinstance(one, dict)]
        assert [getattr(one, "code", None) for one in told].count("run_ended") == 3
        assert (await shown(desk, ada))[0] == won
    assert len(await events_of(desk, ada, "run.ended")) == 5


async def test_a_run_is_its_own_users_until_it_is_stale(desk, ada, grace, run):
    with refused(HeldByAnother):
        await desk.call(grace, "record_agent_progress", run_id=run["pid"], message="x")
    with refused(HeldByAnother):
        await desk.call(grace, "complete_agent_run", run_id=run["pid"], status="failed")
    desk.clock.forward(RUN_STALE_US)
    ended = await desk.call(grace, "complete_agent_run", run_id=run["pid"], status="failed")
    assert (ended["status"], ended["user"]) == ("failed", "Ada")


async def test_a_task_of_another_project_is_refused(desk, ada, run):
    other = await desk.call(ada, "create_project", name="Other", key="OTH")
    with refused(BadField) as caught:
        await desk.call(ada, "start_agent_run", project_id=other["pid"], task_id="PEN-1")
    assert caught.refusal.details["field"] == "task_id"


async def test_the_newest_come_first_in_pages(desk, ada, project):
    made = [(await desk.call(ada, "start_agent_run", project_id="PEN"))["pid"] for _ in range(PAGE_ROWS + 1)]
    first = await desk.call(ada, "list_agent_runs", project_id="PEN")
    rest = await desk.call(ada, "list_agent_runs", project_id="PEN", cursor=first["nextCursor"])
    assert [one["pid"] for one in first["runs"] + rest["runs"]] == made[::-1]
    assert len((await desk.call(ada, "get_project", project_id="PEN"))["agentRuns"]) == RUNS_SHOWN
    with refused(BadField):
        await desk.call(ada, "list_agent_runs", project_id="PEN", cursor="nonsense")


async def test_runs_of_another_workspace_are_not_there(desk, ada, run):
    neighbour = await next_door(desk)
    nina = await neighbour.person("Nina")
    with refused(NotFound):
        await neighbour.call(nina, "record_agent_progress", run_id=run["pid"], message="x")
    with refused(NotFound):
        await neighbour.call(nina, "complete_agent_run", run_id=run["pid"], status="failed")
