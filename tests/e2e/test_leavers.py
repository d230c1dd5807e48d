"""A person leaves a real server: what lets programs in or sends data out on their behalf ends with them."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest
from playwright.sync_api import sync_playwright

from pendesk.ids import new_id
from tests.conftest import ENGINES
from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer, pendesk
from tests.patience import PATIENCE_S
from tests.transports.live.follower import following
from tests.webhook_receiver import receiving

ALLOWED = {"PENDESK_OUTGOING_PRIVATE_ADDRESSES": "on"}
TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture(params=ENGINES)
def environ(request):
    if request.param == "sqlite":
        return ALLOWED
    cluster = request.getfixturevalue("postgres")
    return {**ALLOWED, "PENDESK_DATABASE_URL": cluster.create_database(f"leavers_{new_id().replace(chr(45), chr(95))}")}


@asynccontextmanager
async def browser(url, link):
    """A signed-in browser, by the link's code."""
    same = {"sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(base_url=url, headers=same, timeout=30) as http:
        await http.post("/sign-in", data={"code": link.strip().partition("code=")[2]})
        yield http


async def answers_of(url, token):
    """The status over REST and over MCP."""
    headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as http:
        rest = await http.get("/api/v1/projects")
        mcp = await http.post("/mcp", json=TOOLS)
    return rest.status_code, mcp.status_code


class Office:
    """An owner at a running server, and an admin who has an agent account with a token, and a webhook."""

    def __init__(self, data, environ, server, receiver):
        self.data, self.environ, self.server, self.receiver = data, environ, server, receiver

    def run(self, *arguments):
        return pendesk(self.data, *arguments, **self.environ)

    async def furnish(self):
        self.run("user", "add", "--name", "Mara", "--email", "mara@example.com", "--role", "admin")
        link = self.run("user", "link", "mara@example.com")
        async with browser(self.server.url, link) as mara:
            agent = (await mara.post("/api/v1/members", json={"name": "builder-1", "kind": "agent"})).json()
            self.agent = agent["userId"]
            fields = {"name": "CI", "user_pid": self.agent, "scopes": ["desk.read"]}
            self.token = (await mara.post("/api/v1/tokens", json=fields)).json()["token"]
            hook = {"url": self.receiver.url, "kinds": ["project.created"]}
            assert (await mara.post("/api/v1/webhooks", json=hook)).status_code == 201
        return self

    async def create_project(self, name):
        async with browser(self.server.url, self.run("user", "link")) as owner:
            assert (await owner.post("/api/v1/projects", json={"name": name})).status_code == 201

    async def delivered(self, count):
        async with asyncio.timeout(PATIENCE_S):
            while len(self.receiver.received) < count:
                await asyncio.sleep(0.05)


@pytest.fixture
async def office(tmp_path, environ):
    data = tmp_path / "data"
    async with receiving() as receiver:
        with RunningServer(data, **environ) as server:
            yield await Office(data, environ, server.ready(), receiver).furnish()


async def test_a_removed_admins_agent_and_webhook_end_with_them(office):
    assert await answers_of(office.server.url, office.token) == (200, 200)
    await office.create_project("Before")
    await office.delivered(1)
    async with following(office.server.url, {"authorization": f"Bearer {office.token}"}) as stream:
        await stream.ready()
        office.run("user", "remove", "mara@example.com", "--yes")
        assert await answers_of(office.server.url, office.token) == (401, 401)
        assert (await stream.until_end())[1] == "rights_changed"
    # A webhook of the owner's, made later, has its delivery: so the leaver's would have had one too.
    async with browser(office.server.url, office.run("user", "link")) as owner:
        hook = {"url": office.receiver.url + "&of=owner", "kinds": ["project.created"]}
        await owner.post("/api/v1/webhooks", json=hook)
        webhooks = (await owner.get("/api/v1/webhooks")).json()["webhooks"]
    await office.create_project("After")
    await office.delivered(2)
    assert [hook["url"] for hook in webhooks] == [office.receiver.url + "&of=owner"]
    names = [delivery.json["event"]["data"]["name"] for delivery in office.receiver.received]
    assert names == ["Before", "After"]


@pytest.mark.parametrize("choice", ["Remove everything", "Transfer to"])
async def test_the_page_shows_what_they_own_before_it_is_confirmed(office, choice):
    statuses = await asyncio.to_thread(remove_on_the_page, office, choice)
    assert len(statuses) == 1
    assert statuses[0].startswith("Mara also owns 1 agent account, 1 outgoing webhook, which would keep working")
    lives = choice != "Remove everything"
    assert await answers_of(office.server.url, office.token) == ((200, 200) if lives else (401, 401))
    async with browser(office.server.url, office.run("user", "link")) as owner:
        webhooks = (await owner.get("/api/v1/webhooks")).json()["webhooks"]
        members = (await owner.get("/api/v1/members")).json()["members"]
    assert len(webhooks) == int(lives)
    assert [member["kind"] for member in members] == (["person", "agent"] if lives else ["person"])
    assert all(owned["ownerName"] == members[0]["name"] for owned in (*webhooks, *members[1:]))


def remove_on_the_page(office, choice):
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = chrome.new_page()
        page.goto(office.run("user", "link").strip())
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.locator(".sidebar-me").wait_for()
        page.goto(f"{office.server.url}/settings/members")
        page.get_by_label("More options for Mara").click()
        page.get_by_role("link", name="Remove member").click()
        page.get_by_role("heading", name="Remove Mara", exact=True).wait_for()
        seen = page.get_by_text("Mara also owns").all_inner_texts()
        page.get_by_role("link", name="Cancel").click()
        page.get_by_label("More options for Mara").click()
        page.get_by_role("link", name="Remove member").click()
        page.get_by_text("builder-1").wait_for()
        select = page.get_by_label("Items owned by Mara")
        select.select_option(next(text for text in select.locator("option").all_inner_texts() if choice in text))
        page.get_by_role("button", name="Remove Mara").click()
        page.get_by_text("Mara removed.").wait_for()
        assert page.url.endswith("/settings/members")
        page.goto("about:blank")
        chrome.close()
    return seen
