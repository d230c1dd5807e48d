"""A client and a browser that walk through an authorization by HTTP."""

import base64
import hashlib
import html
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.sites import SAME
from tests.transports.served import Served

BACK = "http://127.0.0.1:5000/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PASSWORD = "correct horse battery"


class Walk:
    def __init__(self, served: Served) -> None:
        self.served = served
        self.http = served.http
        self.url = served.service.installation.public_url

    async def call(self, operation: str, **arguments: Any) -> Any:
        return await self.served.service.dispatcher.call(self.served.owner, operation, arguments)

    async def register(self, *uris: str, **fields: Any) -> str:
        told = {"client_name": "Some agent", "redirect_uris": list(uris) or [BACK], **fields}
        answer = await self.http.post("/oauth/register", json=told)
        assert answer.status_code == 201, answer.text
        client_id: str = answer.json()["client_id"]
        return client_id

    def asking(self, client_id: str, /, **changes: str | None) -> dict[str, str]:
        """The parameters of a good request, with changes; None leaves one out."""
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": BACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "st&te=1",
            "scope": "specs.read builds.write",
            "resource": f"{self.url}/mcp",
            **changes,
        }
        return {name: value for name, value in asked.items() if value is not None}

    async def sign_in(self) -> None:
        code = (await self.served.link()).partition("code=")[2]
        answer = await self.http.post("/sign-in", data={"code": code})
        assert answer.status_code == 303

    async def authorize(self, client_id: str, **changes: str | None) -> httpx.Response:
        return await self.http.get("/oauth/authorize", params=self.asking(client_id, **changes))

    async def decide(self, page: httpx.Response, decision: str = "allow", **changes: str) -> httpx.Response:
        fields = {**hidden(page), "decision": decision, **changes}
        return await self.http.post(action(page), data=fields, headers=SAME)

    async def code(self, client_id: str, **changes: str | None) -> str:
        back = await self.decide(await self.authorize(client_id, **changes))
        return sent_back(back)["code"]

    async def redeem(self, client_id: str, code: str, /, **changes: str) -> httpx.Response:
        sent = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": client_id,
            "redirect_uri": BACK,
            "code_verifier": VERIFIER,
            **changes,
        }
        return await self.http.post("/oauth/token", data=sent)

    async def tokens(self, client_id: str, **changes: str | None) -> dict[str, Any]:
        answer = await self.redeem(client_id, await self.code(client_id, **changes))
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def refresh(self, client_id: str, secret: str, /, **changes: str) -> httpx.Response:
        sent = {"grant_type": "refresh_token", "refresh_token": secret, "client_id": client_id, **changes}
        return await self.http.post("/oauth/token", data=sent)

    async def mcp(self, secret: str | None, method: str = "tools/list") -> httpx.Response:
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        return await self.http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": method}, headers=headers)


def hidden(page: httpx.Response) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
    options = re.findall(r'<option value="([^"]+)">', page.text)
    return {name: html.unescape(value) for name, value in found} | ({"workspace": options[0]} if options else {})


def action(page: httpx.Response) -> str:
    found = re.search(r'<form method="post" action="([^"]+)">', page.text)
    assert found is not None, page.text
    return html.unescape(found[1])


def sent_back(answer: httpx.Response, to: str = BACK) -> dict[str, str]:
    """What the browser carries to the client's address."""
    assert answer.status_code == 303, answer.text
    location = answer.headers["location"]
    assert location.startswith(f"{to}?"), location
    return dict(parse_qsl(urlsplit(location).query))
