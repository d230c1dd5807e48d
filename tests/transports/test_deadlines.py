"""The protocol alone, with deadlines short enough to wait for."""

import asyncio
import contextlib
import socket
import time

import pytest
import uvicorn

from pendesk.transports import deadlines
from pendesk.transports.deadlines import DeadlineProtocol

FLOOD_BYTES = 100_000_000  # more than the buffers of both ends hold


class Impatient(DeadlineProtocol):
    head_s = 1.0
    body_s = 2.0


async def app(scope, receive, send):
    """Reads the body, then answers; `/deaf` answers at once, `/flood` sends more than anyone reads."""
    if scope["path"] == "/read":
        while (message := await receive())["type"] == "http.request" and message["more_body"]:
            pass
    body = b"x" * FLOOD_BYTES if scope["path"] == "/flood" else b"ok"
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def port():
    config = uvicorn.Config(app, port=0, http=Impatient, lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await running


async def talk(port, *parts, pause=0.0):
    """Send the parts with a pause after each; all that comes back, and when the connection was closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    began = time.monotonic()

    async def send():
        with contextlib.suppress(OSError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)

    sending = asyncio.create_task(send())
    received = b""
    with contextlib.suppress(ConnectionResetError):
        received = await asyncio.wait_for(reader.read(), 60)
    seconds = time.monotonic() - began
    sending.cancel()
    writer.close()
    return received, seconds


def cut_short(received: bytes) -> bool:
    """A byte that was under way when the server closed makes the system drop the answer with the connection."""
    return received == b""


HEAD = b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


async def test_a_slow_head(port):
    received, seconds = await talk(port, *[b"G", b"E", b"T"] + [b" "] * 100, pause=0.05)
    assert received.startswith(b"HTTP/1.1 4") or cut_short(received)
    assert seconds > 0.7


async def test_a_slow_body(port):
    received, seconds = await talk(port, HEAD % 1000, *[b"a"] * 200, pause=0.05)
    assert received.startswith(b"HTTP/1.1 408") or cut_short(received)
    assert seconds > 1.5


async def test_a_body_that_gets_on_is_given_time(port):
    parts = [b"a" * 500_000] * 8
    received, seconds = await talk(
        port, HEAD.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % 4_000_000, *parts, pause=0.3
    )
    assert received.startswith(b"HTTP/1.1 200")
    assert seconds > 2.0


async def test_a_good_request_has_no_deadline_left(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(2):
        writer.write(HEAD % 4 + b"body")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(2.2)
    writer.close()


async def test_no_clean_request_gets_the_one_error_body(port):
    received, _ = await talk(port, b"NONSENSE\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 400")
    assert b'{"error":{"status":400,"code":"bad_request"' in received


async def test_an_endless_body_after_the_answer_is_cut_off(port):
    head = (HEAD % 1_000_000_000).replace(b"/read", b"/deaf")
    received, _ = await talk(port, head, *[b"a" * 100_000] * 100, pause=0.01)
    assert received.startswith(b"HTTP/1.1 200")


def send_all_then_read(port, head, size):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(head + b"a" * size)
        return connection.recv(1000)


async def test_an_early_answer_reaches_who_sends_the_whole_body_first(port):
    """As many clients do, and proxies in part: a reset would take the answer away with the connection."""
    head = (HEAD % 20_000_000).replace(b"/read", b"/deaf")
    received = await asyncio.to_thread(send_all_then_read, port, head, 20_000_000)
    assert received.startswith(b"HTTP/1.1 200")


async def test_who_sends_on_and_on_after_the_answer_is_reset(port, monkeypatch):
    monkeypatch.setattr(deadlines, "LINGER_BYTES", 5_000_000)
    head = (HEAD % 1_000_000_000).replace(b"/read", b"/deaf")
    with pytest.raises(OSError, match=r"reset|Broken pipe"):
        await asyncio.to_thread(send_all_then_read, port, head, 100_000_000)


async def test_who_does_not_read_is_dropped(port, monkeypatch):
    monkeypatch.setattr(deadlines, "WRITE_S", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /flood HTTP/1.1\r\nHost: x\r\n\r\n")
    received = len(await reader.readexactly(1))  # on a busy machine the answer may begin late
    await asyncio.sleep(1)
    with contextlib.suppress(ConnectionResetError):
        while data := await asyncio.wait_for(reader.read(65536), 10):
            received += len(data)
    assert 0 < received < FLOOD_BYTES
    writer.close()


@pytest.mark.parametrize("line", [b"Connection: close\r\n", b""])
@pytest.mark.parametrize("size", [200_000, 3_000_000, 20_000_000])
async def test_who_wants_the_connection_closed_gets_an_early_answer_too(port, line, size):
    """Python's urllib asks for that with every request, and reads only when all is sent."""
    head = (HEAD % size).replace(b"/read", b"/deaf").replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n")
    received = await asyncio.to_thread(send_all_then_read, port, head, size)
    assert received.startswith(b"HTTP/1.1 200")


async def test_a_body_that_stops_after_the_answer_gets_no_second_one(port):
    received, _ = await talk(port, (HEAD % 1000).replace(b"/read", b"/deaf") + b"a")
    assert received.startswith(b"HTTP/1.1 200")
    assert received.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        (b"http://evil.test/deaf", b"x", b"400"),
        (b"http://x@evil.test/deaf", b"x", b"400"),
        (b"http://x", b"x", b"400"),
        (b"x:80", b"x", b"400"),
        (b"*", b"x", b"400"),
        (b"ftp://x/deaf", b"x", b"400"),
        (b"http://x/deaf", b"x", b"200"),
        (b"HTTPS://X:80/deaf?a=b", b"x:80", b"200"),
        (b"/deaf", b"x", b"200"),
    ],
)
async def test_an_address_in_the_request_line_is_that_of_the_host(port, target, host, status):
    received, _ = await talk(port, b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (target, host))
    assert received[9:12] == status


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("TCP_KEEPIDLE", deadlines.PROBE_AFTER_S),
        ("TCP_KEEPINTVL", deadlines.PROBE_EVERY_S),
        ("TCP_USER_TIMEOUT", deadlines.UNCONFIRMED_S * 1000),
    ],
)
async def test_a_peer_that_vanishes_without_a_word_is_noticed_by_the_system(port, monkeypatch, option, value):
    """A laptop that closes ends nothing. Without these, the system tries for a quarter of an hour to reach it."""
    if not hasattr(socket, option):
        pytest.skip(f"this system has no {option}")
    accepted = []
    begin = Impatient.connection_made

    def noted(self, transport):
        begin(self, transport)
        accepted.append(transport.get_extra_info("socket"))

    monkeypatch.setattr(Impatient, "connection_made", noted, raising=False)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /deaf HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readline()
    (connection,) = accepted
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, option)) == value
    writer.close()
