import concurrent.futures
import contextlib
import json
import re
import signal
import subprocess
import sys
import time

import apsw
import httpx
import pytest

from tests.e2e.server import AtTerminal, RunningServer, own_port, pendesk


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def sign_in():
    """As a browser does: open the link, press the button."""
    with contextlib.ExitStack() as browsers:

        def sign_in(link):
            browser = browsers.enter_context(httpx.Client())
            match = re.search(r'name="code" value="([^"]+)"', browser.get(link).text)
            return browser, browser.post(link.partition("?")[0], data={"code": match and match[1]})

        yield sign_in


def test_from_nothing_to_signed_in(data, sign_in):
    with RunningServer(data) as server:
        server.ready()
        assert server.get("/api/v1/health").json() == {"ok": True}
        assert server.out.count("http://") == 1
        browser, answer = sign_in(server.link)
        assert answer.status_code == 303
        assert "<h1>Inbox</h1>" in browser.get(server.url + "/").text
        assert sign_in(server.link)[1].status_code == 403
        content = server.server_file()
        assert (content["url"], content["pid"], content["port"]) == (server.url, server.process.pid, server.port)
        assert pendesk(data, "user", "link").startswith(server.url)
        code = server.link.partition("code=")[2]
        assert server.stop() == 0
        assert code not in server.log + server.out
        assert "?" not in server.log
        assert not (data / "server.json").exists()
    lines = [json.loads(line) for line in server.log.splitlines()]
    assert {"POST /sign-in 303", "GET /api/v1/health 200"} <= {line["message"] for line in lines}


def first_line(server):
    """What it says in JSON."""
    deadline = time.monotonic() + 30
    while not server.read().endswith("\n") and time.monotonic() < deadline:
        time.sleep(0.02)
    return json.loads(server.out)


def links_made(data):
    with contextlib.closing(apsw.Connection(str(data / "pendesk.sqlite3"))) as database:
        return database.execute("SELECT count(*) FROM sign_in_links").get


def test_a_terminal_shows_a_link_until_somebody_has_signed_in(data, sign_in):
    with AtTerminal(data) as first:
        link = re.search(r"Sign in +(http://\S+)", first.ready().out)
        assert link is not None
        first.stop()
    with AtTerminal(data, "--port", "0", "--json") as second:
        line = first_line(second)
        assert sign_in(f"{line['url']}sign-in?{link[1].partition('?')[2]}")[1].status_code == 303
        assert "/sign-in?code=" in line["signIn"]
        second.stop()
    before = links_made(data)
    with AtTerminal(data) as third:
        assert "Sign in  pendesk user link" in third.ready().out
        assert "code=" not in third.out
        third.stop()
    assert links_made(data) == before


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (RunningServer, ("--port", "0")),
        (RunningServer, ("--port", "0", "--json")),
        (RunningServer, ("--port", "0", "--quiet")),
        (AtTerminal, ("--port", "0", "--quiet")),
    ],
)
def test_what_nobody_is_shown_is_not_made(data, kind, arguments):
    """Journals and containers' logs keep what is printed, and are read by more people than may sign in."""
    with kind(data, *arguments) as server:
        while not (data / "server.json").exists() and server.process.poll() is None:
            time.sleep(0.02)
        server.stop()
    assert ("pendesk user link" in server.out) == (arguments == ("--port", "0"))
    assert "code=" not in server.out + server.log
    assert "signIn" not in server.out
    assert links_made(data) == 0


def test_open_gives_the_link_to_the_browser_alone(data, tmp_path, sign_in):
    opened = tmp_path / "opened"
    browser = tmp_path / "bin/xdg-open"
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > {opened}.draft && mv {opened}.draft {opened}\n')
    browser.chmod(0o755)
    for _ in range(2):  # it was asked for, so also when somebody has signed in
        with AtTerminal(data, "--port", "0", "--open", PATH=f"{browser.parent}:/usr/bin:/bin") as server:
            server.ready()
            while not opened.exists():
                time.sleep(0.02)
            assert sign_in(opened.read_text().strip())[1].status_code == 303
            opened.unlink()
            server.stop()
        assert "code=" not in server.out + server.log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_finishes_what_is_under_way(data, number):
    with RunningServer(data) as server, server.ready().connect() as half:
        body = b"code=x"
        head = f"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {len(body)}\r\n\r\n"
        half.sendall(head.encode())
        time.sleep(0.3)
        server.process.send_signal(number)
        time.sleep(0.5)
        assert server.process.poll() is None
        half.sendall(body)
        assert half.recv(100_000).startswith(b"HTTP/1.1 403")
        assert server.process.wait(10) == 0
    assert "Traceback" not in server.log


def test_signals_that_others_reopen_logs_with_do_not_end_it(data):
    with RunningServer(data) as server:
        server.ready()
        for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
            server.process.send_signal(number)
            assert server.get("/api/v1/health").json() == {"ok": True}
        assert server.stop() == 0
    assert [f"SIG{name} does nothing here" in server.log for name in ("HUP", "USR1", "USR2")] == [True] * 3


def test_it_stops_in_order_when_its_terminal_is_gone(data):
    with AtTerminal(data) as server:
        server.ready()
        assert server.stop(signal.SIGHUP) == 0
    assert not (data / "server.json").exists()
    assert "Stopped." in server.out


