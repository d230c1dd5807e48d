"""A real server delivers to a real receiver, and dies in between."""

import asyncio
import json
from contextlib import asynccontextmanager
from itertools import groupby

import httpx

from tests.e2e.server import RunningServer, pendesk
from tests.patience import PATIENCE_S
from tests.webhook_receiver import receiving

ALLOWED = {"PENDESK_OUTGOING_PRIVATE_ADDRESSES": "on"}


@asynccontextmanager
async def signed_in(server):
    """The owner's browser."""
    same = {"sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(base_url=server.url, headers=same, timeout=30) as http:
        await http.post("/sign-in", data={"code": server.link.partition("code=")[2]})
        yield http


def names(receiver):
    return [delivery.json["event"]["data"]["name"] for delivery in receiver.received]


async def test_a_server_killed_between_sending_and_keeping_sends_again_with_the_same_id(tmp_path):
    data = tmp_path / "data"
    async with receiving() as receiver:
        with RunningServer(data, **ALLOWED) as server:
            server.ready()

            async def kill():
                server.process.kill()
                server.process.wait()

            receiver.answers = [kill]
            async with signed_in(server) as http:
                created = await http.post("/api/v1/webhooks", json={"url": receiver.url, "kinds": ["token.created"]})
                assert created.status_code == 201, created.text
            pendesk(data, "token", "create", "--name", "one", **ALLOWED)
            async with asyncio.timeout(PATIENCE_S):
                while server.process.poll() is None:
                    await asyncio.sleep(0.05)
        with RunningServer(data, **ALLOWED) as server:
            server.ready()
            pendesk(data, "token", "create", "--name", "two", **ALLOWED)
            async with asyncio.timeout(PATIENCE_S):
                while "two" not in names(receiver):
                    await asyncio.sleep(0.05)
            assert server.stop() == 0
    # At least once: a busy machine may let a lease run out, and then it is sent once more.
    first, retried, *_ = receiver.received
    assert (first.id, first.body) == (retried.id, retried.body)
    assert [name for name, _ in groupby(names(receiver))] == ["one", "two"]
    assert created.json()["secret"] not in json.dumps([delivery.headers for delivery in receiver.received]) + server.log
