"""The timeline pages: narrowed by address, discreet, and with what a project brought along."""

import pytest

from tests.sites import SAME
from tests.transports.served import serving

ADDRESS = "new@example.com"


async def sign_in(served, user_id=None):
    link = await served.call("create_sign_in_link", **({"user_pid": user_id} if user_id else {}))
    await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path) as served:
        await sign_in(served)
        yield served


async def kinds(served, address):
    twin = (await served.http.get(address)).json()
    return [event["kind"] for event in twin["timeline"]["events"]]


async def test_it_is_narrowed_by_kind_project_and_action(served):
    for key in ("HRB", "TID"):
        await served.call("create_project", name=key, key=key)
        await served.call("create_task", project_id=key, label="Dredge")
    assert await kinds(served, "/timeline.json?kind=project") == ["project.created"] * 2
    assert await kinds(served, "/timeline.json?project=TID") == ["action.created", "project.created"]
    assert await kinds(served, "/timeline.json?action=TID-1") == ["action.created"]
    assert await kinds(served, "/p/TID/timeline.json?action=1") == ["action.created"]
    assert await kinds(served, "/timeline.json?action=TID-") == []
    page = (await served.http.get("/timeline?project=TID&kind=project")).text
    assert '<option value="TID" selected>' in page
    assert '<option value="project" selected>Project</option>' in page


async def test_members_are_not_shown_who_is_invited(served):
    await served.call("invite_member", email=ADDRESS)
    assert f"invited {ADDRESS} as member" in (await served.http.get("/timeline")).text
    assert ADDRESS in (await served.http.get("/timeline.json")).text
    member = await served.call("create_user", name="Vera", email="vera@example.com", role="member")
    await sign_in(served, member.user_id)
    page = await served.http.get("/timeline")
    assert (page.status_code, "invited" in page.text) == (200, False)
    assert ADDRESS not in (await served.http.get("/timeline.json")).text


async def test_what_a_project_brought_along_stands_below_and_is_marked(served):
    await served.call("create_project", name="Harbour", key="HRB")
    for number in range(60):
        await served.call("create_task", project_id="HRB", label=f"Dredge {number}")
    export = (await served.http.get("/api/v1/projects/HRB/export")).content
    params = {"as_copy": "true", "key": "CPY"}
    imported = await served.http.post("/api/v1/projects/import", content=export, params=params, headers=SAME)
    assert imported.status_code == 201, imported.text
    page = (await served.http.get("/p/CPY/timeline")).text
    log, _, history = page.partition("Events before the import")
    assert ("imported" in log, 'class="deed imported"' in log) == (True, False)
    assert history.count('class="deed imported"') == history.count("Imported</span>") == 50
    first = (await served.http.get("/p/CPY/timeline.json")).json()["history"]
    more = (await served.http.get(f"/p/CPY/timeline.json?imported={first['nextCursor']}")).json()
    assert more["timeline"]["events"] == []
    assert [event["kind"] for event in more["history"]["events"]] == ["action.created"] * 10 + ["project.created"]
    narrowed = (await served.http.get("/p/CPY/timeline.json?action=1")).json()
    assert [event["refCode"] for event in narrowed["history"]["events"]] == ["CPY-1"]
    assert (await served.http.get("/p/HRB/timeline.json")).json()["history"] is None
    drawer = (await served.http.get("/a/CPY-1")).text
    assert drawer.count("Imported</span>") == 1


async def test_what_was_edited_is_named_and_leads_to_its_page(served):
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
    project = await served.call("create_project", name="Harbour")
    spec = await served.call("create_spec", project_id=project.pid, title="Tides")
    note = await served.call("create_note", project_id=project.pid, title="Moon", body="It pulls.")
    await served.call("update_spec", spec_id=spec.pid, summary="High and low.", expected_revision=1)
    await served.call("update_note", note_id=note.pid, title="Sun", expected_revision=1)
    page = (await served.http.get(f"/p/{project.key}/timeline")).text
    assert f'edited the spec <a class="link" href="/specs/{spec.pid}">Tides</a>' in page
    assert f'edited the note <a class="link" href="/notes/{note.pid}">Sun</a>' in page
    assert f'created the note <a class="link" href="/notes/{note.pid}">Moon</a>' in page
