"""A server as its agents see it: MCP and REST over HTTP with a token, with the standard library alone."""

import json
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException
from typing import Any

from pendesk import __version__
from pendesk.cli.parts.agent_marks import AgentMarks, find_agent_marks

PROTOCOL = "2026-07-28"
TIMEOUT_S = 10.0
UPLOAD_TIMEOUT_S = 60.0  # of what the server has to read before it answers
MAX_BYTES = 10_000_000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
USER_AGENT = f"pendesk-cli/{__version__}"
_META = "io.modelcontextprotocol"


class ServerUnreachable(Exception):
    """No response, or not from Pendesk."""


class CallRefused(Exception):
    """The server refused the call; `error` is the error of its response."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message", "The server refused."))
        self.error = error

    @property
    def http_status(self) -> int:
        return int(self.error.get("status", 0))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is sent to its own server only."""

    def redirect_request(self, *_args: Any) -> None:
        return None


class RemoteClient:
    def __init__(
        self, url: str, token: str | None = None, timeout_s: float = TIMEOUT_S, marks: AgentMarks | None = None
    ) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._mark_headers = (marks or find_agent_marks()).headers() if token else {}
        self.date: str | None = None  # of the last response, by the server's clock
        self._timeout_s = timeout_s
        direct = urllib.parse.urlsplit(self.url).hostname in LOOPBACK
        handlers = [urllib.request.ProxyHandler({})] if direct else []
        self._open = urllib.request.build_opener(_NoRedirect, *handlers).open

    def as_session(self, name: str) -> "RemoteClient":
        """The same token as a session of its own: what it reads is no other session's news."""
        return RemoteClient(self.url, self._token, self._timeout_s, AgentMarks(session=name))

    @property
    def has_token(self) -> bool:
        return self._token is not None

    def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = self._call_mcp("tools/call", {"name": name, "arguments": arguments})
        content: dict[str, Any] = result.get("structuredContent") or {}
        if result.get("isError"):
            raise CallRefused(content.get("error", {}))
        return content

    def list_tools(self) -> list[dict[str, Any]]:
        tools: list[dict[str, Any]] = self._call_mcp("tools/list", {})["tools"]
        return tools

    def get(self, path: str, **query: str | None) -> dict[str, Any]:
        query_text = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        return self._send(urllib.request.Request(f"{self.url}{path}{'?' if query_text else ''}{query_text}"))  # noqa: S310

    def post_form(self, path: str, **fields: str) -> dict[str, Any]:
        body = urllib.parse.urlencode(fields).encode()
        return self._send(urllib.request.Request(f"{self.url}{path}", body))  # noqa: S310

    def post_json(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.url}{path}", json.dumps(content).encode())  # noqa: S310
        request.add_header("Content-Type", "application/json")
        return self._send(request)

    def post_file(self, path: str, content: bytes, media_type: str, **query: str) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.url}{path}?{urllib.parse.urlencode(query)}", content)  # noqa: S310
        request.add_header("Content-Type", media_type)
        return self._send(request)

    def _call_mcp(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        meta = {f"{_META}/protocolVersion": PROTOCOL, f"{_META}/clientCapabilities": {}}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        request = urllib.request.Request(f"{self.url}/mcp", json.dumps(message).encode())  # noqa: S310
        request.add_header("Content-Type", "application/json")
        request.add_header("MCP-Protocol-Version", PROTOCOL)
        request.add_header("Mcp-Method", method)
        if "name" in params:
            request.add_header("Mcp-Name", params["name"])
        response = self._send(request)
        if "error" in response:
            raise CallRefused(response["error"])
        result: dict[str, Any] = response["result"]
        return result

    def _send(self, request: urllib.request.Request) -> dict[str, Any]:
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", USER_AGENT)
        for name, value in self._mark_headers.items():
            request.add_header(name, value)
        if self._token:
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with self._open(request, timeout=self._timeout_s) as response:
                content = response.read(MAX_BYTES)
                self.date = response.headers.get("date")
        except urllib.error.HTTPError as error:
            raise CallRefused(_error_body(error)) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise ServerUnreachable(f"{self.url} does not answer: {reason}") from None
        return _decode_json_object(content, self.url)


def _decode_json_object(content: bytes, url: str) -> dict[str, Any]:
    try:
        value = json.loads(content) if content else {}
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ServerUnreachable(f"{url} answers, but it is not Pendesk. Check the URL")
    return value


def _error_body(error: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        body = json.loads(error.read(MAX_BYTES))
        details = body["error"]
    except (ValueError, KeyError, TypeError, OSError):
        body, details = {}, {}
    if isinstance(details, str):  # an OAuth error
        details = {"code": details, "message": body.get("error_description", details)}
    return {"message": f"HTTP {error.code}", **details, "status": error.code}
