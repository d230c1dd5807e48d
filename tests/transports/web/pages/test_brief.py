"""The brief page: what former holders left, links to attachments, and what does not fit into one answer."""

import re

from tests.desk import HandClock, TestDesk
from tests.sites import SAME
from tests.workbench import published_spec

SHA = "a" * 40
EVIL = "<script>alert(1)</script>"
PARAGRAPH = "The form shows each error beside its field, and keeps what was typed. " * 5 + "\n\n"


async def test_former_work_and_what_is_left_out(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    work = await published_spec(desk, served.owner)
    about = {"action_pid": work.actions[0]["pid"]}
    await served.call("update_plan", plan_id=work.plan_id, approach=PARAGRAPH * 18)
    await served.call("update_spec", spec_id=work.spec_id, summary=PARAGRAPH * 18)
    await served.call("publish_build", spec_id=work.spec_id)
    await served.call("claim_action", **about)
    await served.call("report_commit", sha=SHA, message=EVIL, branch="half-way", **about)
    criterion_id = work.actions[0]["criteria"][1]
    await served.call("report_test_result", criterion_id=criterion_id, outcome="failed", **about)
    await served.call("release_action", **about)
    sign_in = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": sign_in}, headers=SAME)
    page = (await served.http.get(f"/a/{work.actions[0]['refCode']}/brief")).text
    brief = re.search(r'<section id="brief".*?<details', page, re.S)
    assert brief
    for text in ("Agents fetch the rest with further calls: approach of the plan.", "half-way", SHA[:8]):
        assert text in brief[0]
    assert re.search("Test results of earlier holders.*Failed.*Criterion 1.2 holds", brief[0], re.S)
    assert EVIL not in page
