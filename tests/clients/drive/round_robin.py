"""A loopback proxy that hands the requests of one address to several servers in turn, as a load balancer does."""

from __future__ import annotations

import http.client
import json
from email.message import Message
from itertools import cycle
from threading import local
from urllib.parse import urlsplit

from tests.clients.drive.authproxy import AuthProxy


class RoundRobin(AuthProxy):
    """`served` lists the tool calls, each with the number of the server that got it."""

    def __init__(self) -> None:
        super().__init__(0, "", None)
        self.served: list[tuple[str, int]] = []
        self._servers: list[str] = []
        self._this_request = local()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def lead_to(self, servers: list[str]) -> None:
        self._servers = servers
        self._turns = cycle(range(len(servers)))

    def record(self, path: str, headers: Message, body: bytes | None) -> None:
        self._this_request.server = next(self._turns)
        message = json.loads(body) if body and path == "/mcp" else {}
        if message.get("method") == "tools/call":
            self.served.append((message["params"]["name"], self._this_request.server))

    def connect(self) -> http.client.HTTPConnection:
        target = urlsplit(self._servers[self._this_request.server])
        return http.client.HTTPConnection(target.hostname or "", target.port, timeout=60)

    def retarget(self, value: str) -> str:
        """Keep the address that the client knows: it is the servers' public one."""
        return value
