"""A project may want nothing saved of what agents do in it."""

import pytest

from pendesk.domain.access import ALL_SCOPES, Role
from pendesk.domain.errors import Forbidden
from pendesk.domain.session_activity import HookEvent, Step
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from tests.workbench import published_spec


async def test_it_is_on_until_a_person_turns_it_off_and_that_is_logged_once(desk, ada):
    project = (await desk.call(ada, "create_project", name="Quiet"))["pid"]
    assert "keepsActivity" not in await desk.call(ada, "get_project", project_id=project)
    for keeps in (True, False, False, True):
        answer = await desk.call(ada, "set_project_activity", project_id=project, keeps_activity=keeps)
        assert (answer["pid"], answer["keepsActivity"]) == (project, keeps)
        shown = await desk.call(ada, "get_project", project_id=project)
        assert shown.get("keepsActivity", True) is keeps
    events = (await desk.call(ada, "list_events", project_id=project))["events"]
    changes = [event["data"] for event in events if event["kind"] == "project.activity_changed"]
    assert sorted(change["after"] for change in changes) == ["off", "on"]


async def test_what_was_saved_of_who_works_in_it_is_deleted(desk, ada, terminal):
    work = await published_spec(desk, ada)
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    agents = (await desk.call(ada, "list_agents"))["agents"]
    session_id = next(session["pid"] for agent in agents for session in agent["sessions"])
    tool = {"tool": "Edit", "detail": "src/app.py", "project_id": work.project_id}
    step = Step(desk.workspace, session_id, HookEvent.BEFORE_TOOL, desk.clock(), **tool)
    await desk.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(desk.workspace, [step], []))
    before = await desk.call(ada, "get_session_activity", agent_session_id=session_id)
    assert (before["state"]["tool"], len(before["steps"])) == ("Edit", 1)
    await desk.call(ada, "set_project_activity", project_id=work.project_id, keeps_activity=False)
    after = await desk.call(ada, "get_session_activity", agent_session_id=session_id)
    assert after["steps"] == []
    assert (after["state"]["state"], "tool" in after["state"], "detail" in after["state"]) == ("working", False, False)


async def test_an_agent_does_not_decide_it_and_nor_does_a_viewer(desk, ada, token):
    project = (await desk.call(ada, "create_project", name="Quiet"))["pid"]
    agent = ada._replace(via="rest", scopes=ALL_SCOPES, token_id=token)
    for caller in (await desk.person("Vera", Role.VIEWER), agent._replace(scopes=frozenset())):
        with pytest.raises(Forbidden):
            await desk.call(caller, "set_project_activity", project_id=project, keeps_activity=False)
