"""The first page: how to begin, and what a role may do about what waits."""

import json

from pendesk.domain.access import Role
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.desk import HandClock, TestDesk
from tests.sites import SAME
from tests.workbench import published_spec


async def sign_in(served):
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)


async def test_a_new_workspace_is_told_the_three_steps_and_ticks_them(served):
    await sign_in(served)
    begin = (await served.http.get("/")).text
    assert begin.count('class="step"') == 3
    assert "0 of 3 done" in begin
    assert "Load sample project" in begin
    loaded = await served.http.post("/do/load_sample", headers={**SAME, "hx-request": "true"})
    assert loaded.status_code == 204
    ticked = (await served.http.get("/")).text
    assert ticked.count('class="step done"') == 2
    assert "Load sample project" not in ticked
    assert "pendesk connect" in ticked
    steps = (await served.http.get("/index.json")).json()["steps"]
    ticks = {"project": True, "spec": True, "published": True, "connected": False, "done": False}
    assert (steps | ticks, steps["projectKey"]) == (steps, "HRB")


async def test_each_step_leads_to_the_page_where_it_is_done(served):
    await sign_in(served)
    await served.call("create_project", key="PEN", name="Pendesk")
    assert 'href="/p/PEN/specs"' in (await served.http.get("/")).text
    spec = await served.call("create_spec", project_id="PEN", title="Sign in")
    assert f'href="/specs/{spec.pid}/publish"' in (await served.http.get("/")).text


async def test_whoever_sees_the_last_step_tick_keeps_seeing_it(served):
    await sign_in(served)
    await served.call("load_sample")
    assert 'data-url="/?beginning=yes"' in (await served.http.get("/")).text
    token = (await served.call("create_token", name="Claude Code")).token
    await authenticate_bearer_token(served.service.dispatcher, f"Bearer {token}", "mcp")
    assert "3 of 3 done" in (await served.http.get("/?beginning=yes")).text
    assert "You're all caught up" in (await served.http.get("/")).text


async def test_a_viewer_sees_what_waits_and_is_offered_nothing_they_may_not_do(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    work = await published_spec(desk, served.owner, actions=1)
    pid = work.actions[0]["pid"]
    await desk.call(served.owner, "claim_action", action_pid=pid)
    question = "Is <script>alert(1)</script> **bold**?"
    clarification = await desk.call(served.owner, "request_clarification", action_pid=pid, question=question)
    await sign_in(served)
    mine = (await served.http.get("/")).text
    assert 'action="/do/answer_question"' in mine
    assert "<strong>bold</strong>" in mine
    assert "<script>alert" not in mine
    viewer = await desk.person("Vi", Role.VIEWER)
    link = await desk.call(served.owner, "create_sign_in_link", user_pid=viewer.user_id)
    served.http.cookies.clear()
    code = link["url"].partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    theirs = await served.http.get("/")
    assert "PEN-1" in theirs.text
    assert "/do/answer_question" not in theirs.text
    assert "data-inbox-count" in mine
    assert "data-inbox-count" not in theirs.text
    assert '<span class="count">' not in theirs.text.partition('aria-label="Filter by type"')[2].partition("</nav>")[0]
    await desk.call(served.owner, "answer_question", clarification_pid=clarification["pid"], answer="It is.")
    await desk.call(served.owner, "submit_for_review", action_pid=pid, pr_url="https://example.com/1", summary="Done.")
    review = await served.http.get("/a/PEN-1/review")
    assert review.status_code == 200
    assert "Only members can review" in review.text
    assert "/do/review_action" not in review.text


async def test_what_was_not_handed_in_has_a_page_that_says_so(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    await published_spec(desk, served.owner, actions=1)
    await sign_in(served)
    page = await served.http.get("/a/PEN-1/review")
    assert page.status_code == 422
    assert "has not been submitted" in page.text
    twin = await served.http.get("/a/PEN-1/review.json")
    assert json.loads(twin.text)["error"]["code"] == "not_submitted"


async def test_after_publishing_the_page_says_what_comes_next(served):
    await sign_in(served)
    work = await served.call("create_project", name="Harbour")
    spec = await served.call("create_spec", project_id=work.pid, title="Tides")
    plan = await served.call("create_plan", spec_id=spec.pid, title="Plan")
    await served.call("activate_plan", plan_id=plan.pid)
    action = await served.call("create_action", plan_id=plan.pid, label="Read the gauge")
    await served.call("create_criterion", action_id=action.pid, text="It reads")
    publish = (await served.http.get(f"/specs/{spec.ref_code}/publish")).text
    after = f"/specs/{spec.ref_code}?published=yes"
    assert f'name="_next" value="{after}"' in publish
    await served.call("publish_build", spec_id=spec.pid)
    page = (await served.http.get(after)).text
    assert "No agent is connected yet" in page
    assert 'href="/settings/mcp"' in page
    token = await served.call("create_token", name="Claude Code")
    await authenticate_bearer_token(served.service.dispatcher, f"Bearer {token.token}", "mcp")
    page = (await served.http.get(after)).text
    assert "Agents can claim its actions now." in page
    assert f'href="/p/{work.key}?spec={spec.pid}"' in page
    assert "is published" not in (await served.http.get(f"/specs/{spec.ref_code}")).text


async def test_an_empty_list_says_how_it_fills_and_a_filter_that_finds_nothing_says_so(served):
    await sign_in(served)
    project = await served.call("create_project", name="Harbour")
    empty = (await served.http.get(f"/p/{project.key}/list")).text
    assert ("No actions yet" in empty, "Clear filter" in empty) == (True, False)
    filtered = (await served.http.get(f"/p/{project.key}/list?q=tide")).text
    assert ("No actions yet" in filtered, "Clear filter" in filtered) == (False, True)
