"""The pages behind a share's link, by HTTP: what guests get, and what is never let out or in."""

import logging
import re
from typing import Any

import pytest

from pendesk.domain import token
from tests.transports.served import Served

EVIL = "</title></textarea><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


async def call(served: Served, operation: str, **arguments: Any) -> Any:
    return await served.service.dispatcher.call(served.owner, operation, arguments)


async def shared(served: Served, name: str = "Harbour", **more: Any) -> str:
    """The path of a link to a new project."""
    project = await call(served, "create_project", name=name, description=name)
    await call(served, "create_task", project_id=project.pid, label=name, description=name)
    made = await call(served, "create_share", project_id=project.pid, **more)
    return str(made.url).removeprefix(served.service.installation.public_url)


async def test_the_page_and_its_twins_say_the_same(served):
    path = await shared(served)
    html, markdown, json = [await served.http.get(path + end) for end in ("", ".md", ".json")]
    assert [answer.status_code for answer in (html, markdown, json)] == [200, 200, 200]
    assert html.headers["content-type"].startswith("text/html")
    assert markdown.headers["content-type"].startswith("text/markdown")
    assert "<h1>Harbour</h1>" in html.text
    assert markdown.text.startswith("# Harbour\n")
    assert json.json()["project"]["name"] == "Harbour"
    ref = json.json()["project"]["actions"][0]["ref"]
    assert ref in html.text
    assert f"- [ ] **{ref}** Harbour: To do" in markdown.text
    assert "<form" not in html.text
    assert re.search(r"as of \w{3} \d\d \w{3} \d{4}, \d\d:\d\d:\d\d UTC", html.text)


async def test_the_flow_is_drawn_without_a_script_and_told_in_json(served):
    project = await call(served, "create_project", name="Harbour", key="HRB")
    for label in ("Dredge", EVIL):
        await call(served, "create_task", project_id="HRB", label=label)
    made = await call(served, "create_share", project_id=project.pid)
    path = str(made.url).removeprefix(served.service.installation.public_url)
    assert "<svg" not in (await served.http.get(path)).text
    edge = await call(served, "create_edge", project_id="HRB", from_task_id="HRB-1", to_task_id="HRB-2", label="blocks")
    html, told = (await served.http.get(path)).text, (await served.http.get(f"{path}.json")).json()
    assert html.count('class="node is-todo"') == 2
    assert html.count('marker-end="url(#arrow)"') == 1
    assert "<script" not in html
    first, second = told["flow"]["nodes"]
    assert (first["ref"], second["ref"], first["x"] < second["x"]) == ("HRB-1", "HRB-2", True)
    arrow = {"before": "HRB-1", "after": "HRB-2", "ordered": True, "past": False, "bends": []}
    assert told["flow"]["edges"] == [arrow]
    for hidden in (edge.pid, edge.from_task_id, served.owner.user_id):
        assert hidden not in html
        assert hidden not in str(told)
    await call(served, "update_action", action_id="HRB-1", state="wont_do", reason="No.", release_dependents=True)
    (arrow,) = (await served.http.get(f"{path}.json")).json()["flow"]["edges"]
    assert arrow["past"], "what was dropped holds nothing back once a person has accepted that"


async def test_it_is_not_indexed_kept_framed_or_told_to_others(served):
    path = await shared(served, takes_items=True)
    for answer in [await served.http.get(path + end) for end in ("", ".md", ".json")]:
        assert answer.headers["x-robots-tag"].startswith("noindex")
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        assert "set-cookie" not in answer.headers


async def test_an_actions_page_shows_its_brief(served):
    project = await call(served, "create_project", name="Harbour")
    task = await call(served, "create_task", project_id=project.pid, label="Crane", description="Lifts.\n\nAnd lowers.")
    await call(served, "create_criterion", action_id=task.pid, text="It lifts 3 t")
    made = await call(served, "create_share", project_id=project.pid, action_id=task.pid)
    path = str(made.url).removeprefix(served.service.installation.public_url)
    html, markdown = (await served.http.get(path)).text, (await served.http.get(f"{path}.md")).text
    assert "<p>Lifts.</p>\n<p>And lowers.</p>" in html
    assert "It lifts 3 t" in html
    assert "- [ ] It lifts 3 t" in markdown


async def test_whatever_people_wrote_is_shown_as_text(served):
    answer = await served.http.get(await shared(served, EVIL, takes_items=True))
    assert "&lt;script&gt;" in answer.text
    assert "<script" not in answer.text
    assert "<img src=x" not in answer.text


