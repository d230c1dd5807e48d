"""A person leaves a real server: what lets programs in or sends data out on their behalf ends with them."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest

from tests.conftest import ENGINES
from tests.e2e.server import RunningServer, pendesk
from tests.patience import PATIENCE_S
from tests.transports.live.follower import following
from tests.webhook_receiver import receiving

ALLOWED = {"PENDESK_OUTGOING_PRIVATE_ADDRESSES": "on"}
YES = ("--yes",)
TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture(params=ENGINES)
def environ(request):
    if request.param == "sqlite":
        return ALLOWED
    cluster = request.getfixturevalue("postgres")
    return {**ALLOWED, "PENDESK_DATABASE_URL": cluster.create_database("leavers")}


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
            asked = {"name": "CI", "user_pid": self.agent, "scopes": ["desk.read"]}
            self.token = (await mara.post("/api/v1/tokens", json=asked)).json()["token"]
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
        office.run("user", "remove", "mara@example.com", *YES)
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
    names = [each.json["event"]["data"]["name"] for each in office.receiver.received]
    assert names == ["Before", "After"]
