"""The real clients get in by OAuth as they do for a person: through the real pages, with nobody at the keyboard."""

import asyncio
import json
import socket
import subprocess
from argparse import Namespace
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.clients.agents import session_arguments, step
from tests.clients.drive.client_session import run_session
from tests.clients.drive.common import client_env, find_client
from tests.clients.drive.form_browser import Browser, Person, authorize
from tests.clients.drive.oauth_login import login
from tests.clients.running import Office, RunningServer

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"


@pytest.fixture
def ada(server: RunningServer) -> str:
    """Her user id. She has a password, and a spec to work on."""
    user: str = server.person("create_user", name="Ada", email=EMAIL)["userId"]
    server.person("set_password", user_pid=user, password=PASSWORD)
    return user


def log_in(
    client: str | None, server: RunningServer, home: Path, *command: str, approves: bool = True, tools: str = ""
) -> bool:
    person = Person(email=EMAIL, password=PASSWORD, approves=approves, presses=(("tools", tools),))
    args = Namespace(
        client=client,
        server="pendesk",
        url=server.mcp,
        home=home,
        client_id=None,
        bin=None,
        timeout=60,
        command=list(command),
    )
    return login(args, lambda url: authorize(Browser(), url, person))


def list_specs(client: str, home: Path) -> bool:
    return can_call("list_available_specs", client, home)


def can_call(tool: str, client: str, home: Path) -> bool:
    """Whether a tool call of the client, with what it keeps in its home folder, reaches the server."""
    log, _finished = run_session(session_arguments(client, home=home), [step(tool)])
    return any(event["event"] == "result" and event["executed"] and not event["is_error"] for event in log)


def grants(server: RunningServer) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = server.person("list_grants", everyone=True)["grants"]
    return listed


def change(server: RunningServer, sql: str) -> None:
    async def run(office: Office) -> None:
        await office.service.dispatcher.store.write(office.owner.workspace_id, lambda tx: tx.run(sql, now=tx.now))

    server.in_office(run)


def test_log_in_work_refresh_silently_and_be_shut_out(server: RunningServer, client: str, ada: str, tmp_path: Path):
    home = tmp_path / "home"
    assert log_in(client, server, home)
    [grant] = grants(server)
    assert (grant["userId"], grant["scopes"]) == (ada, ["specs.read", "builds.write"])
    assert list_specs(client, home)

    # An hour later: the client refreshes by itself, and nobody is asked.
    change(server, "UPDATE tokens SET expires_at = :now WHERE grant_id IS NOT NULL AND workspace_id = :workspace")
    if client == "codex":
        _age_codex_token(home)
    assert list_specs(client, home)
    [later] = grants(server)
    assert later["grantId"] == grant["grantId"]
    assert later["refreshedAt"] > grant["refreshedAt"]

    server.person("revoke_grant", grant_id=grant["grantId"])
    assert not list_specs(client, home)


def test_the_person_gives_it_the_planning_tools_though_it_requested_others(
    server: RunningServer, client: str, ada: str, tmp_path: Path
):
    home = tmp_path / "home"
    assert log_in(client, server, home, tools="plan")
    [grant] = grants(server)
    assert grant["scopes"] == ["desk.read", "desk.write", "specs.write"]
    assert can_call("list_projects", client, home)

    # Neither asks for what it requested at first when it refreshes.
    change(server, "UPDATE tokens SET expires_at = :now WHERE grant_id IS NOT NULL AND workspace_id = :workspace")
    if client == "codex":
        _age_codex_token(home)
    assert can_call("list_projects", client, home)
    [later] = grants(server)
    assert (later["grantId"], later["scopes"]) == (grant["grantId"], grant["scopes"])
    assert later["refreshedAt"] > grant["refreshedAt"]


def _age_codex_token(home: Path) -> None:
    """Codex goes by the expiry that it was told, and asks for no new token after a 401."""
    file = home / ".codex" / ".credentials.json"
    credentials = json.loads(file.read_text())
    for entry in credentials.values():
        entry["expires_at"] = 0
    file.write_text(json.dumps(credentials))


def test_saying_no(server: RunningServer, client: str, ada: str, tmp_path: Path):
    assert not log_in(client, server, tmp_path / "home", approves=False)
    assert grants(server) == []


def test_logging_out_of_claude_ends_the_grant(server: RunningServer, ada: str, tmp_path: Path):
    home = tmp_path / "home"
    assert log_in("claude", server, home)
    assert len(grants(server)) == 1
    command = [find_client("claude"), "mcp", "logout", "pendesk"]
    completed = subprocess.run(command, env=client_env(home), cwd=home, capture_output=True, text=True, timeout=60)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert grants(server) == []


def test_conformance_of_the_authorization_server(server: RunningServer, ada: str, tmp_path: Path):
    command = [find_client("conformance"), "authorization", "--url", server.url, "--client-id", "penling-mcp"]
    command += ["--resource", server.mcp, "-p", str(_free_port())]
    assert log_in(None, server, tmp_path, *command)


def test_the_inspector(server: RunningServer, ada: str, tmp_path: Path):
    command = ["env", f"HOME={tmp_path}", find_client("inspector"), "--cli", server.mcp, "--transport", "http"]
    command += ["--method", "tools/list", "--callback-url", f"http://127.0.0.1:{_free_port()}/oauth/callback"]
    assert log_in(None, server, tmp_path, *command)
    assert len(grants(server)) == 1


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_typescript_sdk(server: RunningServer, ada: str, tmp_path: Path):
    modules = Path(find_client("claude")).absolute().parent.parent
    assert log_in(
        None, server, tmp_path, "node", str(Path(__file__).with_name("sdk_login.mjs")), str(modules), server.mcp
    )
    assert len(grants(server)) == 1


class TokenStore:
    """What the SDK's client keeps between runs."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Callback(BaseHTTPRequestHandler):
    """Where a client listens; the browser says where it was sent."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def callback() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Callback) as listener:
        Thread(target=listener.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listener.server_port}/callback"
        listener.shutdown()


class SdkClient:
    def __init__(self, server: RunningServer, callback: str, storage: TokenStore) -> None:
        metadata = OAuthClientMetadata(client_name="SDK", redirect_uris=[callback])  # type: ignore[list-item]
        self.server = server
        self.visits = 0
        self.provider = OAuthClientProvider(server.mcp, metadata, storage, self._visit, self._come_back)

    async def _visit(self, url: str) -> None:
        self.visits += 1
        person = Person(email=EMAIL, password=PASSWORD)
        self.back = await asyncio.to_thread(authorize, Browser(), url, person)

    async def _come_back(self) -> AuthorizationCodeResult:
        result = parse_qs(urlsplit(self.back).query)
        return AuthorizationCodeResult(code=result["code"][0], state=result["state"][0], iss=result["iss"][0])

    async def tools(self) -> int:
        async with (
            httpx2.AsyncClient(auth=self.provider) as http,
            Client(streamable_http_client(self.server.mcp, http_client=http)) as client,
        ):
            return len((await client.list_tools()).tools)


async def test_the_python_sdk(server: RunningServer, ada: str, callback: str):
    storage = TokenStore()
    client = SdkClient(server, callback, storage)
    assert await client.tools() == 13
    first = storage.tokens
    client.provider.context.token_expiry_time = 1.0
    assert await client.tools() == 13  # refreshed by itself
    assert storage.tokens != first
    assert client.visits == 1
    later = SdkClient(server, callback, storage)
    assert await later.tools() == 13
    assert later.visits == 0
