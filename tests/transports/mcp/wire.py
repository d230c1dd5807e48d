"""Speaking to /mcp at the wire, in either era."""

from typing import Any, NamedTuple

import httpx
import msgspec

from pendesk import clock
from pendesk.domain.access import Actor
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.operation import encode_json
from tests.transports.served import Served

MODERN, LEGACY = "2026-07-28", "2025-11-25"
ERAS = [MODERN, LEGACY]
BUILDING = ["specs.read", "builds.write"]
PREFIX = "io.modelcontextprotocol/"

Json = dict[str, Any]


def meta(**capabilities: Json) -> Json:
    """`params._meta` of the stateless era."""
    return {f"{PREFIX}protocolVersion": MODERN, f"{PREFIX}clientCapabilities": capabilities}


def message(era: str, method: str, message_id: Any = 1, **params: Any) -> tuple[Json, dict[str, str]]:
    """A rightly formed request: its body and its headers."""
    headers = {"MCP-Protocol-Version": era}
    if era == MODERN:
        params = {"_meta": meta(), **params}
        headers["Mcp-Method"] = method
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
    return {"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}, headers


class Wire(NamedTuple):
    http: httpx.AsyncClient
    token: str
    era: str = MODERN

    async def post(self, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        if isinstance(body, bytes):
            return await self.http.post("/mcp", content=body, headers=sent)
        return await self.http.post("/mcp", json=body, headers=sent)

    async def ask(self, method: str, **params: Any) -> httpx.Response:
        return await self.post(*message(self.era, method, **params))

    async def result(self, method: str, **params: Any) -> Json:
        answer = await self.ask(method, **params)
        assert answer.status_code == 200, answer.text
        result: Json = answer.json()["result"]
        return result

    async def call(self, tool: str, **arguments: Any) -> Json:
        return await self.result("tools/call", name=tool, arguments=arguments)


async def token_of(served: Served, *scopes: str, user_pid: str | None = None) -> str:
    args = {"name": "test", "scopes": list(scopes) or BUILDING, "user_pid": user_pid}
    token = await served.service.dispatcher.call(served.owner, "create_token", args)
    secret: str = token.token  # type: ignore[attr-defined]
    return secret


class People:
    """The workspace's people, through the dispatcher of a server in this process."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self.owner = served.owner

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> Json:
        answer = await self._served.service.dispatcher.call(actor, operation, arguments)
        read: Json = msgspec.json.decode(encode_json(answer))
        return read

    async def does(self, operation: str, **arguments: Any) -> Json:
        return await self.call(self.owner, operation, **arguments)

    async def attach(self, spec_pid: str, name: str, content: bytes) -> Json:
        service = self._served.service
        with service.files.start_upload(len(content)) as upload:
            upload.write(content)
            received = upload.save()
        receipt = make_signed_file_receipt(service.installation, self.owner, received, clock.now_us())
        return await self.does("put_attachment", spec_pid=spec_pid, name=name, receipt=receipt)
