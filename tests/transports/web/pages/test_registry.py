"""What holds for every page."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from pendesk.transports.web.pages.registry import PAGES
from pendesk.transports.web.parts import assets
from pendesk.transports.web.parts.assets import ASSETS, PAGE_SCRIPTS, asset_url_path
from tests.transports.served import serving

LIMIT_BYTES = 60_000
LIMIT_FONT_BYTES = 26_000
OF_EVERY_PAGE = ("pendesk.css", "pendesk.js", "stream.js")
ICONS = set(re.findall(r'<symbol id="([\w-]+)"', ASSETS["icons.svg"].content.decode()))
STYLES = Path(assets.__file__).parents[1] / "static" / "css"
# What these say is about other files' classes on purpose.
SHARED_STYLES = {"base.css", "print.css"}


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        await running.http.post("/sign-in", data={"code": (await running.link()).partition("code=")[2]})
        await running.service.dispatcher.call(running.owner, "load_sample", {})
        yield running


FIXED = [page for page in PAGES if "{" not in page.path]


@pytest.mark.parametrize("page", FIXED, ids=lambda page: page.path)
async def test_a_page_has_one_heading_landmarks_a_title_and_a_twin(served, page):
    answer = await served.http.get(page.path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert (await served.http.get(page.json_url_path)).headers["content-type"] == "application/json"
    if page.path == "/sidebar":
        return
    assert len(re.findall("<h1", answer.text)) == 1
    assert re.search(r"<title>.+ · Pendesk</title>", answer.text)
    assert all(landmark in answer.text for landmark in ("<main", "<nav", "<header"))
    assert " style=" not in answer.text
    assert " onclick=" not in answer.text
    assert set(re.findall(r"/static/icons[\w.]*\.svg#([\w-]+)", answer.text)) <= ICONS


async def test_an_action_opens_over_its_board_or_alone(served):
    full_page = (await served.http.get("/a/HRB-1")).text
    assert 'id="board"' in full_page
    assert 'id="drawer-action"' in full_page
    assert full_page.count("<title>HRB-1 ") == 1
    part = (await served.http.get("/a/HRB-1", headers={"hx-request": "true", "hx-target": "aside#drawer"})).text
    assert 'id="board"' not in part
    assert 'id="drawer-action"' in part
    twin = (await served.http.get("/a/HRB-1.json")).json()
    assert set(twin) == {"action", "project", "deeds", "specs", "comments", "watch", "messages", "holder", "steps"}
    assert twin["action"]["refCode"] == "HRB-1"


async def test_what_is_not_there_is_a_designed_page_and_for_programs_the_error_body(served):
    page = await served.http.get("/p/NONE")
    assert page.status_code == 404
    assert "Page not found" in page.text
    assert (await served.http.get("/p/NONE.json")).json()["error"]["code"] == "not_found"
    outside = await served.http.get("/nothing", headers={"accept": "text/html"})
    assert outside.status_code == 404
    assert "Go to home page" in outside.text
    assert (await served.http.get("/nothing")).json()["error"]["code"] == "not_found"


async def test_a_refusal_for_want_of_a_session_leads_to_sign_in_and_back(served):
    await served.http.post("/sign-out")
    page = await served.http.get("/files/x?y=1", headers={"accept": "text/html"})
    assert (page.status_code, 'href="/sign-in?then=%2Ffiles%2Fx%3Fy%3D1"' in page.text) == (401, True)


async def test_a_part_for_someone_who_is_gone_loads_the_page_anew(served):
    await served.http.post("/sign-out")
    answer = await served.http.get("/p/HRB", headers={"hx-request": "true"})
    assert (answer.status_code, answer.headers["hx-refresh"]) == (401, "true")


async def test_assets_are_kept_for_ever_by_hash_and_small(served):
    page = (await served.http.get("/")).text
    addresses = set(re.findall(r"/static/[\w.-]+", page))
    assert len(addresses) >= 5
    for address in addresses:
        answer = await served.http.get(address)
        assert (answer.status_code, "immutable" in answer.headers["cache-control"]) == (200, True), address
    sizes = {name: len(ASSETS[name].compressed or b"") for name in (*OF_EVERY_PAGE, *PAGE_SCRIPTS)}
    of_one_page = max(sizes[name] for name in PAGE_SCRIPTS)
    assert sum(sizes[name] for name in OF_EVERY_PAGE) + of_one_page < LIMIT_BYTES
    fonts = ("inter-latin.woff2", "jetbrains-mono-latin.woff2")  # the others wait for a letter that these lack
    assert sum(len(ASSETS[name].content) for name in fonts) < LIMIT_FONT_BYTES
    assert "max-age=300" in (await served.http.get("/static/pendesk.css")).headers["cache-control"]
    assert (await served.http.get("/static/nothing.css")).status_code == 404


async def test_the_worker_for_when_the_server_is_away_keeps_one_page_and_what_that_loads(served):
    answer = await served.http.get("/static/offline-worker.js")
    assert answer.headers["service-worker-allowed"] == "/"
    assert "service-worker-allowed" not in (await served.http.get("/static/pendesk.js")).headers
    cached = json.loads(answer.text.partition("const CACHED = ")[2].partition(";")[0])
    page = (await served.http.get("/offline")).text
    assert cached[0] == "/offline"
    assert set(re.findall(r"/static/[\w-]+\.\w+\.(?:css|js|woff2|svg)", page)) - {
        asset_url_path("pendesk-waiting.svg")
    } <= set(cached)


async def test_the_first_page_carries_its_style_and_the_next_ones_do_not(served):
    first = await served.http.get("/p/HRB")
    [style] = re.findall("<style>(.*?)</style>", first.text, re.S)
    assert style == ASSETS["pendesk.css"].content.decode()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = first.headers["content-security-policy"]
    assert f"'sha256-{digest}'" in policy  # this one style is let in, and no other
    assert "unsafe-inline" not in policy
    assert f'rel="prefetch" href="{asset_url_path("pendesk.css")}"' in first.text
    part = await served.http.get("/p/HRB", headers={"hx-request": "true"})
    second = (await served.http.get("/p/HRB")).text
    assert "<style>" not in part.text + second
    assert f'rel="stylesheet" href="{asset_url_path("pendesk.css")}"' in second
    served.http.cookies.set("pendesk_style", "of an older version")
    assert "<style>" in (await served.http.get("/p/HRB")).text


async def test_a_refusal_tells_people_what_to_do_and_programs_which_tool_helps(served):
    fields = {"project_id": "HRB", "label": "Free", "criteria": ["It holds"]}
    task = await served.service.dispatcher.call(served.owner, "create_action", fields)
    moved = {"action_id": task.ref_code, "state": "in_progress"}
    for_people = (await served.http.post("/do/update_action", data=moved, headers={"hx-request": "true"})).json()[
        "error"
    ]
    assert for_people["message"] == "It cannot be moved there directly. It is in progress once someone claims it."
    address = f"/api/v1/actions/{task.ref_code}"
    for_programs = (await served.http.patch(address, json={"state": "in_progress"})).json()["error"]
    assert for_programs["code"] == for_people["code"] == "invalid_transition"
    assert "claim_action" in for_programs["message"]


async def test_text_of_people_and_agents_is_shown_as_text(served):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7*7 }}"
    created = await served.service.dispatcher.call(
        served.owner, "create_task", {"project_id": "HRB", "label": evil, "description": evil}
    )
    for path, scripts in (("/p/HRB", 2), (f"/a/{created.ref_code}", 3), ("/search?q=alert", 1)):
        text = (await served.http.get(path)).text
        assert len(re.findall("<script", text)) == len(re.findall('<script src="/static/', text)) == scripts, path
        assert "<img src=x" not in text
        assert "{{ 7*7 }}" in text


def test_a_class_is_styled_in_one_file():
    """Two pages once both had a .sheet, and one broke the other."""
    owners: dict[str, set[str]] = {}
    for file in STYLES.glob("*.css"):
        for selectors in re.findall(r"^\s*([^{}@/;]+)\{", file.read_text(), re.M):
            for name in re.findall(r"(?:\A|,)\s*(\.[\w-]+)\s*(?=,|\Z)", selectors.strip()):
                owners.setdefault(name, set()).add(file.name)
    assert len(owners) > 100  # else the folder is not where this looks
    shared = {name: files - SHARED_STYLES for name, files in owners.items() if len(files - SHARED_STYLES) > 1}
    assert shared == {}
