"""A client that hangs up in the middle of its call: what it sent is done whole or not at all."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from pendesk.main import create_app
from pendesk.transports.server import Server
from tests.transports.mcp.wire import LEGACY, People, Wire, message, token_of
from tests.transports.served import Served, serving
from tests.workbench import published_spec

CALLS = 60


@asynccontextmanager
async def listening(served: Served) -> AsyncIterator[int]:
    """The application on a real port, in this process."""
    listener = socket.create_server(("127.0.0.1", 0))
    ready = asyncio.Event()
    server = Server(create_app(served.service), ready.set, served.service.feed.signal.close_and_wake_subscribers)
    running = asyncio.create_task(server.serve([listener]))
    try:
        await ready.wait()
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await running
        listener.close()


def request(port: int, token: str, sha: str, action_pid: str, criteria: list[str]) -> bytes:
    arguments = {"action_pid": action_pid, "sha": sha, "message": "Cut off", "criterion_ids": criteria}
    body = json.dumps(message(LEGACY, "tools/call", name="report_commit", arguments=arguments)[0]).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


async def hang_up(port: int, sent: bytes, number: int) -> None:
    _reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    await writer.drain()
    for _ in range(number % 4):
        await asyncio.sleep(0)
    writer.transport.abort()


async def test_whole_or_nothing(tmp_path):
    async with serving(tmp_path / "data", requests_per_minute=100_000) as served, listening(served) as port:
        people = People(served)
        work = await published_spec(people, people.owner)
        action = work.actions[0]
        token = await token_of(served)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            wire = Wire(http, token)
            await wire.call("claim_action", action_pid=action["pid"])
            calls = [request(port, token, f"{n:040x}", action["pid"], action["criteria"]) for n in range(CALLS)]
            # Every other call is cut short, anywhere from its first byte to its last but one.
            sent = [call if n % 2 else call[: 1 + n * (len(call) - 2) // CALLS] for n, call in enumerate(calls)]
            await asyncio.gather(*(hang_up(port, item, n) for n, item in enumerate(sent)))
            answer = await wire.call("update_progress", action_pid=action["pid"], status="started", message="There.")
            assert answer["isError"] is False

        events = (await people.does("list_events", action_pid=action["pid"]))["events"]
        result = [event["data"] for event in events if event["kind"] == "commit.reported"]
        commits = (await people.does("get_action", action_id=action["pid"]))["commits"]
        assert {item["sha"] for item in result} == {item["sha"] for item in commits}
        assert result
        assert all(int(item["sha"], 16) % 2 for item in result)
        assert all(item["criterionIds"] == action["criteria"] for item in result)
