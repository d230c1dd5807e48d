"""The authorization server over real sockets, on PostgreSQL by two processes: what must happen once happens once."""

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from tests.e2e.server import RunningServer
from tests.operations.oauth.granting import BACK, CHALLENGE, VERIFIER
from tests.postgres import PostgresCluster

PUBLIC = "http://127.0.0.1:3847"  # one name for all processes, as behind a proxy


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


HEAD = (
    "POST /oauth/token HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)


class Answer(NamedTuple):
    status: int
    body: dict[str, Any]


class Site:
    """One installation: the addresses of its processes, and a browser that is signed in."""

    def __init__(self, addresses: list[str], link: str) -> None:
        self.addresses = addresses
        self.browser = httpx.Client(base_url=addresses[0])
        code = link.partition("code=")[2]
        assert self.browser.post("/sign-in", data={"code": code}).status_code == 303

    def code(self) -> str:
        query = {
            "response_type": "code",
            "client_id": "penling-mcp",
            "redirect_uri": BACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
        page = self.browser.get("/oauth/authorize", params=query)
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text))
        back = self.browser.post("/oauth/authorize", data={**fields, "decision": "allow"})
        return parse_qs(urlsplit(back.headers["location"]).query)["code"][0]

    async def at_once(self, number: int, **sent: str) -> list[Answer]:
        """The same request to all processes, held back at its last byte until every one of them is that far.

        Bare sockets: a pool of 200 connections looks at each of them for each request, which on a slow machine takes
        longer than the server waits.
        """
        barrier = asyncio.Barrier(number)
        body = urlencode({"client_id": "penling-mcp", **sent}).encode()

        async def send(which: int) -> Answer:
            where = urlsplit(self.addresses[which % len(self.addresses)])
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(HEAD.format(host=where.netloc, length=len(body)).encode() + body[:-1])
            await barrier.wait()
            writer.write(body[-1:])
            head, _, content = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            return Answer(int(head.split()[1]), json.loads(content))

        return await asyncio.gather(*(send(which) for which in range(number)))

    def mcp(self, token: str) -> int:
        headers = {"authorization": f"Bearer {token}"}
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        return self.browser.post("/mcp", json=ping, headers=headers).status_code


@pytest.fixture(params=["sqlite", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    environ = {"PENDESK_PUBLIC_URL": PUBLIC, "PENDESK_SECRET_KEY": "k" * 40}
    processes = 1
    if request.param == "postgres":
        cluster: PostgresCluster = request.getfixturevalue("postgres")
        environ["PENDESK_DATABASE_URL"] = cluster.create_database(f"site_{tmp_path.name}".lower().replace("-", "_"))
        processes = 2
    with ExitStack() as stack:
        ports = [free_port() for _ in range(processes)]
        servers = [
            stack.enter_context(RunningServer(tmp_path / str(port), "--port", str(port), **environ)).ready()
            for port in ports
        ]
        site = Site([f"http://127.0.0.1:{port}" for port in ports], servers[0].link)
        stack.callback(site.browser.close)
        yield site


async def test_of_200_redemptions_at_once_one_is_good_and_then_void(site):
    sent = {"grant_type": "authorization_code", "code": site.code(), "redirect_uri": BACK, "code_verifier": VERIFIER}
    answers = await site.at_once(200, **sent)
    good = [answer for answer in answers if answer.status == 200]
    assert len(good) == 1
    assert {answer.body["error"] for answer in answers if answer.status != 200} == {"invalid_grant"}
    assert site.mcp(good[0].body["access_token"]) == 401


async def test_of_50_refreshes_at_once_one_is_good_and_then_void(site):
    sent = {"grant_type": "authorization_code", "code": site.code(), "redirect_uri": BACK, "code_verifier": VERIFIER}
    first = site.browser.post("/oauth/token", data={"client_id": "penling-mcp", **sent}).json()
    assert site.mcp(first["access_token"]) == 200
    answers = await site.at_once(50, grant_type="refresh_token", refresh_token=first["refresh_token"])
    good = [answer for answer in answers if answer.status == 200]
    assert len(good) == 1
    for issued in (first, good[0].body):
        assert site.mcp(issued["access_token"]) == 401


def test_an_address_that_a_caller_makes_up_does_not_open_the_limit(tmp_path):
    """Without a proxy nobody is believed about where they come from."""
    with RunningServer(tmp_path / "data") as server:
        server.ready()
        sent = {"redirect_uris": ["http://127.0.0.1/callback"]}
        with httpx.Client(base_url=server.url) as http:
            statuses = [
                http.post("/oauth/register", json=sent, headers={"x-forwarded-for": f"203.0.113.{number}"}).status_code
                for number in range(30)
            ]
        assert statuses.count(201) == 20
