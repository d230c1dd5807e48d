"""The page of a proposal: each item beside the present text, and what was decided about it afterwards."""

import pytest

from tests.desk import HandClock, TestDesk
from tests.sites import SAME


@pytest.fixture
async def desk(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    await desk.call(served.owner, "create_project", name="Pendesk", key="PEN")
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    return desk


@pytest.fixture
async def spec(served, desk):
    return await desk.call(
        served.owner, "create_spec", project_id="PEN", title="Sign in", results=["It lasts a day", "Out"]
    )


@pytest.fixture
async def draft(served, desk, spec):
    return await desk.call(
        served.owner, "draft_spec", spec_id=spec["pid"], summary="People <sign> in.", results=["It lasts a week", "Out"]
    )


async def test_it_shows_each_item_beside_the_present_text(served, draft, spec):
    page = (await served.http.get(f"/proposals/{draft['pid']}")).text
    assert "<h1>Proposed change to a spec</h1>" in page
    assert "People &lt;sign&gt; in.</textarea>" in page
    assert "It lasts a <del>day</del><ins>week</ins>" in page
    assert page.count(" data-select>") == 2
    twin = (await served.http.get(f"/proposals/{draft['pid']}.json")).json()
    assert twin["proposal"]["presentRev"]
    for address in (f"/specs/{spec['refCode']}", "/p/PEN/specs", "/"):
        assert f"/proposals/{draft['pid']}" in (await served.http.get(address)).text


async def test_a_form_accepts_some_of_it(served, desk, draft, spec):
    fields = {
        "draft_id": draft["pid"],
        "items.0.id": "summary",
        "items.0.text": "Edited, and not chosen.",
        "items.1.id": "results.1",
        "items.1.accept": "true",
        "items.1.text": "Two weeks",
        "verdict": "accept",
        "remark": "A <day> is short.",
        "_next": "/proposals/{pid}",
    }
    answer = await served.http.post("/do/decide_proposal", data=fields, headers=SAME | {"accept": "text/html"})
    assert answer.headers["location"] == f"/proposals/{draft['pid']}"
    read = await desk.call(served.owner, "get_spec_draft", spec_id=spec["pid"])
    assert (read["results"], read["summary"]) == (["Two weeks", "Out"], "")
    page = (await served.http.get(f"/proposals/{draft['pid']}")).text
    assert "Partly accepted" in page
    assert "Accepted with edits" in page
    assert "A &lt;day&gt; is short." in page
    assert 'id="decide"' not in page


async def test_a_text_that_changed_meanwhile_is_shown_and_nothing_is_accepted(served, desk, draft, spec):
    seen = (await served.http.get(f"/proposals/{draft['pid']}.json")).json()["proposal"]["presentRev"]
    await desk.call(served.owner, "update_spec", spec_id=spec["pid"], results=["An hour", "Out"])
    fields = {"draft_id": draft["pid"], "verdict": "accept_all", "present_rev": seen}
    answer = await served.http.post("/do/decide_proposal", data=fields, headers=SAME | {"hx-request": "true"})
    assert answer.status_code == 409
    assert "what you typed is still here" in answer.json()["error"]["message"]
    page = (await served.http.get(f"/proposals/{draft['pid']}")).text
    assert "The text has changed since the agent drafted this." in page
    assert "No longer there" in page


async def test_every_kind_of_item_of_a_plan_is_shown(served, desk, spec):
    plan = await desk.call(served.owner, "create_plan", spec_id=spec["pid"], title="Plan", approach="Old.")
    await desk.call(
        served.owner, "create_action", plan_id=plan["pid"], label="Add a table", criteria=["There", "Small"]
    )
    new = {"key": "api", "label": "Serve it", "area": "backend", "description": "Do *it*.", "paths": ["a/*", "b/*"]}
    drafted = [
        {"key": "PEN-1", "label": "Add tables", "criteria": ["There"]},
        new | {"criteria": ["It answers"], "prerequisites": ["PEN-1"]},
        {"key": "page", "label": "Show it", "criteria": ["Seen"], "prerequisites": ["api"]},
    ]
    draft = await desk.call(served.owner, "draft_plan", spec_id=spec["pid"], approach="New.", actions=drafted)
    page = (await served.http.get(f"/proposals/{draft['pid']}")).text
    assert "Left out unless “Serve it” is accepted too." in page
    assert "Change to" in page
    assert "<del>Small</del>" in page
    decided = await desk.call(served.owner, "decide_proposal", draft_id=draft["pid"], verdict="accept_all")
    assert decided["state"] == "accepted"
    page = (await served.http.get(f"/proposals/{draft['pid']}")).text
    assert 'href="/a/PEN-2"' in page


async def test_a_spec_and_a_note_offer_to_ask_for_a_draft(served, desk, spec):
    note = await desk.call(served.owner, "create_note", project_id="PEN", title="An idea")
    assert 'data-posts="request_draft"' in (await served.http.get(f"/specs/{spec['refCode']}")).text
    assert 'data-posts="request_draft"' in (await served.http.get(f"/notes/{note['refCode']}")).text
