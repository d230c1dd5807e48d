"""Assignee, due date and labels on the board, in the list, its CSV and on the action page; edited by their forms."""

import csv
import io
import re

import pytest

from tests.desk import HandClock, TestDesk
from tests.sites import SAME

OVERDUE, LATER = "2020-01-02", "2999-12-31"


@pytest.fixture
async def desk(served):
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    await desk.person("Grace Hopper")
    await desk.call(served.owner, "create_project", name="Pendesk", key="PEN")
    fields = {"assignee": "Grace Hopper", "due": OVERDUE, "labels": ["bug", "ui", "api"], "priority": "high"}
    await desk.call(served.owner, "create_task", project_id="PEN", label="Late", **fields)
    await desk.call(served.owner, "create_task", project_id="PEN", label="Later", due=LATER)
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    return desk


async def labels_shown(served, query):
    answers = [(await served.http.get(f"/p/PEN{page}?{query}")).text for page in ("", "/list")]
    shown = [set(re.findall(r"data-drawer data-item[^>]*>(\w+)</a>", text)) for text in answers]
    assert shown[0] == shown[1]
    return shown[0]


async def test_a_card_shows_them_in_words_and_icons(served, desk):
    for page in ("/p/PEN", "/p/PEN/list", "/a/PEN-1"):
        text = (await served.http.get(page)).text
        assert "Overdue: 2 Jan 2020" in text
        assert "Assigned to Grace Hopper" in text
        assert "Label: bug" in text
    assert "31 Dec 2999" in (await served.http.get("/p/PEN")).text


async def test_a_card_shows_two_labels_and_how_many_more(served, desk):
    board = (await served.http.get("/p/PEN")).text
    card = board.partition('id="card-PEN-1"')[2].partition("</li>")[0]
    assert re.findall(r'class="chip label"[^>]*>([^<]+)<', card) == ["api", "bug", "+1"]


async def test_no_page_shows_a_priority_as_a_number(served, desk):
    for page in ("/p/PEN", "/p/PEN/list", "/a/PEN-1", "/p/PEN/list.csv"):
        text = re.sub(r"<select.*?</select>", "", (await served.http.get(page)).text, flags=re.S)
        assert not re.search(r"[>,]200[<,]", text), page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("assignee=none", {"Later"}),
        ("assignee=me", set()),
        ("label=ui", {"Late"}),
        ("due=overdue", {"Late"}),
        ("due=week", set()),
    ],
)
async def test_the_address_narrows_board_and_list_alike(served, desk, query, expected):
    assert await labels_shown(served, query) == expected


async def test_the_list_is_sorted_by_due_date(served, desk):
    text = (await served.http.get("/p/PEN/list?order=due")).text
    assert text.index(">Late<") < text.index(">Later<")
    assert re.search(r'aria-sort="ascending"[^>]*><a[^>]*order=due', text)


async def test_the_csv_has_them(served, desk):
    rows = list(csv.DictReader(io.StringIO((await served.http.get("/p/PEN/list.csv")).text)))
    fields = [(row["priority"], row["assignee"], row["due"], row["labels"]) for row in rows]
    assert fields == [("high", "Grace Hopper", OVERDUE, "api, bug, ui"), ("none", "", LATER, "")]


async def test_the_form_of_an_action_changes_and_clears_them(served, desk):
    page = (await served.http.get("/a/PEN-1")).text
    (grace,) = re.findall(r'<option value="([^"]+)" selected>Grace Hopper</option>', page)
    form = {"action_id": "PEN-2", "assignee": grace, "due": "2026-12-01", "labels": "Docs, ui"}
    assert (await served.http.post("/do/update_action", data=form, headers=SAME)).status_code < 400
    read = await desk.call(served.owner, "get_action", action_id="PEN-2")
    assert (read["assignee"]["name"], read["due"], read["labels"]) == ("Grace Hopper", "2026-12-01", ["docs", "ui"])
    form |= {"assignee": "", "due": "", "labels": ""}
    assert (await served.http.post("/do/update_action", data=form, headers=SAME)).status_code < 400
    read = await desk.call(served.owner, "get_action", action_id="PEN-2")
    assert not {"assignee", "due", "labels"} & set(read)


async def test_a_new_action_is_created_with_them(served, desk):
    form = {
        "project_id": "PEN",
        "label": "New",
        "status": "todo",
        "assignee": "",
        "due": "",
        "labels": "",
        "priority": "0",
    }
    assert (await served.http.post("/do/create_task", data=form, headers=SAME)).status_code < 400
    form |= {"assignee": "me", "due": "2026-12-01", "labels": "bug", "priority": "200"}
    assert (await served.http.post("/do/create_task", data=form, headers=SAME)).status_code < 400
    read = await desk.call(served.owner, "get_action", action_id="PEN-4")
    assert (read["due"], read["labels"], read["priorityName"]) == ("2026-12-01", ["bug"], "high")


async def test_cards_of_work_on_the_same_files_name_each_other(served, desk):
    holders = [await desk.person("Mia"), await desk.person("Eve")]
    for number, (holder, paths) in enumerate(zip(holders, (["src/**"], ["src/<b>.py"]), strict=True), start=1):
        await desk.call(served.owner, "update_action", action_id=f"PEN-{number}", paths=paths)
        await desk.call(holder, "claim_action", action_pid=f"PEN-{number}")
    for page in ("/p/PEN", "/p/PEN/list"):
        text = (await served.http.get(page)).text
        assert "May overlap PEN-1" in text
        assert "May overlap PEN-2" in text
        assert 'title="The same files: src/&lt;b&gt;.py"' in text
    assert "May overlap PEN-2" in (await served.http.get("/a/PEN-1")).text
