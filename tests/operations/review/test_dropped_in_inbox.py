"""An action that is dropped while others wait for it is a decision for a person, until it is made or needless."""

import pytest

from tests.desk import MINUTE
from tests.workbench import published_spec

DROP = {"status": "wont-do", "message": "The form does it already."}


async def dropped_items(desk, person):
    inbox = await desk.call(person, "get_inbox")
    items = [item for item in inbox["items"] if item["kind"] == "dropped"]
    assert inbox["counts"]["dropped"] == len(items)
    return items


@pytest.fixture
async def dropped(desk, ada, grace):
    """PEN-2 and PEN-3 wait for PEN-1, which Grace's agent has dropped."""
    work = await published_spec(desk, ada, actions=3, participants=(grace,))
    for number in (2, 3):
        await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id=f"PEN-{number}")
    await desk.call(grace, "claim_action", action_pid="PEN-1", agent_model="opus-5")
    desk.clock.forward(MINUTE)
    await desk.call(grace, "update_progress", action_pid="PEN-1", **DROP)
    return work


async def test_it_says_who_dropped_it_and_why_and_what_waits(desk, ada, grace, dropped):
    dropped_at = desk.clock()
    desk.clock.forward(MINUTE)
    # Placing it on the canvas is a change, but not of what waits.
    await desk.call(ada, "update_action", action_id="PEN-1", x=40, y=20)
    (item,) = await dropped_items(desk, ada)
    assert (item["refCode"], item["label"], item["specTitle"]) == ("PEN-1", "Action 1", "Sign in")
    assert (item["pid"], item["text"]) == (item["actionPid"], DROP["message"])
    assert item["who"] == {"userId": grace.user_id, "name": "Grace", "kind": "person", "agentModel": "opus-5"}
    assert item["dependents"] == [
        {"refCode": "PEN-2", "label": "Action 2"},
        {"refCode": "PEN-3", "label": "Action 3"},
    ]
    assert (item["dependentsCount"], item["since"]) == (2, (await at_of_drop(desk, ada))["at"])
    assert desk.clock() > dropped_at


async def at_of_drop(desk, person):
    timeline = await desk.call(person, "get_timeline", action_pid="PEN-1")
    return next(event for event in timeline["events"] if event["kind"] == "action.dropped")


async def test_releasing_what_waits_answers_it(desk, ada, dropped):
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    assert await dropped_items(desk, ada) == []


async def test_reopening_it_answers_it(desk, ada, dropped):
    await desk.call(ada, "update_action", action_id="PEN-1", state="todo")
    assert await dropped_items(desk, ada) == []


async def test_it_goes_when_nothing_waits_any_more_and_comes_back_with_a_new_edge(desk, ada, dropped):
    flow = await desk.call(ada, "get_flow", project_id="PEN")
    await desk.call(ada, "remove_edge", edge_id=flow["edges"][0]["pid"])
    (item,) = await dropped_items(desk, ada)
    assert item["dependentsCount"] == 1
    await desk.call(ada, "update_action", action_id=item["dependents"][0]["refCode"], state="wont_do", reason="Gone.")
    assert await dropped_items(desk, ada) == []
    await desk.call(ada, "create_task", project_id="PEN", label="Later")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id="PEN-4")
    (item,) = await dropped_items(desk, ada)
    assert item["dependents"] == [{"refCode": "PEN-4", "label": "Later"}]
    await desk.call(ada, "delete_action", action_id="PEN-4")
    assert await dropped_items(desk, ada) == []


async def test_it_is_among_the_others_by_when_it_was_dropped(desk, ada, grace, dropped):
    desk.clock.forward(MINUTE)
    await desk.call(ada, "release_dependents", action_id="PEN-1")
    await desk.call(grace, "claim_action", action_pid="PEN-2")
    await desk.call(grace, "request_clarification", action_pid="PEN-2", question="Which port?")
    desk.clock.forward(MINUTE)
    await desk.call(ada, "create_task", project_id="PEN", label="Later")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-3", to_task_id="PEN-4")
    await desk.call(ada, "update_action", action_id="PEN-3", state="wont_do", reason="No.")
    inbox = await desk.call(ada, "get_inbox")
    assert [(item["kind"], item["refCode"]) for item in inbox["items"]] == [("question", "PEN-2"), ("dropped", "PEN-3")]
    only = await desk.call(ada, "get_inbox", kind="dropped", project_id="PEN")
    assert [item["refCode"] for item in only["items"]] == ["PEN-3"]