async def test_unknown_revoked_and_malformed_links_get_one_answer(served):
    path = await shared(served)
    (share,) = (await call(served, "list_shares", project_id="HAR")).shares
    await call(served, "revoke_share", share_id=share.share_id)
    unknown = token.make_token(b"x" * 32, token.SHARE_PREFIX)
    for end in ("", ".md", ".json"):
        gone = [path, f"/share/{unknown}", "/share/nonsense", f"/share/{unknown[:-1]}x", "/share/%00"]
        answers = [await served.http.get(each + end) for each in gone]
        assert [answer.status_code for answer in answers] == [404] * len(gone)
        assert len({answer.text for answer in answers}) == 1
        assert "Ask the person who sent it to you for a new one" in answers[0].text
        assert "noindex" in answers[0].headers["x-robots-tag"]
    posted = await served.http.post(path, data={"title": "x"})
    assert posted.status_code == 404


async def test_a_guest_leaves_a_message_and_is_thanked(served):
    path = await shared(served, takes_items=True)
    page = await served.http.get(path)
    assert re.search(rf'<form method="post" action="{path}">', page.text)
    answer = await served.http.post(path, data={"title": "Too slow", "body": "On\r\nMondays", "name": "Zoë"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?left=1")
    assert "Thank you" in (await served.http.get(answer.headers["location"])).text
    (item,) = (await call(served, "list_submissions", project_id="HAR")).submissions
    assert (item.untrusted.title, item.untrusted.body, item.untrusted.guest_name) == ("Too slow", "On\nMondays", "Zoë")


@pytest.mark.parametrize(
    "sent",
    [
        {"title": "", "body": "kept <b>text</b>"},
        {"title": "x" * 300, "body": "kept <b>text</b>"},
        {"title": "x", "body": "kept <b>text</b>", "name": "n" * 500},
        {"title": "x\x1b[31m", "body": "kept <b>text</b>"},
    ],
)
async def test_a_bad_message_is_shown_again_with_what_is_wrong(served, sent):
    path = await shared(served, takes_items=True)
    answer = await served.http.post(path, data=sent)
    assert answer.status_code == 422
    assert "kept &lt;b&gt;text&lt;/b&gt;</textarea>" in answer.text
    assert 'role="alert"' in answer.text
    assert (await call(served, "list_submissions", project_id="HAR")).submissions == []


@pytest.mark.parametrize("body", [b"\xff\xfe", b"title=%ff%fe", b"&" * 5000, b"title=" + b"x" * 900_000, b"{}"])
async def test_a_form_that_is_none_changes_nothing(served, body):
    path = await shared(served, takes_items=True)
    answer = await served.http.post(path, content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code in (303, 422)
    assert (await served.http.get(path)).status_code == 200


async def test_messages_are_counted_by_address(served):
    path = await shared(served, takes_items=True)
    codes = [(await served.http.post(path, data={"title": f"{number}"})).status_code for number in range(12)]
    assert codes == [303] * 10 + [429] * 2


async def test_the_secret_is_in_no_log(served, caplog):
    caplog.set_level(logging.INFO)
    path = await shared(served, takes_items=True)
    for end in ("", ".md", ".json", "x"):
        await served.http.get(path + end)
    await served.http.post(path, data={"title": "x"})
    lines = [record.getMessage() for record in caplog.records if record.name == "pendesk.request"]
    assert len(lines) == 5
    assert path.rpartition("_")[2][:8] not in str(lines)
    assert "/share/(secret)" in lines[0]


async def test_no_share_can_be_opened_at_another_door(served):
    """The operations of guests are no tools, and no token has their scope."""
    path = await shared(served)
    made = await call(served, "create_token", name="x", scopes=["desk.read", "desk.write"])
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    sent["params"] = {"name": "get_share", "arguments": {"secret": path.rpartition("/")[2]}}
    answer = await served.http.post("/mcp", json=sent, headers={"authorization": f"Bearer {made.token}"})
    assert "Harbour" not in answer.text
    as_bearer = await served.http.post(
        "/mcp", json=sent, headers={"authorization": f"Bearer {path.rpartition('/')[2]}"}
    )
    assert as_bearer.status_code == 401


async def test_a_guest_reads_markdown_whose_refs_and_pictures_lead_nowhere_inside(served):
    text = "**Bold** HAR-1 ![x](/files/1)\n\n[y](javascript:alert(1))\n\n<script>alert(1)</script>"
    project = await call(served, "create_project", name="Harbour", description=text)
    made = await call(served, "create_share", project_id=project.pid)
    html = (await served.http.get(str(made.url).removeprefix(served.service.installation.public_url))).text
    assert "<strong>Bold</strong> HAR-1 " in html
    for wrong in ("/a/HAR-1", "<img", "<script", 'href="javascript'):
        assert wrong not in html
