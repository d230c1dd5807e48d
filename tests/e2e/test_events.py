"""The live feed of real servers: over a restart, and over two processes at one PostgreSQL."""

import json
import re

import httpx

from tests.e2e.server import RunningServer, pendesk
from tests.sites import SAME
from tests.transports.live.follower import following


def note(server, token, number):
    """An agent writes something, over MCP."""
    call_tool(server, token, "create_project", name=f"Project {number}")


def call_tool(server, token, tool, **arguments):
    call = {"name": tool, "arguments": arguments}
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}
    answer = httpx.post(f"{server.url}/mcp", json=sent, headers=headers, timeout=30)
    assert "error" not in answer.json(), answer.text
    assert not answer.json()["result"].get("isError"), answer.text
    return answer.json()["result"]["structuredContent"]


def changed_cards(person, board, tag):
    """Which cards an open page loads anew, and the tag of what it then shows."""
    answer = person.get("/live", params={"part": board}, headers={"hx-request": "true", "if-none-match": tag})
    return re.findall(r'class="card" id="card-([\w-]+)"', answer.json()[0]["html"]), answer.headers["etag"]


def make_token(data, **environ):
    created = pendesk(
        data, "token", "create", "--name", "feed", "--scope", "desk.read", "--scope", "desk.write", "--json", **environ
    )
    secret: str = json.loads(created)["token"]
    return {"authorization": f"Bearer {secret}"}, secret


async def test_who_follows_over_a_restart_misses_nothing_not_even_what_was_saved_meanwhile(tmp_path):
    data = tmp_path / "data"
    with RunningServer(data) as server:
        server.ready()
        headers, token = make_token(data)
        async with following(server.url, headers) as follower:
            newest = await follower.ready()
            note(server, token, 1)
            first = await follower.event()
            assert server.stop() == 0
            assert await follower.until_end() == ([], "stopping")
    pendesk(data, "user", "add", "--agent", "--name", "while it was down")
    with RunningServer(data) as server:
        server.ready()
        note(server, token, 2)
        async with following(server.url, {**headers, "last-event-id": str(follower.id)}) as follower:
            await follower.ready()
            # What another process saves is heard of too.
            pendesk(data, "user", "add", "--agent", "--name", "beside the server")
            seen = [first]
            while sum(row["kind"] == "user.created" for row in seen) < 2:
                seen.append(await follower.event())
        log = httpx.get(f"{server.url}/api/v1/log", params={"after": newest, "limit": len(seen)}, headers=headers)
    assert [row["seq"] for row in seen] == [row["seq"] for row in log.json()["events"]]
    assert [row["data"]["name"] for row in seen if row["kind"] == "project.created"] == ["Project 1", "Project 2"]
    assert [row["data"] for row in seen if row["kind"] == "user.created"] == [{"kind": "agent"}] * 2
    assert "Traceback" not in server.log


async def check_pages(server, token, person, follower):
    """What is changed by one server is on the pages of the other as soon as they hear of it."""
    key = call_tool(server, token, "create_project", name="Harbour")["key"]
    tasks = [call_tool(server, token, "create_task", project_id=key, label=label) for label in ("Dredge", "Build")]
    await heard(follower, "action.created", tasks[1]["pid"])
    cards, tag = changed_cards(person, f"/p/{key}#board", "")
    assert cards == [f"{key}-1", f"{key}-2"]
    call_tool(server, token, "update_task", task_id=tasks[1]["pid"], label="Build the quay")
    await heard(follower, "action.edited", tasks[1]["pid"])
    cards, tag = changed_cards(person, f"/p/{key}#board", tag)
    assert cards == [f"{key}-2"]


async def heard(follower, kind, action_id):
    while True:
        row = await follower.event()
        if (row["kind"], row.get("actionId")) == (kind, action_id):
            return


async def test_what_one_server_saves_is_streamed_and_shown_by_the_other(tmp_path, postgres):
    url = postgres.create_database("two_feeds")
    shared = {"PENDESK_DATABASE_URL": url}
    with RunningServer(tmp_path / "data", **shared) as first, RunningServer(tmp_path / "data", **shared) as second:
        first.ready()
        second.ready()
        headers, token = make_token(tmp_path / "data", **shared)
        async with following(second.url, headers) as remote, following(first.url, headers) as local:
            await remote.ready()
            await local.ready()
            for number in range(5):
                note(first, token, number)
                assert await remote.event() == await local.event()
            with httpx.Client(base_url=second.url) as person:
                person.post("/sign-in", data={"code": first.link.partition("code=")[2]}, headers=SAME)
                await check_pages(first, token, person, remote)
            # Through the one, a revocation closes what the other serves.
            listed = json.loads(pendesk(tmp_path / "data", "token", "list", "--json", **shared))
            token_id = next(token["tokenId"] for token in listed["tokens"] if token["name"] == "feed")
            pendesk(tmp_path / "data", "token", "revoke", token_id, **shared)
            assert await remote.until_end() == ([], "rights_changed")
            assert (await local.until_end())[1] == "rights_changed"
        assert (first.stop(), second.stop()) == (0, 0)
