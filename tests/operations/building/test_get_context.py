"""get_context: who the caller is, what they hold, what is next."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES, PLANNING_SCOPES, TOKEN_SCOPES
from pendesk.domain.errors import NotFound
from tests.refusals import refused
from tests.workbench import published_spec


async def test_before_and_after_a_claim(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=2)
    first, second = work.actions
    fresh = await desk.call(ada, "get_context")
    assert (fresh["userName"], fresh["held"]) == ("Ada", [])
    assert fresh["next"]["refCode"] == first["refCode"]
    assert [each["pid"] for each in fresh["projects"]] == [work.project_id]
    await desk.call(ada, "claim_action", action_pid=first["pid"])
    await desk.call(ada, "request_clarification", action_pid=first["pid"], question="Which colour?")
    told = await desk.call(ada, "get_context", project_id=work.project_id)
    assert [(each["refCode"], each["openQuestions"]) for each in told["held"]] == [
        (first["refCode"], ["Which colour?"])
    ]
    assert told["next"]["refCode"] == second["refCode"]
    assert told["project"]["pid"] == work.project_id


async def test_it_shows_nothing_of_specs_that_the_caller_takes_no_part_in(desk):
    ada, bob = await desk.person("Ada"), await desk.person("Bob")
    work = await published_spec(desk, ada, actions=1)
    told = await desk.call(bob._replace(scopes=BUILDING_SCOPES), "get_context")
    assert (told["projects"], told["held"], told["next"]) == ([], [], None)
    assert told["scopes"] == ["specs.read", "builds.write"]
    assert (await desk.call(bob, "get_context", project_id=work.project_id))["next"] is None


async def test_another_project_has_nothing_of_this_one(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=1)
    other = await desk.call(ada, "create_project", name="Other")
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    told = await desk.call(ada, "get_context", project_id=other["pid"])
    assert (told["held"], told["next"], told["project"]["name"]) == ([], None, "Other")


async def test_no_such_project(desk):
    ada = await desk.person("Ada")
    with refused(NotFound):
        await desk.call(ada, "get_context", project_id="NONE")


@pytest.fixture
async def planned(desk):
    """A project of tasks alone, and an agent that plans."""
    ada = await desk.person("Ada")
    project = await desk.call(ada, "create_project", name="Tasks")
    first, second = [
        await desk.call(ada, "create_task", project_id=project["pid"], label=label, status="todo")
        for label in ("Measure", "Cut")
    ]
    edge = {"from_task_id": first["pid"], "to_task_id": second["pid"], "label": "blocks"}
    await desk.call(ada, "create_edge", project_id=project["pid"], **edge)
    return ada._replace(scopes=PLANNING_SCOPES, via="mcp"), project, first, second


async def test_a_planning_token_learns_the_next_task(desk, planned):
    agent, project, first, second = planned
    context = await desk.call(agent, "get_context", project_id=project["pid"])
    assert context["scopes"] == ["desk.read", "desk.write", "specs.write"]
    assert (context["nextTask"]["refCode"], context["next"]) == (first["refCode"], None)
    assert "notice" not in context
    await desk.call(agent, "update_task", task_id=first["pid"], status="done")
    context = await desk.call(agent, "get_context", project_id=project["pid"])
    assert context["nextTask"]["refCode"] == second["refCode"]
    await desk.call(agent, "update_task", task_id=second["pid"], status="done")
    context = await desk.call(agent, "get_context", project_id=project["pid"])
    assert "nextTask" not in context
    assert context["notice"] == "No task is in todo. Move one from backlog or scope with update_task when it is ready."


async def test_of_a_project_that_is_not_named_a_planning_token_learns_no_task(desk, planned):
    agent, _project, _first, _second = planned
    context = await desk.call(agent, "get_context")
    assert "nextTask" not in context
    assert "notice" not in context


async def test_a_token_for_both_learns_what_to_claim_and_the_next_task(desk, planned):
    agent, project, first, _second = planned
    context = await desk.call(agent._replace(scopes=TOKEN_SCOPES), "get_context", project_id=project["pid"])
    assert (context["next"]["refCode"], context["nextTask"]["refCode"]) == (first["refCode"], first["refCode"])


async def test_a_building_token_learns_nothing_of_tasks(desk, planned):
    agent, project, _first, _second = planned
    context = await desk.call(agent._replace(scopes=BUILDING_SCOPES), "get_context", project_id=project["pid"])
    assert "nextTask" not in context
