"""What a hostile or broken client can do to a socket; afterwards a good request is answered."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request

import pytest

from tests.e2e.server import RunningServer, pendesk


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with RunningServer(tmp_path_factory.mktemp("e2e") / "data") as running:
        yield running.ready()
        assert running.stop() == 0
    assert "Traceback" not in running.log


@pytest.fixture(autouse=True)
def still_well(server):
    yield
    assert server.get("/api/v1/health").json() == {"ok": True}


def until_closed(connection):
    """What comes until the server closes."""
    received = b""
    connection.settimeout(60)
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def drip(connection, data, pause):
    """Send a byte now and then until it fails."""

    def run():
        try:
            for byte in data:
                connection.sendall(bytes([byte]))
                time.sleep(pause)
        except OSError:
            pass

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_slow_and_silent_heads_are_cut_off_after_ten_seconds(server):
    _silent, dripping, noise, second = connections = [server.connect() for _ in range(4)]
    drip(dripping, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 1000, 0.2)
    drip(noise, b"\r\n" * 1000, 0.2)
    # The second request of a kept connection has a deadline too.
    second.sendall(f"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    assert second.recv(65536).startswith(b"HTTP/1.1 200")
    drip(second, b"GET / HTTP/1.1\r\nX: " + b"a" * 1000, 0.2)
    began = time.monotonic()
    for connection in connections:
        with connection:
            received = until_closed(connection)
        # Nothing: a byte that was under way when the server closed made the system drop the answer.
        assert received == b"" or (b"HTTP/1.1 408" in received and b'"code":"too_slow"' in received)
    assert time.monotonic() - began > 8


@pytest.mark.parametrize(
    "head",
    [
        b"X-Big: " + b"a" * 40_000,
        b"\r\n".join(b"X-%d: a" % number for number in range(200)),
        b"X-Endless: " + b"a" * 400_000,
        b"Cookie: " + b"a=b; " * 10_000,
    ],
)
def test_huge_heads_are_431(server, head):
    with server.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + b"\r\n\r\n")
        received = until_closed(connection)
        assert received.startswith(b"HTTP/1.1 431") or received == b""


def test_a_long_address_is_refused(server):
    with server.connect() as connection:
        connection.sendall(b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        received = until_closed(connection)
        assert received.split(b" ")[1] in (b"431", b"400")


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\ncode=x",
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -6\r\n\r\ncode=x",
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
    ],
)
def test_what_is_no_clean_request_is_refused(server, request_):
    with server.connect() as connection:
        connection.sendall(request_)
        connection.shutdown(socket.SHUT_WR)
        status = connection.recv(65536)[9:12]
        assert status in (b"400", b"421", b"")


def test_a_chunked_body_past_the_limit_is_413(server):
    with server.connect() as connection:
        head = f"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        try:
            for _ in range(40):
                connection.sendall(b"c350\r\n" + b"a" * 50_000 + b"\r\n")
        except OSError:
            pass
        received = until_closed(connection)
        assert received.startswith(b"HTTP/1.1 413") or received == b""


def test_pipelined_requests_are_answered_in_order(server):
    with server.connect() as connection:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        paths = ["/api/v1/health", "/nothing", "/static/pendesk.css"]
        connection.sendall("".join(f"GET {path} HTTP/1.1\r\n{host}\r\n" for path in paths[:2]).encode())
        connection.sendall(f"GET {paths[2]} HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode())
        received = until_closed(connection)
        statuses = [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]]
        assert statuses == [b"200", b"404", b"200"]


def test_silent_sockets_by_the_thousand(server):
    sockets = [server.connect() for _ in range(1500)]
    assert server.get("/api/v1/health").status_code == 200
    for connection in sockets:
        connection.close()


@pytest.fixture(scope="module")
def token(server):
    return pendesk(server.data, "token", "create", "--name", "x").strip()


@pytest.mark.parametrize("size", [1_000_001, 10_000_000])
def test_a_body_past_the_limit_is_413_for_a_client_that_reads_when_all_is_sent(server, token, size):
    """urllib: it wants the connection closed, and sends the whole body first."""
    request = urllib.request.Request(f"{server.url}/mcp", b" " * size, {"Authorization": f"Bearer {token}"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)
    assert caught.value.code == 413
    assert json.load(caught.value)["error"]["code"] == "too_large"


def test_the_connection_ends_with_a_413_although_the_body_never_comes(server, token):
    with server.connect() as connection:
        connection.sendall(
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Length: 5000000\r\n\r\n".encode()
        )
        received = until_closed(connection)
    assert received.startswith(b"HTTP/1.1 413")
    assert received.count(b"HTTP/1.1") == 1