def test_it_stops_and_starts_again_on_the_same_port(data):
    with RunningServer(data, "--port", own_port()) as server:
        port = str(server.ready().port)
        assert server.stop() == 0
    for _ in range(2):
        with RunningServer(data, "--port", port) as server:
            server.ready()
            server.stop()


def test_after_kill_9_it_starts_and_has_everything(data, sign_in):
    with RunningServer(data, "--port", own_port()) as server:
        server.ready()
        browser, _ = sign_in(server.link)
        token = pendesk(data, "token", "create", "--name", "kept").strip()
        port = str(server.port)
        server.process.kill()
        server.process.wait()
    assert (data / "server.json").exists()
    with RunningServer(data, "--port", port) as server:
        server.ready()
        assert "<h1>Inbox</h1>" in browser.get(server.url + "/").text
        assert "kept" in pendesk(data, "token", "list")
        answer = httpx.post(server.url + "/mcp", headers={"authorization": f"Bearer {token}"}, json={})
        assert answer.status_code != 401
        assert pendesk(data, "doctor")
        server.stop()


def test_a_second_server_on_the_port_says_so(data, tmp_path):
    with RunningServer(data) as server:
        port = str(server.ready().port)
        with RunningServer(tmp_path / "other", "--port", port) as second:
            assert second.process.wait(20) == 1
        assert "in use by another program" in second.log
        assert "--port 0" in second.log
        assert "Traceback" not in second.log
        with RunningServer(tmp_path / "other", "--port", "0") as third:
            assert third.ready().port != server.port
            third.stop()
        assert server.get("/api/v1/health").status_code == 200


def test_a_revoked_token_and_a_removed_member_are_out_at_once(data):
    with RunningServer(data) as server:
        server.ready()
        created = json.loads(pendesk(data, "token", "create", "--name", "x", "--json"))
        bearer = {"authorization": f"Bearer {created['token']}"}
        assert httpx.post(server.url + "/mcp", headers=bearer, json={}).status_code != 401
        pendesk(data, "token", "revoke", created["tokenId"])
        answer = httpx.post(server.url + "/mcp", headers=bearer, json={})
        assert answer.status_code == 401
        assert "resource_metadata=" in answer.headers["www-authenticate"]
        server.stop()
    assert created["token"] not in server.log


def test_json_and_quiet(data):
    with RunningServer(data, "--port", "0", "--json") as server:
        line = first_line(server)
        assert httpx.get(line["url"] + "api/v1/health").json() == {"ok": True}
        server.stop()
    with RunningServer(data, "--port", "0", "--quiet") as server:
        while not (data / "server.json").exists():
            time.sleep(0.02)
        server.stop()
    assert server.out == ""


def test_a_world_readable_umask_does_not_matter(data):
    script = "import os, sys; os.umask(0); sys.argv[0] = 'pendesk'; from pendesk.cli import main; main()"
    environ = {"PENDESK_DATA": str(data), "HOME": str(data.parent)}
    subprocess.run([sys.executable, "-c", script, "init"], env=environ, check=True, capture_output=True)
    assert all(file.stat().st_mode & 0o077 == 0 for file in [data, *data.iterdir()])


def test_of_four_processes_that_start_at_once_on_one_sqlite_file_one_serves(data, sign_in):
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(RunningServer(data)) for _ in range(4)]
        while sum(server.process.poll() is None for server in servers) > 1:
            time.sleep(0.02)
        (serving,) = (server for server in servers if server.process.poll() is None)
        assert sign_in(serving.ready().link)[1].status_code == 303
        assert serving.stop() == 0
        others = [server for server in servers if server is not serving]
        assert all("PENDESK_DATABASE_URL" in server.read() + server.log for server in others)


def test_four_processes_start_at_once_on_one_postgresql(postgres, data, sign_in):
    where = {"PENDESK_DATABASE_URL": postgres.create_database("together")}
    servers = [RunningServer(data, **where) for _ in range(4)]
    try:
        for server in servers:
            server.__enter__()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(RunningServer.ready, servers))
        assert len({server.port for server in servers}) == 4
        assert all(server.get("/api/v1/health").json() == {"ok": True} for server in servers)
        # A link of one signs in at another, once.
        link = servers[0].link.replace(servers[0].url, servers[3].url)
        assert sign_in(link)[1].status_code == 303
        assert sign_in(servers[0].link)[1].status_code == 403
        assert [server.stop() for server in servers] == [0, 0, 0, 0]
        assert sum("A new workspace" in server.out for server in servers) == 1
    finally:
        for server in servers:
            server.__exit__(None, None, None)
        postgres.drop_database("together")


def test_another_secret_on_the_same_database_does_not_start(postgres, tmp_path):
    url = postgres.create_database("secrets")
    try:
        with RunningServer(tmp_path / "one", PENDESK_DATABASE_URL=url) as server:
            server.ready().stop()
        with RunningServer(tmp_path / "two", PENDESK_DATABASE_URL=url) as server:
            assert server.process.wait(20) == 1
        assert "PENDESK_SECRET_KEY" in server.log
        assert "Traceback" not in server.log
    finally:
        postgres.drop_database("secrets")
