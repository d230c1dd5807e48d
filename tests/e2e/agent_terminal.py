"""A terminal of Claude Code as the server sees it: calls by REST, and hooks by MCP, of one session of the client."""

import json
from typing import Any

import httpx

from tests.e2e.app import App


class AgentTerminal:
    def __init__(self, app: App, session: str, client: str = "claude-code") -> None:
        self._url, self._session, self._client = app.server.url, session, client
        self._headers = {"authorization": f"Bearer {app.token}", "x-pendesk-machine": "ada-laptop"}

    def call(self, method: str, path: str, **fields: Any) -> dict[str, Any]:
        marks = {"x-pendesk-client-session": self._session, "x-pendesk-client": self._client}
        headers = {**self._headers, **marks}
        answer = httpx.request(method, f"{self._url}/api/v1{path}", json=fields, headers=headers, timeout=30)
        assert answer.status_code < 300, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def hook(self, event: str, **arguments: str) -> dict[str, Any]:
        """What the client reads of the answer."""
        headers = {**self._headers, "x-pendesk-client": self._client, "accept": "application/json, text/event-stream"}
        params = {"name": "session_event", "arguments": {"event": event, "session": self._session, **arguments}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = httpx.post(f"{self._url}/mcp", json=body, headers=headers, timeout=30)
        assert answer.status_code == 200, answer.text
        read: dict[str, Any] = json.loads(answer.json()["result"]["content"][0]["text"])
        return read
