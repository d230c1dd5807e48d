"""Writing in the browser: previews, comparisons, new projects."""

from typing import Any

from pendesk.operations.projects import search
from pendesk.store import search as texts
from pendesk.transports.web.pages.documents import build_tree
from tests.sites import SAME
from tests.transports.served import serving


class Listed:
    def __init__(self, pid: str, parent_id: str | None) -> None:
        self.pid = pid
        self.parent_id = parent_id


def test_a_document_whose_parent_is_not_shown_stands_at_the_top():
    tree = build_tree([Listed("a", None), Listed("b", "a"), Listed("c", "gone")])
    assert [(branch.document.pid, [under.document.pid for under in branch.children]) for branch in tree] == [
        ("a", ["b"]),
        ("c", []),
    ]


async def test_a_text_is_previewed_and_compared_before_it_is_saved(tmp_path):
    async with serving(tmp_path) as served:
        code = (await served.link()).partition("code=")[2]
        await served.http.post("/sign-in", data={"code": code}, headers=SAME)
        preview = await served.http.post("/preview", data={"text": "**bold** <b>"}, headers=SAME)
        assert preview.text == "<p><strong>bold</strong> &lt;b&gt;</p>\n"
        compared = await served.http.post("/preview/diff", data={"old": "a <b>", "new": "a <i>"}, headers=SAME)
        assert compared.text == "a &lt;<del>b</del><ins>i</ins>&gt;"
        for sent in ({"text": "x" * 100_001}, {str(number): "" for number in range(20)}):
            refused = await served.http.post("/preview", data=sent, headers=SAME)
            assert refused.status_code == 422


