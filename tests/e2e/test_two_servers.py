"""Two real servers: a project is published on the other, its guests write, what they wrote becomes a task at home."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.server import RunningServer, own_port, pendesk

ON = {"PENDESK_OUTGOING_PRIVATE_ADDRESSES": "on"}


class Agent:
    """Calls the tools of a server over MCP, as any agent does."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = httpx.post(f"{self.url}/mcp", json=sent, headers=self.headers, timeout=30).json()
        content: dict[str, Any] = answer["result"]["structuredContent"]
        return content

    def refused(self, tool: str, **arguments: Any) -> str:
        code: str = self.call(tool, **arguments)["error"]["code"]
        return code


def token_of(data: Path, *scopes: str, name: str = "sync") -> str:
    chosen = [part for scope in scopes for part in ("--scope", scope)]
    return pendesk(data, "token", "create", "--name", name, *chosen).strip()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    with ExitStack() as stack:

        def start(name: str, *arguments: str, **environ: str) -> RunningServer:
            (tmp_path / name).mkdir(exist_ok=True)
            server = RunningServer(tmp_path / name / "data", *(arguments or ("--port", own_port())), **environ)
            return stack.enter_context(server).ready()

        yield start


def test_a_project_goes_out_and_its_guests_words_come_home(serve):
    remote, home = serve("there"), serve("home", **ON)
    agent = Agent(home.url, token_of(home.data, "desk.read", "desk.write"))
    sync = token_of(remote.data, "desk.write")
    tasks = [{"key": "a", "label": "Dredge <b>the</b> basin"}, {"key": "b", "label": "Build the quay"}]
    created = agent.call("scaffold_project_from_plan", name="Harbour", tasks=tasks, edges=[{"from": "a", "to": "b"}])
    about = {"project_id": created["key"]}

    # Published: the link is there at once, for anybody.
    published = agent.call("publish_project", server_url=remote.url, sync_token=sync, **about)
    assert published["url"].startswith(f"{remote.url}/share/pendesk_shr_")
    page = httpx.get(published["url"])
    assert page.status_code == 200
    assert "Dredge &lt;b&gt;the&lt;/b&gt; basin" in page.text
    assert agent.call("sync_push", **about)["reason"] == "unchanged"

    # Pushed: what changed is seen there.
    agent.call("update_task", task_id=f"{created['key']}-2", label="Build the long quay")
    assert agent.call("sync_push", **about)["reason"] == "sent"
    assert "Build the long quay" in httpx.get(f"{published['url']}.md").text

    # A guest writes on the public page, by its form.
    form = re.search(r'<form method="post" action="([^"]+)"', page.text)
    assert form is not None
    sent = httpx.post(remote.url + form[1], data={"title": "More cranes", "body": "Two, please", "name": "Zoe"})
    assert sent.status_code == 303
    assert [agent.call("sync_pull", **about)["received"] for _ in range(2)] == [1, 0]
    (item,) = agent.call("list_submissions", **about)["submissions"]
    assert item["untrusted"] == {"guestName": "Zoe", "title": "More cranes", "body": "Two, please"}
    task = agent.call("triage_submission", submission_id=item["pid"], action="accept")["task"]
    assert (task["status"], task["label"]) == ("scope", "From a guest: More cranes")

    # The other server is away for a while, then back on its port.
    agent.call("create_task", label="Paint it", **about)
    assert remote.stop() == 0
    assert agent.refused("sync_push", **about) == "server_unreachable"
    assert agent.refused("sync_pull", **about) == "server_unreachable"
    restarted = serve("there", "--port", str(remote.port))
    assert agent.call("sync_push", **about)["reason"] == "sent"
    assert "Paint it" in httpx.get(published["url"]).text

    # Its token is revoked there; with a new one all goes on, at the same link.
    token_id = re.search(r"[0-9a-f-]{36}", pendesk(restarted.data, "token", "list"))
    assert token_id is not None
    pendesk(restarted.data, "token", "revoke", token_id[0])
    assert agent.refused("sync_pull", **about) == "token_refused"
    narrow = token_of(restarted.data, "desk.read", name="narrow")
    target = {"server_url": restarted.url, **about}
    assert agent.refused("publish_project", sync_token=narrow, **target) == "token_scope_missing"
    republished = agent.call(
        "publish_project", sync_token=token_of(restarted.data, "desk.write", name="fresh"), **target
    )
    assert republished["url"] == published["url"]
    assert agent.call("sync_pull", **about)["received"] == 0

    # No secret lies about: neither the link nor the tokens, in no log and no file of the sender's.
    home.stop()
    restarted.stop()
    secret = published["url"].rpartition("_")[2]
    for text in (home.log, restarted.log, remote.log):
        assert secret not in text
        assert sync not in text
    for file in home.data.rglob("*"):
        if file.is_file():
            assert sync.encode() not in file.read_bytes(), file


def test_without_the_setting_no_private_address_is_asked(serve):
    home = serve("home")
    agent = Agent(home.url, token_of(home.data, "desk.read", "desk.write"))
    project = agent.call("create_project", name="Harbour")
    sync = token_of(home.data, "desk.write")
    for url in (home.url, "http://169.254.169.254", "https://127.0.0.1", "https://localhost", "http://[::1]:80"):
        fields = {"project_id": project["pid"], "server_url": url, "sync_token": sync}
        assert agent.refused("publish_project", **fields) == "address_not_allowed"


def test_what_is_no_server_of_ours_is_told_so(serve):
    home = serve("home", **ON)
    agent = Agent(home.url, token_of(home.data, "desk.read", "desk.write"))
    fields = {
        "project_id": agent.call("create_project", name="Harbour")["pid"],
        "sync_token": token_of(home.data, "desk.write"),
    }
    assert agent.refused("publish_project", server_url=f"{home.url}/x", **fields) == "bad_field"
    assert agent.refused("publish_project", server_url="http://127.0.0.1:1", **fields) == "server_unreachable"
    assert agent.refused("publish_project", server_url="http://169.254.169.254", **fields) == "address_not_allowed"
