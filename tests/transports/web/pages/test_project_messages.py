"""A word to all agents of a project, for who may send one."""

import re

import pytest

from tests.sites import SAME
from tests.transports.served import serving


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path) as served:
        await served.call("create_project", name="Harbour", key="HRB")
        yield served


async def sign_in(served, user_id=None):
    link = await served.call("create_sign_in_link", **({"user_pid": user_id} if user_id else {}))
    await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)


async def test_where_nobody_works_it_says_so_instead_of_a_form(served):
    await sign_in(served)
    text = (await served.http.get("/p/HRB/messages")).text
    assert "No agent works in HRB now." in text
    assert "/do/send_message" not in text
    assert 'href="/p/HRB/messages"' in (await served.http.get("/p/HRB")).text


async def test_a_viewer_reads_messages_and_sends_none(served):
    action = await served.call("create_action", project_id="HRB", label="Free", criteria=["It holds"])
    evil = "<script>alert(1)</script>"
    await served.call("send_message", action_pid=action.ref_code, text=evil)
    viewer = await served.call("create_user", name="Vera", kind="person", email="vera@example.com", role="viewer")
    await sign_in(served, viewer.user_id)
    for path in ("/p/HRB/messages", f"/a/{action.ref_code}"):
        text = (await served.http.get(path)).text
        assert "&lt;script&gt;alert(1)" in text
        assert not re.search("/do/(send|cancel)_message", text), path
    twin = (await served.http.get("/p/HRB/messages.json")).json()
    assert [message["text"] for message in twin["page"]["messages"]] == [evil]
