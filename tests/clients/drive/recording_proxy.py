"""A loopback proxy in front of a server that keeps the headers of each request."""

from __future__ import annotations

import json
from email.message import Message
from typing import NamedTuple

from tests.clients.drive.authproxy import AuthProxy
from tests.clients.drive.scripted_model import Json

PREFIX = "x-pendesk-"


class RecordedRequest(NamedTuple):
    path: str
    headers: dict[str, str]
    message: Json  # of MCP; empty for other requests

    @property
    def marks(self) -> dict[str, str]:
        """The headers that tell agent sessions apart, without their prefix."""
        return {name.removeprefix(PREFIX): value for name, value in self.headers.items() if name.startswith(PREFIX)}

    @property
    def tool(self) -> str | None:
        name: str | None = self.message.get("params", {}).get("name") if self.message else None
        return name

    @property
    def is_of_our_command_line(self) -> bool:
        return self.headers["user-agent"].startswith("pendesk-cli/")


class RecordingProxy(AuthProxy):
    def __init__(self, target: str) -> None:
        super().__init__(0, target, None)
        self.requests: list[RecordedRequest] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def record(self, path: str, headers: Message, body: bytes | None) -> None:
        message = json.loads(body) if body and path == "/mcp" else {}
        lower_case = {name.lower(): value for name, value in headers.items()}
        self.requests.append(RecordedRequest(path.partition("?")[0], lower_case, message))
