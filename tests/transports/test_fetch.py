"""What goes out: where it may go, what it takes for an answer, when it gives up."""

import ast
import asyncio
import json
from pathlib import Path

import pytest

import pendesk
from pendesk.transports.fetch import (
    Fetcher,
    Unfetchable,
    is_public_https_or_private,
    is_tls_or_loopback,
)
from tests.tls_site import http, site

URL = "https://client.example/agent.json"
GOOD = {"client_id": URL}


async def test_it_asks_by_name_and_reads_the_answer(certificate):
    body = json.dumps(GOOD).encode()
    chunked = b"HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
    chunked += f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    to_the_end = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body
    for answer in (http(body), chunked, to_the_end):
        async with site(certificate, answer) as (fetcher, requests):
            assert await fetcher.fetch_json_bytes(URL) == body
            assert requests[0].startswith(b"GET /agent.json HTTP/1.1\r\nHost: client.example\r\n")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (http(b"{}", "302 Found", extra="Location: http://127.0.0.1/\r\n"), "answered 302"),
        (http(b"{}", "404 Not Found"), "answered 404"),
        (http(b"{}", media_type="text/html"), "plain JSON"),
        (http(b"{}", media_type="application/jsonp"), "plain JSON"),
        (http(b"{}", extra="Content-Encoding: gzip\r\n"), "plain JSON"),
        (http(b"x" * 64_001), "too long"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b"x" * 200_000, "too long"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000, "too long"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{}", "broke off"),
        (b"", "broke off"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "could not be reached"),
    ],
)
async def test_anything_else_is_refused(certificate, answer, why):
    async with site(certificate, answer) as (fetcher, _requests):
        with pytest.raises(Unfetchable, match=why):
            await fetcher.fetch_json_bytes(URL)


async def test_a_slow_site_is_given_up(certificate):
    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(20):
            writer.write(b"X: y\r\n")
            await writer.drain()
            await asyncio.sleep(0.1)

    async with site(certificate, drip) as (fetcher, _requests):
        with pytest.raises(Unfetchable, match="in time"):
            await fetcher.fetch_json_bytes(URL)


async def test_the_certificate_must_be_the_names_own(certificate):
    async with site(certificate, http(b"{}")) as (fetcher, requests):
        with pytest.raises(Unfetchable, match="reached"):
            await fetcher.fetch_json_bytes("https://other.example/agent.json")
        assert requests == []


async def test_one_private_address_among_public_ones_is_enough_to_refuse(certificate):
    async with site(certificate, http(b"{}")) as (_fetcher, requests):
        for found in (["8.8.8.8", "127.0.0.1"], ["127.0.0.1"], ["::1", "8.8.8.8"], []):

            async def resolve(_host, found=found):
                return found

            with pytest.raises(Unfetchable, match="not a public one"):
                await Fetcher(resolve).fetch_json_bytes(URL)
        assert requests == []


async def test_a_name_of_this_machine_is_refused_by_the_real_look_up():
    for name in ("localhost", "127.0.0.1", "2130706433"):
        with pytest.raises(Unfetchable):
            await Fetcher().fetch_json_bytes(f"https://{name}/agent.json")


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "::1", "fd00::1"],
)
def test_what_is_near_may_be_reached_without_tls_where_the_setting_says_so(address):
    assert is_public_https_or_private("http", address)
    assert is_public_https_or_private("https", address)


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "240.0.0.1"],
)
def test_where_clouds_keep_credentials_is_never_reached(address):
    assert not is_public_https_or_private("http", address)
    assert not is_public_https_or_private("https", address)


@pytest.mark.parametrize(
    ("scheme", "address", "allowed"),
    [
        ("https", "8.8.8.8", True),
        ("https", "10.1.2.3", True),
        ("https", "::1", True),
        ("https", "64:ff9b::808:808", True),
        ("https", "169.254.169.254", False),
        ("https", "::ffff:169.254.169.254", False),
        ("https", "fe80::1%eth0", False),
        ("https", "ff02::1", False),
        ("https", "fe80::1", False),
        ("https", "0.0.0.0", False),
        ("http", "127.0.0.1", True),
        ("http", "::1", True),
        ("http", "10.1.2.3", False),
        ("http", "::ffff:10.1.2.3", False),
        ("http", "8.8.8.8", False),
    ],
)
def test_what_the_settings_name_is_reached_by_tls_or_on_this_machine(scheme, address, allowed):
    assert is_tls_or_loopback(scheme, address) is allowed


CLIENTS = {"urllib.request", "http.client", "httpx", "httpx2", "requests", "aiohttp", "urllib3"}
# Theirs is another process: the command line, and the client library.
NOT_THE_SERVER = {"cli", "client"}


def test_the_server_has_no_other_http_client():
    package = Path(pendesk.__file__).parent
    importers = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] not in NOT_THE_SERVER
        for node in ast.walk(ast.parse(path.read_text()))
        if imported_modules(node) & CLIENTS
    }
    assert importers == set()


def imported_modules(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def test_nothing_goes_over_the_internet_in_the_clear():
    assert is_public_https_or_private("https", "8.8.8.8")
    assert not is_public_https_or_private("http", "8.8.8.8")


@pytest.mark.parametrize(
    "url",
    [
        "http://client.example/agent.json",
        "https://user@client.example/",
        "https://client.example\\@other.example/",
        "https://client.example/a b",
        "https://client.example/#x",
        "https://client.example/\r\nX: y",
        "https://cliént.example/",
        "https://client.example:123456/",
        "file:///etc/passwd",
        "gopher://client.example/",
        "//client.example/",
        "",
    ],
)
async def test_an_address_that_can_be_read_two_ways_is_not_asked(certificate, url):
    async with site(certificate, http(b"{}")) as (_fetcher, requests):

        async def resolve(_host):
            return ["127.0.0.1"]

        with pytest.raises(Unfetchable):
            await Fetcher(resolve).send("GET", url, {})
        assert requests == []


async def test_it_sends_what_it_is_given_and_gives_back_any_status(certificate):
    async with site(certificate, http(b'{"a": 1}', "418 Teapot")) as (fetcher, requests):
        answer = await fetcher.send("PUT", f"{URL}?b=2", {"Authorization": "Bearer x"}, b'{"c": 3}')
    assert (answer.status, answer.body) == (418, b'{"a": 1}')
    assert requests[0].startswith(b"PUT /agent.json?b=2 HTTP/1.1\r\n")
    assert b"Authorization: Bearer x\r\nContent-Length: 8\r\n\r\n" in requests[0]


async def test_a_header_cannot_break_the_request(certificate):
    async with site(certificate, http(b"{}")) as (fetcher, requests):
        with pytest.raises(ValueError, match="header"):
            await fetcher.send("GET", URL, {"Authorization": "x\r\nHost: evil.example"})
    assert requests == []


async def test_the_next_address_is_tried_where_one_is_not_there(certificate):
    async with site(certificate, http(b"{}")) as (fetcher, requests):

        async def two(_host):
            return ["127.0.0.9", "127.0.0.1"]

        fetcher._resolve = two
        assert (await fetcher.send("GET", URL, {})).status == 200
    assert len(requests) == 1
