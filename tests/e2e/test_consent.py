"""The consent page in a real browser: its policy lets the redirect to the program through, and nothing else.

Browsers hold `form-action` against the redirect that answers a form, so this cannot be seen without one.
"""

import http.server
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, sync_playwright

from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer
from tests.operations.oauth.granting import CHALLENGE, VERIFIER

PASSWORD = "correct horse battery"


class Program:
    """What a client's callback hears."""

    def __init__(self, host: str) -> None:
        heard = self.heard = []  # type: list[str]

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"You can close this page.")

            def log_message(self, *_args: object) -> None:
                pass

        class Server(http.server.HTTPServer):
            address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

        self.server = Server((host.strip("[]"), 0), Handler)
        self.address = f"http://{host}:{self.server.server_port}/callback"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def callback_query(self) -> dict[str, str]:
        [path] = [path for path in self.heard if path.startswith("/callback")]
        return {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}


@contextmanager
def browsing(data: Path) -> Iterator[tuple[RunningServer, Page, list[str]]]:
    command = [sys.executable, "-m", "pendesk", "init", "--data", str(data), "--email", "ada@example.com"]
    environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent)}
    command.append("--password-stdin")
    subprocess.run(command, input=PASSWORD, text=True, check=True, env=environ, capture_output=True)
    with RunningServer(data) as server, sync_playwright() as playwright:
        server.ready()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        yield server, page, complaints
        browser.close()


def asking(server: RunningServer, back: str, **changes: str) -> str:
    query = {
        "response_type": "code",
        "client_id": "penling-mcp",
        "redirect_uri": back,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "xyz",
        **changes,
    }
    return f"{server.url}/oauth/authorize?{urlencode(query)}"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_signing_in_agreeing_and_going_back(tmp_path, host):
    try:
        program = Program(host)
    except OSError:
        pytest.skip(f"this machine has no {host}")
    with browsing(tmp_path / "data") as (server, page, complaints):
        page.goto(asking(server, program.address))
        page.get_by_label("Email").fill("ada@example.com")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("heading", name="Authorize this program?").wait_for()
        assert program.address.removeprefix("http://").removesuffix("/callback") in page.content()
        page.get_by_role("button", name="Allow").click()
        page.get_by_text("You can close this page.").wait_for()
        callback = program.callback_query()
        assert (callback["state"], callback["iss"]) == ("xyz", server.url)
        sent = {
            "grant_type": "authorization_code",
            "code": callback["code"],
            "client_id": "penling-mcp",
            "redirect_uri": program.address,
            "code_verifier": VERIFIER,
        }
        answer = httpx.post(f"{server.url}/oauth/token", data=sent)
        assert answer.status_code == 200
        assert [text for text in complaints if "favicon" not in text] == []


def test_saying_no_and_being_asked_again(tmp_path):
    program = Program("127.0.0.1")
    with browsing(tmp_path / "data") as (server, page, complaints):
        page.goto(server.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.goto(asking(server, program.address))
        page.get_by_role("button", name="Deny").click()
        page.get_by_text("You can close this page.").wait_for()
        assert program.callback_query()["error"] == "access_denied"
        page.goto(asking(server, program.address))
        page.get_by_role("heading", name="Authorize this program?").wait_for()
        page.go_back()
        assert complaints == []


def test_another_page_can_neither_frame_nor_answer_it(tmp_path):
    """A page of another origin tries what it can while its reader is signed in."""
    program = Program("127.0.0.1")
    with browsing(tmp_path / "data") as (server, page, _complaints):
        page.goto(server.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        address = asking(server, program.address)
        page.goto(address)
        ticket = page.locator('input[name="ticket"]').get_attribute("value")
        workspace = page.locator('input[name="workspace"]').get_attribute("value")
        page.goto(program.address.replace("/callback", "/evil"))
        page.set_content(f'<iframe id="f" src="{address}"></iframe>')
        page.wait_for_timeout(500)
        framed = page.frames[1].evaluate("document.documentElement.innerText") if len(page.frames) > 1 else ""
        assert "Authorize this program?" not in framed
        page.set_content(
            f'<form method="post" action="{server.url}/oauth/authorize"><input name="ticket" value="{ticket}">'
            f'<input name="workspace" value="{workspace}"><input name="decision" value="allow">'
            "<button>Win</button></form>"
        )
        page.get_by_role("button", name="Win").click()
        page.get_by_text("sent by another site").wait_for()
        assert not [path for path in program.heard if path.startswith("/callback")]


def test_the_device_page(tmp_path):
    with browsing(tmp_path / "data") as (server, page, complaints):
        started = httpx.post(f"{server.url}/oauth/device_authorization", data={"client_id": "penling-mcp"}).json()
        page.goto(server.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.goto(started["verification_uri_complete"])
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("button", name="Allow").click()
        page.get_by_role("heading", name="Access granted").wait_for()
        grant = "urn:ietf:params:oauth:grant-type:device_code"
        sent = {"grant_type": grant, "device_code": started["device_code"], "client_id": "penling-mcp"}
        assert httpx.post(f"{server.url}/oauth/token", data=sent).status_code == 200
        assert complaints == []
