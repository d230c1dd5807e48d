"""The sample reverse proxies: a stranger's body is not kept on their disk, and what Pendesk takes goes through."""

import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from pendesk.domain.limits import Limits
from tests.e2e.server import RunningServer, pendesk

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "pendesk.example.com"
BLOCK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
MEGABYTE = 2**20


def largest(text: str) -> list[int]:
    """The limits of a configuration in the order in which they stand, in bytes."""
    limits = re.findall(r"(?:client_max_body_size|max_size) (\d+)(?:m;|MB)", text)
    return [int(number) * 1_000_000 for number in limits]


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_their_limits_leave_the_refusal_to_pendesk_and_are_there(name):
    limits = Limits()
    own = [limits.body_bytes, limits.attachment_bytes, limits.import_bytes]
    theirs = largest((DEPLOY / name).read_text())
    assert len(theirs) == 3
    assert all(mine < limit < 2 * mine + MEGABYTE for mine, limit in zip(own, theirs, strict=True))


def test_nginx_keeps_no_body_on_its_disk():
    lines = {line.strip() for line in (DEPLOY / "nginx.conf").read_text().splitlines()}
    assert {"proxy_request_buffering off;", "proxy_max_temp_file_size 0;", "proxy_http_version 1.1;"} <= lines


def test_nginx_writes_no_address_down():
    assert "    access_log off;" in (DEPLOY / "nginx.conf").read_text().splitlines()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Nginx:
    """The sample on a free port, without TLS. Its log tells of every file that it writes."""

    def __init__(self, folder: Path, upstream: int) -> None:
        self.port = free_port()
        self.log = folder / "error.log"
        sample = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:3847", f"127.0.0.1:{upstream}")
        sample = re.sub(r"\n    ssl_.*", "", sample).replace("listen 443 ssl http2", f"listen 127.0.0.1:{self.port}")
        sample = sample.replace(
            "proxy_set_header X-Forwarded-Proto $scheme", "proxy_set_header X-Forwarded-Proto https"
        )
        places = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        head = f"daemon off; pid {folder}/pid; error_log {self.log} warn; events {{}}"
        (folder / "nginx.conf").write_text(f"{head}\nhttp {{ access_log off; {places}\n{sample}\n}}\n")
        self.process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")])


@pytest.fixture
def desk(tmp_path):
    """A server behind nginx: the proxy, and a client of it that is signed in."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    (tmp_path / "home").mkdir()
    proxy = None
    environ = {"PENDESK_PUBLIC_URL": f"https://{NAME}"}
    with RunningServer(tmp_path / "home" / "data", "--port", str(port), **environ) as server:
        try:
            server.wait_for_file()
            code = pendesk(server.data, "user", "link", **server.environ).strip().partition("code=")[2]
            proxy = Nginx(tmp_path, port)
            headers = {"Host": NAME, "Origin": f"https://{NAME}"}
            with httpx.Client(base_url=f"http://127.0.0.1:{proxy.port}", headers=headers, timeout=60) as http:
                while not answers(http):
                    time.sleep(0.02)
                signed = http.post("/sign-in", data={"code": code})
                http.headers["Cookie"] = "; ".join(
                    cookie.partition(";")[0] for cookie in signed.headers.get_list("set-cookie")
                )
                yield proxy, http
        finally:
            if proxy is not None:
                proxy.process.terminate()
                proxy.process.wait(10)


def answers(http: httpx.Client) -> bool:
    try:
        return http.get("/api/v1/health").status_code == 200
    except httpx.ConnectError:
        return False


def status_for_stranger(port: int, path: str, blocks: int) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(blocks):
            connection.sendall(BLOCK)
        return int(connection.recv(65536)[9:12])


def test_a_stranger_is_refused_and_costs_no_disk(desk):
    proxy, http = desk
    for path in ("/api/v1/projects/import", "/api/v1/attachments", "/mcp"):
        assert (path, status_for_stranger(proxy.port, path, 20_000_000 // 0x10000)) in ((path, 401), (path, 413))
    assert answers(http)
    assert "temporary file" not in proxy.log.read_text()


def test_what_pendesk_takes_goes_through(desk):
    proxy, http = desk
    assert http.post("/api/v1/projects/sample").status_code == 200
    document = http.post("/api/v1/projects/HRB/documents", json={"title": "A page"}).json()["pid"]
    where = {"document_id": document, "name": "a.bin"}
    limit = Limits().attachment_bytes
    assert http.post("/api/v1/attachments", params=where, content=b"x" * limit).status_code == 201
    exported = http.get("/api/v1/projects/HRB/export")
    assert exported.status_code == 200
    assert len(exported.content) > limit
    copy = {"as_copy": "true", "key": "CPY"}
    assert http.post("/api/v1/projects/import", params=copy, content=exported.content).status_code == 201
    with http.stream("GET", "/api/v1/events") as events:
        lines = events.iter_lines()
        assert next(lines) is not None
        response = httpx.post(
            f"http://127.0.0.1:{proxy.port}/api/v1/projects", json={"name": "Live"}, headers=http.headers, timeout=60
        )
        assert response.status_code == 201
        assert any("project.created" in line for line in lines)
    for size in (limit + 1000, 2 * limit):  # beyond Pendesk's own limit, and beyond nginx's too
        refused = http.post("/api/v1/attachments", params=where, content=b"x" * size)
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too_large")
    assert "temporary file" not in proxy.log.read_text()