async def test_a_project_is_made_with_a_key_or_without_one(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        for key, expected in (("", "HL"), ("dock", "DOCK")):
            form = {"name": "Harbour lights", "key": key, "description": "", "_next": "/p/{key}"}
            done = await served.http.post("/do/create_project", data=form, headers=SAME)
            assert (done.status_code, done.headers["location"]) == (303, f"/p/{expected}")


async def test_a_goal_is_shown_and_can_be_taken_back_while_no_spec_serves_it(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        goal = await served.call("create_goal", project_id=project.pid, title="Usable", description="At **sea**")
        page = await served.http.get(f"/p/{project.key}/specs")
        assert all(
            words in page.text for words in ("Usable", "<strong>sea</strong>", "delete_goal", "No specs for this goal")
        )
        await served.call("create_spec", project_id=project.pid, title="T", summary="Say *it*", goal_id=goal.pid)
        page = await served.http.get(f"/p/{project.key}/specs")
        assert ("delete_goal" in page.text, "Say it" in page.text) == (False, True)


async def test_what_was_saved_in_the_settings_of_a_project_is_what_is_shown_then(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        page = await served.http.get(f"/p/{project.key}/settings")
        form = page.text.partition('action="/do/update_project"')[2].partition("</form>")[0]
        assert f'name="_next" value="/p/{project.key}/settings"' in form


async def test_two_builds_or_revisions_are_compared_in_either_order(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        spec = await served.call("create_spec", project_id=project.pid, title="Sign in", summary="One")
        plan = await served.call("create_plan", spec_id=spec.pid, title="A", approach="So")
        await served.call("create_action", plan_id=plan.pid, label="The form", criteria=["It is there"])
        await served.call("publish_build", spec_id=spec.pid)
        await served.call("update_spec", spec_id=spec.pid, summary="Two")
        await served.call("publish_build", spec_id=spec.pid)
        for address in ("builds?since=2&build=1", "builds?since=1&build=2", "revisions?since=2&revision=1"):
            page = await served.http.get(f"/specs/{spec.ref_code}/{address}")
            assert page.status_code == 200
            assert "<del>One</del><ins>Two</ins>" in page.text


async def test_what_was_looked_for_is_marked_and_what_has_no_word_finds_nothing(tmp_path, monkeypatch):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        await served.call("create_note", project_id=project.pid, title="Tides", body="<b>The tide</b> turns")
        page = (await served.http.get("/search?q=tide")).text
        assert '<mark class="hit">Tides</mark>' in page
        assert '&lt;b&gt;The <mark class="hit">tide</mark>&lt;/b&gt;' in page
        assert (await served.http.get("/search?q=...")).status_code == 200
        assert search.OLDER not in page
        monkeypatch.setattr(search, "SEARCH_ROWS", 1)
        monkeypatch.setattr(texts, "SEARCH_TEXTS_LOOKED_AT", 1)
        await served.call("create_note", project_id=project.pid, title="Low tide", body="At noon")
        assert search.OLDER in (await served.http.get("/search?q=tide")).text


async def test_a_viewer_reads_all_of_it_and_is_offered_nothing_to_change(tmp_path):
    async with serving(tmp_path) as served:

        async def do(operation: str, **arguments: object) -> Any:
            return await served.service.dispatcher.call(served.owner, operation, arguments)

        project = await do("create_project", name="Harbour")
        spec = await do("create_spec", project_id=project.pid, title="Sign in", summary="Words", results=["One"])
        empty = await do("create_spec", project_id=project.pid, title="Empty")
        plan = await do("create_plan", spec_id=spec.pid, title="A", approach="So")
        await do("create_action", plan_id=plan.pid, label="The form", criteria=["It is there"])
        await do("publish_build", spec_id=spec.pid)
        document = await do("create_document", project_id=project.pid, title="Design", body="Words")
        await do("add_comment", document_id=document.pid, body="Why?", passage="Words")
        note = await do("create_note", project_id=project.pid, title="Ask", body="Them")
        viewer = await do("create_user", name="Vera", email="vera@example.com", role="viewer")
        link = await do("create_sign_in_link", user_pid=viewer.user_id)
        await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)
        for address, words in (
            (f"/p/{project.key}/specs", "Sign in"),
            (f"/specs/{spec.ref_code}", "It is there"),
            (f"/specs/{empty.ref_code}", "No plan yet."),
            (f"/specs/{spec.ref_code}/publish", "What agents will read"),
            (f"/specs/{empty.ref_code}/publish", "There is no plan yet."),
            (f"/specs/{empty.ref_code}/builds", "Not published yet"),
            (f"/specs/{spec.ref_code}/revisions", "Revision 1 (first)"),
            (f"/specs/{spec.ref_code}/plans/{plan.pid}/revisions", "A of Sign in"),
            (f"/p/{project.key}/documents", "Design"),
            (f"/documents/{document.ref_code}", "Why?"),
            (f"/p/{project.key}/notes", "Ask"),
            (f"/notes/{note.ref_code}", "Them"),
        ):
            page = await served.http.get(address)
            assert (page.status_code, words in page.text) == (200, True), address
            main = page.text.partition("<main")[2].partition("</main>")[0]
            assert "<form" not in main.replace('<form class="compare"', ""), address
            assert "data-posts" not in main.replace('data-posts="set_watch"', ""), address
            assert "editable-open" not in main, address


async def test_each_line_of_a_spec_is_called_by_its_singular(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        lines = {"results": ["One"], "conditions": ["Two"], "boundaries": ["Three"]}
        spec = await served.call("create_spec", project_id=project.pid, title="Sign in", **lines)
        page = (await served.http.get(f"/specs/{spec.ref_code}")).text
        assert [f'aria-label="Edit {noun} 1"' in page for noun in ("result", "condition", "boundary")] == [True] * 3


async def test_a_rule_of_a_boundary_is_shown_as_what_is_checked(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        lines = {"conditions": ["Lint. {run: make lint}"], "boundaries": ["No `billing`. {forbid: src/<b>/**}", "{x}"]}
        spec = await served.call("create_spec", project_id=project.pid, title="T", **lines)
        page = (await served.http.get(f"/specs/{spec.ref_code}")).text
        assert "Checked: may not change src/&lt;b&gt;/**</span>" in page
        assert "Checked: must pass: make lint</span>" in page
        assert "<span>No <code>billing</code>. <span" in page.replace("\n", "")
        assert (page.count("Checked: "), "What can be checked" in page) == (2, True)


async def test_a_text_is_read_at_its_ref_and_an_id_leads_there(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        await served.call("create_project", name="Harbour", key="HRB")
        spec = await served.call("create_spec", project_id="HRB", title="Tides")
        document = await served.call("create_document", project_id="HRB", title="Sources", body="See HRB-S1, HRB-N1.")
        note = await served.call("create_note", project_id="HRB", title="Ask")
        for path, text in (("/specs/", spec), ("/documents/", document), ("/notes/", note)):
            led = await served.http.get(f"{path}{text.pid}?x=1")
            assert (led.status_code, led.headers["location"]) == (302, f"{path}{text.ref_code}?x=1")
            page = (await served.http.get(f"{path}{text.ref_code}")).text
            assert f"<title>{text.ref_code} {text.title}" in page
        page = (await served.http.get(f"/documents/{document.ref_code}")).text
        assert 'href="/specs/HRB-S1"' in page
        assert 'href="/notes/HRB-N1"' in page
