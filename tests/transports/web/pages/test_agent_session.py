"""The page of one agent session, for who may steer it and who may only look."""

import re

import pytest

from pendesk.domain.session_activity import HookEvent, Step
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from pendesk.transports.web.pages.agent_session import STEPS_SHOWN
from tests.sites import SAME
from tests.transports.served import serving


async def sign_in(served, user_id=None):
    link = await served.call("create_sign_in_link", **({"user_pid": user_id} if user_id else {}))
    await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path) as served:
        await sign_in(served)
        yield served


async def session_with_steps(served, count):
    """A session that holds an action, with so many steps."""
    await served.call("create_project", name="Harbour", key="HRB")
    await served.call("create_action", project_id="HRB", label="Watch it", criteria=["It holds"])
    token = (await served.call("create_token", name="Claude Code on ada-laptop")).token
    headers = {"authorization": f"Bearer {token}", "x-pendesk-client": "claude-code"}
    claimed = await served.http.post("/api/v1/actions/HRB-1/claim", json={}, headers=headers)
    assert claimed.status_code == 200, claimed.text
    agents = (await served.call("list_agents")).agents
    session_id = next(session.pid for agent in agents for session in agent.sessions)
    workspace = served.owner.workspace_id
    start = 1_800_000_000_000_000
    steps = [
        Step(workspace, session_id, HookEvent.BEFORE_TOOL, start + number, tool="Read", detail=f"<b>{number}.py")
        for number in range(count)
    ]
    await served.service.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(workspace, steps, []))
    return session_id


async def test_more_steps_are_loaded_with_those_that_are_shown(served):
    session_id = await session_with_steps(served, STEPS_SHOWN + 5)
    first = (await served.http.get(f"/agents/{session_id}")).text
    assert first.count('class="activity-step"') == STEPS_SHOWN
    assert "&lt;b&gt;54.py" in first
    [more] = re.findall(r'href="([^"]+)" data-more="#session"', first)
    whole = (await served.http.get(more)).text
    assert (whole.count('class="activity-step"'), "data-more" in whole) == (STEPS_SHOWN + 5, False)
    few = (await served.http.get(f"/agents/{session_id}?steps=5")).text
    assert few.count('class="activity-step"') == 5
    assert "<h1>" in (await served.http.get(f"/agents/{session_id}?steps=-9999999999999999999")).text


async def test_a_viewer_looks_on_and_steers_nothing(served):
    session_id = await session_with_steps(served, 1)
    own = (await served.http.get(f"/agents/{session_id}")).text
    assert 'title="Last seen"' not in own  # of a claim that is alive: what the session does says more
    assert {"pause_session", "stop_session"} <= set(re.findall(r'data-posts="(\w+)"', own))
    assert "/do/send_message" in own
    viewer = await served.call("create_user", name="Vera", kind="person", email="vera@example.com", role="viewer")
    await sign_in(served, viewer.user_id)
    for path in (f"/agents/{session_id}", "/a/HRB-1"):
        text = (await served.http.get(path)).text
        assert "Reading" in text
        assert not re.search(r'data-posts="(pause|stop)_session"|/do/send_message', text), path
    twin = (await served.http.get(f"/agents/{session_id}.json")).json()
    assert [held["refCode"] for held in twin["session"]["held"]] == ["HRB-1"]


async def test_a_session_that_is_not_there_is_a_designed_page(served):
    page = await served.http.get("/agents/01a1e63f-4a5f-77dc-a5ed-1dec065d2d0f")
    assert (page.status_code, "Page not found" in page.text) == (404, True)


async def test_a_project_switches_its_activity_off(served):
    await served.call("create_project", name="Harbour", key="HRB")
    page = (await served.http.get("/p/HRB/settings")).text
    assert re.search(r'name="keeps_activity" value="true" checked', page)
    assert "for 7 days" in page
    fields = {"project_id": "HRB", "keeps_activity": "false"}
    await served.http.post("/do/set_project_activity", data=fields, headers={**SAME, "hx-request": "true"})
    assert not (await served.call("get_project", project_id="HRB")).keeps_activity
    assert not re.search(r'name="keeps_activity" value="true" checked', (await served.http.get("/p/HRB/settings")).text)
