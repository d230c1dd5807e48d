"""After every way in, of a real server: nothing usable lies in its data folder or in its log."""

import base64
import hashlib
import html
import re
import subprocess
import sys
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import apsw
import httpx
import msgspec

from pendesk.operations.proposals.results import DraftSaved
from pendesk.operations.registry import OPERATIONS
from tests.e2e.server import RunningServer, pendesk
from tests.sites import SAME

BACK = "http://127.0.0.1:5000/callback"
VERIFIER = "verifier" * 8
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PASSWORDS = ["the first long password", "the second long password", "a wrong long password"]


class Visit:
    """A browser at the server. What is handed out, or typed, is kept in `secrets` under what it is."""

    def __init__(self, server: RunningServer, secrets: dict[str, str]) -> None:
        self.http = httpx.Client(base_url=server.url, headers=SAME)
        self.secrets = secrets

    def post(self, path: str, **form: str) -> httpx.Response:
        answer = self.http.post(path, data=form)
        for name, value in self.http.cookies.items():
            self.secrets[f"{name} {len(self.secrets)}"] = value
        return answer

    def authorize(self) -> dict[str, Any]:
        """The whole walk of a client: registration, consent, code, tokens."""
        metadata = {"client_name": "An agent", "redirect_uris": [BACK]}
        client = self.http.post("/oauth/register", json=metadata).json()["client_id"]
        query = {
            "response_type": "code",
            "client_id": client,
            "redirect_uri": BACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "the client's state",
        }
        page = self.http.get("/oauth/authorize", params=query).text
        fields = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)">', page)}
        self.secrets["ticket"] = fields["ticket"]
        back = self.post("/oauth/authorize", **{**fields, "decision": "allow"})
        self.secrets["code"] = dict(parse_qsl(urlsplit(back.headers["location"]).query))["code"]
        redeemed = {"code": self.secrets["code"], "redirect_uri": BACK, "code_verifier": VERIFIER}
        first = self._token(client, grant_type="authorization_code", **redeemed)
        second = self._token(client, grant_type="refresh_token", refresh_token=first["refresh_token"])
        # Redeemed twice: refused, and revoked.
        self.http.post("/oauth/token", data={"grant_type": "authorization_code", "client_id": client, **redeemed})
        device = self.http.post("/oauth/device_authorization", data={"client_id": client}).json()
        self.secrets |= {"device code": device["device_code"], "user code": device["user_code"]}
        self.secrets["user code as typed"] = device["user_code"].replace("-", "")
        return second

    def _token(self, client: str, **sent: str) -> dict[str, Any]:
        body: dict[str, Any] = self.http.post("/oauth/token", data={"client_id": client, **sent}).json()
        for name in ("access_token", "refresh_token"):
            self.secrets[f"{name} {len(self.secrets)}"] = body[name]
        return body


def code_of(link: str) -> str:
    return link.strip().partition("code=")[2]


def set_password(data: Any, email: str, password: str) -> None:
    command = [sys.executable, "-m", "pendesk", "--data", str(data), "user", "password", email, "--password-stdin"]
    subprocess.run(command, input=password, text=True, check=True, capture_output=True)


def misplace(server: RunningServer, secret: str) -> None:
    """Where a careless client puts a token: each place may end in a log."""
    for path in (f"/mcp?token={secret}", f"/{secret}", f"/api/v1/actions/{secret}/test-reports", f"/static/{secret}"):
        httpx.post(server.url + path, headers={"authorization": f"Token {secret}", "x-token": secret})
    httpx.post(f"{server.url}/mcp", content=f"{{{secret}", headers={"authorization": f"Bearer {secret}"})
    arguments = {"action_pid": secret[:60], "status": secret, "message": secret}
    call = {"name": "update_progress", "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    httpx.post(f"{server.url}/mcp", json=body, headers={"authorization": f"Bearer {secret}"})


def open_link(link: str) -> None:
    """As a browser does, also when it reloads: the address is the secret, and comes again as the referrer."""
    httpx.get(link, headers={"referer": link})
    httpx.post(link, headers={"referer": link, **SAME})


def test_nothing_usable_lies_in_the_data_folder_or_in_the_log(tmp_path):
    data = tmp_path / "data"
    secrets = dict(zip(("password", "new password", "wrong password"), PASSWORDS, strict=True))
    secrets["verifier"] = VERIFIER
    with RunningServer(data) as server:
        server.ready()
        owner, ada = Visit(server, secrets), Visit(server, secrets)
        secrets["link"] = code_of(server.link)
        assert owner.post("/sign-in", code=secrets["link"]).status_code == 303
        for name, command in (("unused link", ["link"]), ("unused invite", ["invite", "eve@example.com"])):
            link = pendesk(data, "user", *command).strip()
            secrets[name] = code_of(link)
            open_link(link)
        secrets["invite"] = code_of(pendesk(data, "user", "invite", "ada@example.com"))
        joined = ada.post("/invite", code=secrets["invite"], name="Ada", password=PASSWORDS[0])
        assert joined.status_code == 303
        set_password(data, "ada@example.com", PASSWORDS[1])
        for password in (PASSWORDS[2], PASSWORDS[0], PASSWORDS[1]):
            entered = ada.post("/sign-in", email="ada@example.com", password=password)
        assert entered.status_code == 303
        # Typed into the wrong field, as people do.
        ada.post("/sign-in", email=PASSWORDS[2], password="x")
        tokens = ada.authorize()
        created = pendesk(data, "--json", "token", "create", "--name", "x", "--user", "ada@example.com")
        secrets["personal token"] = msgspec.json.decode(created)["token"]
        for secret in (secrets["personal token"], tokens["access_token"]):
            misplace(server, secret)
        ada.post("/sign-out")
        owner.http.close()
        ada.http.close()
        assert server.stop() == 0
    secrets["signing key"] = (data / "secret.key").read_text().strip()
    assert len(set(secrets.values())) > 15
    _search(data, server.out + server.log, secrets)


def _search(data: Any, log: str, secrets: dict[str, str]) -> None:
    database = apsw.Connection(str(data / "pendesk.sqlite3"))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    files = {path: path.read_bytes() for path in data.rglob("*") if path.is_file() and path.name != "secret.key"}
    assert b"session.started" in files[data / "pendesk.sqlite3"]
    assert "/oauth/token" in log
    for name, secret in secrets.items():
        for path, content in files.items():
            assert secret.encode() not in content, f"the {name} lies in {path}"
        assert secret not in log, f"the {name} was logged"


def test_no_answer_with_a_secret_is_remembered():
    """An answer that is kept for an idempotency key would be kept as it is."""
    for operation in OPERATIONS:
        if operation.output is DraftSaved:
            continue  # its url is the page where a person decides, signed in
        fields = set(operation.output.__struct_fields__)
        if fields & {"token", "secret", "url", "code", "password"}:
            assert "idempotency_key" not in operation.input.__struct_fields__, operation.name
