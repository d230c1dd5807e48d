"""A message is delivered once, acknowledged by the next report, and follows the action that it was sent to."""

import pytest

from pendesk.domain.access import PLANNING_SCOPES, Role
from pendesk.domain.limits import ACKNOWLEDGEMENT_CHARS
from pendesk.store import events
from tests.workbench import published_spec

SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3, criteria=1)


async def delivered_message(desk, ada, agent, text="Mind the API."):
    """To PEN-1, which the agent holds and has read it."""
    await desk.call(agent, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "send_message", action_pid="PEN-1", text=text)
    await desk.call(agent, "list_available_specs")


async def delivery(desk, ada):
    (message,) = (await desk.call(ada, "list_messages", action_pid="PEN-1"))["messages"]
    (only,) = message["deliveries"]
    return only


async def kinds_of_messages(desk):
    logged = await desk.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 1_000))
    return [event.kind for event in logged if event.kind.startswith("message.")]


REPORTS = {
    "update_progress": ({"status": "started", "message": "Changed it."}, "Changed it."),
    "request_clarification": ({"question": "Which one?"}, "Which one?"),
    "submit_for_review": ({"branch": "main", "head_sha": SHA, "summary": "Built it."}, "Built it."),
    "release_action": ({}, "Released PEN-1."),
}


@pytest.mark.parametrize("tool", REPORTS)
async def test_the_next_report_acknowledges_it(desk, ada, work, terminal, tool):
    agent = terminal(process="1")
    arguments, acknowledgement = REPORTS[tool]
    await delivered_message(desk, ada, agent)
    desk.clock.forward(1_000_000)
    await desk.call(agent, tool, action_pid="PEN-1", **arguments)
    shown = await delivery(desk, ada)
    assert (shown["state"], shown["acknowledgement"]) == ("acknowledged", acknowledgement)
    assert shown["acknowledgedAt"] > shown["deliveredAt"]
    assert await kinds_of_messages(desk) == ["message.sent", "message.delivered", "message.acknowledged"]


async def test_what_comes_with_a_report_is_acknowledged_by_the_next(desk, ada, work, terminal):
    agent = terminal(process="1")
    await desk.call(agent, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "send_message", action_pid="PEN-1", text="Mind the API.")
    report = {"action_pid": "PEN-1", "status": "started", "message": "x" * 400}
    assert len((await desk.call(agent, "update_progress", **report))["news"]) == 1
    assert (await delivery(desk, ada))["state"] == "delivered"
    await desk.call(agent, "update_progress", **report)
    assert (await delivery(desk, ada))["acknowledgement"] == "x" * ACKNOWLEDGEMENT_CHARS


async def test_other_calls_and_other_sessions_acknowledge_nothing(desk, ada, work, terminal):
    agent, other = terminal(process="1"), terminal(process="2")
    await delivered_message(desk, ada, agent)
    await desk.call(agent, "report_commit", action_pid="PEN-1", sha=SHA, message="One")
    await desk.call(other, "claim_action", action_pid="PEN-2")
    await desk.call(other, "update_progress", action_pid="PEN-2", status="started", message="Began.")
    assert (await delivery(desk, ada))["state"] == "delivered"


async def test_a_resubmission_acknowledges_too(desk, ada, work, terminal):
    agent = terminal(process="1")
    await desk.call(agent, "claim_action", action_pid="PEN-1")
    submission = {"action_pid": "PEN-1", "branch": "main", "head_sha": SHA, "summary": "Built it."}
    await desk.call(agent, "submit_for_review", **submission)
    changes = {"verdict": "changes_requested", "summary": "Not yet."}
    await desk.call(ada, "review_action", action_pid="PEN-1", **changes)
    await desk.call(agent, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "send_message", action_pid="PEN-1", text="Mind the API.")
    await desk.call(agent, "list_available_specs")
    await desk.call(agent, "resubmit_for_review", **submission | {"summary": "Minded it."})
    assert (await delivery(desk, ada))["acknowledgement"] == "Minded it."


@pytest.mark.parametrize("tool", ["record_agent_progress", "complete_agent_run", "update_task"])
async def test_a_planning_agent_acknowledges_with_its_own_reports(desk, ada, project, terminal, tool):
    agent = terminal(process="1")._replace(scopes=PLANNING_SCOPES)
    arguments = {"project_id": project["pid"], "label": "Ask the office"}
    task = await desk.call(agent, "create_task", status="in_progress", **arguments)
    run = await desk.call(agent, "start_agent_run", task_id=task["pid"], **arguments)
    await desk.call(ada, "send_message", action_pid="PEN-1", text="Ask them by phone.")
    assert len((await desk.call(agent, "get_task", task_id=task["pid"]))["news"]) == 1
    reports = {
        "record_agent_progress": {"run_id": run["pid"], "message": "Called."},
        "complete_agent_run": {"run_id": run["pid"], "status": "completed", "result": "Called."},
        "update_task": {"task_id": task["pid"], "status": "done", "reason": "Called."},
    }
    await desk.call(agent, tool, **reports[tool])
    assert (await delivery(desk, ada))["acknowledgement"] == "Called."


# What becomes of it with what it was sent to


async def test_it_goes_with_its_action(desk, ada, project, terminal):
    action = await desk.call(ada, "create_action", project_id=project["pid"], label="Not used")
    await desk.call(ada, "send_message", action_pid=action["pid"], text="Mind the API.")
    await desk.call(ada, "delete_action", action_id=action["pid"])
    assert (await desk.call(ada, "list_messages", project_id=project["pid"]))["messages"] == []


async def test_it_goes_with_its_project_and_nobody_reads_it_any_more(desk, ada, work, terminal):
    agent, owner = terminal(process="1"), await desk.person("Olga", Role.OWNER)
    await desk.call(agent, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "send_message", action_pid="PEN-1", text="Mind the API.")
    await desk.call(ada, "send_message", project_id="PEN", text="Mind the API.")
    await desk.call(ada, "release_claim", action_pid="PEN-1")
    await desk.call(ada, "update_project", project_id="PEN", state="archived")
    await desk.call(owner, "delete_project", project_id="PEN")
    assert "news" not in await desk.call(agent, "list_available_specs")


async def test_sessions_that_turn_out_to_be_one_read_what_was_for_both_once(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(client_session="a")
    await desk.call(first, "claim_action", action_pid="PEN-1")
    await desk.call(second, "claim_action", action_pid="PEN-2")
    await desk.call(ada, "send_message", project_id="PEN", text="The API is down.")
    both = terminal(process="1", client_session="a")
    assert len((await desk.call(both, "claim_action", action_pid="PEN-3"))["news"]) == 1
    (message,) = (await desk.call(ada, "list_messages", project_id="PEN"))["messages"]
    assert [row["state"] for row in message["deliveries"]] == ["delivered"]


async def test_a_message_to_a_session_is_listed_after_the_session_was_merged(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(client_session="a")
    await desk.call(first, "claim_action", action_pid="PEN-1")
    await desk.call(second, "claim_action", action_pid="PEN-2")
    await desk.call(ada, "send_message", action_pid="PEN-2", text="Mind the API.")
    both = terminal(process="1", client_session="a")
    assert len((await desk.call(both, "claim_action", action_pid="PEN-3"))["news"]) == 1
