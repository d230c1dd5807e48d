"""Clients that describe themselves at their own address, and the fetcher that asks there."""

import asyncio
import json
import ssl
import subprocess
from contextlib import asynccontextmanager

import pytest

from pendesk.main import create_app
from pendesk.transports.oauth.documents import read_document
from pendesk.transports.oauth.fetch import Fetcher, Unfetchable, is_public
from tests.transports.oauth.walk import Walk, sent_back
from tests.transports.served import serving

URL = "https://client.example/agent.json"
GOOD = {"client_id": URL, "client_name": "Agent", "redirect_uris": ["http://127.0.0.1/callback", "https://x.example/"]}


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2001::1",
        "2001:db8::1",
        "100::1",
        "4000::1",
    ],
)
def test_private_and_special_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])
def test_public_ones_are(address):
    assert is_public(address)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=client.example"]
    command += ["-addext", "subjectAltName=DNS:client.example", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@asynccontextmanager
async def site(certificate, answer):
    """A TLS site that answers every request with these bytes; gives a fetcher that may reach it, and its requests."""
    requests: list[bytes] = []

    async def serve(reader, writer):
        try:
            requests.append(await reader.readuntil(b"\r\n\r\n"))
            if callable(answer):
                await answer(writer)
            else:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):  # the fetcher hung up
            pass
        finally:
            writer.close()

    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=own)
    trusting = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    port = server.sockets[0].getsockname()[1]

    async def resolve(host):
        return {"client.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]}[host]

    yield Fetcher(resolve, lambda _address: True, trusting, port, within_s=0.8), requests
    server.close()


def http(body, status="200 OK", media_type="application/json", extra=""):
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode() + body


async def test_it_asks_by_name_and_reads_the_answer(certificate):
    body = json.dumps(GOOD).encode()
    chunked = b"HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
    chunked += f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    to_the_end = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body
    for answer in (http(body), chunked, to_the_end):
        async with site(certificate, answer) as (fetcher, requests):
            assert await fetcher.fetch(URL) == body
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
            await fetcher.fetch(URL)


async def test_a_slow_site_is_given_up(certificate):
    async def drip(writer):
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(20):
            writer.write(b"X: y\r\n")
            await writer.drain()
            await asyncio.sleep(0.1)

    async with site(certificate, drip) as (fetcher, _requests):
        with pytest.raises(Unfetchable, match="in time"):
            await fetcher.fetch(URL)


async def test_the_certificate_must_be_the_names_own(certificate):
    async with site(certificate, http(b"{}")) as (fetcher, requests):
        with pytest.raises(Unfetchable, match="reached"):
            await fetcher.fetch("https://other.example/agent.json")
        assert requests == []


async def test_one_private_address_among_public_ones_is_enough_to_refuse(certificate):
    async with site(certificate, http(b"{}")) as (_fetcher, requests):
        for found in (["8.8.8.8", "127.0.0.1"], ["127.0.0.1"], ["::1", "8.8.8.8"], []):

            async def resolve(_host, found=found):
                return found

            with pytest.raises(Unfetchable, match="not a public one"):
                await Fetcher(resolve).fetch(URL)
        assert requests == []


async def test_a_name_of_this_machine_is_refused_by_the_real_look_up():
    for name in ("localhost", "127.0.0.1", "2130706433"):
        with pytest.raises(Unfetchable):
            await Fetcher().fetch(f"https://{name}/agent.json")


@pytest.mark.parametrize(
    "document",
    [
        {**GOOD, "client_id": "https://client.example/other.json"},
        {**GOOD, "redirect_uris": ["https://client.example/cb"]},
        {**GOOD, "redirect_uris": []},
        {**GOOD, "client_secret": "x"},
        {**GOOD, "token_endpoint_auth_method": "private_key_jwt"},
        {"client_id": URL},
        [],
    ],
)
def test_a_description_must_fit(document):
    with pytest.raises(Unfetchable):
        read_document(URL, json.dumps(document).encode())


async def test_off_unless_turned_on(tmp_path):
    async with serving(tmp_path) as served:
        walk = Walk(served)
        await walk.sign_in()
        answer = await walk.authorize(URL, redirect_uri="http://127.0.0.1:7/callback")
        assert answer.status_code == 400
        assert "This program is not known" in answer.text


async def test_turned_on_it_is_asked_once_an_hour_and_shown(tmp_path, certificate, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)
        await walk.sign_in()
        async with site(certificate, http(json.dumps(GOOD).encode())) as (fetcher, requests):
            asking_through(served, fetcher)
            back = "http://127.0.0.1:7/callback"
            for _ in range(3):
                page = await walk.authorize(URL, redirect_uri=back)
                assert "<strong>Agent</strong>" in page.text
            assert len(requests) == 1
            told = sent_back(await walk.decide(page), back)
            answer = await walk.redeem(URL, told["code"], redirect_uri=back)
            assert answer.status_code == 200
            bad = await walk.authorize(URL, redirect_uri="https://x.example/")
            assert bad.status_code == 400


async def test_an_address_that_failed_is_not_asked_again_at_once(tmp_path, certificate, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)
        async with site(certificate, http(b"{}", "500 No")) as (fetcher, requests):
            asking_through(served, fetcher)
            for _ in range(5):
                answer = await walk.authorize(URL)
                assert answer.status_code == 400
                assert "answered 500" in answer.text
            assert len(requests) == 1


async def test_fetches_are_limited_by_address(tmp_path, asking_through):
    async with serving(tmp_path, client_id_metadata_documents="on") as served:
        walk = Walk(served)

        async def nowhere(_host):
            return []

        asking_through(served, Fetcher(nowhere))
        statuses = [(await walk.authorize(f"https://client.example/{number}")).status_code for number in range(25)]
        assert statuses == [400] * 20 + [429] * 5


@pytest.fixture
def asking_through(monkeypatch):
    """Makes the application anew, with this fetcher."""

    def use(served, fetcher):
        monkeypatch.setattr("pendesk.main.Fetcher", lambda: fetcher)
        served.http._transport.app = create_app(served.service)

    return use
