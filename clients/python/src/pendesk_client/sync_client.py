"""The sync client, which waits for each response."""
# Generated from async_client.py by scripts/write_client.py: run `make client` instead of editing it.

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2 as httpx

from pendesk_client.errors import PendeskError, Unreachable, error_from_response, unreachable
from pendesk_client.event_stream import EVENTS_PATH, EventStream
from pendesk_client.models import EventRow
from pendesk_client.operations import Operations
from pendesk_client.request import Request, decode_response
from pendesk_client.retry import RetryPolicy
from pendesk_client.server import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S, Server, find_server
from pendesk_client.session import session_headers
from pendesk_client.version import __version__

T = TypeVar("T")


class Pendesk(Operations):
    """Calls a Pendesk server.

    `url` and `token` default to PENDESK_URL and PENDESK_MCP_TOKEN. `session` tells this program from others with the
    same token; it defaults to PENDESK_SESSION, or in CI to the job.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        session: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._server = find_server(url, token)
        self._retry_policy = RetryPolicy(retries)
        self._http = httpx.Client(**_http_options(self._server, session, timeout_s), transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _send(self, request: Request[T]) -> T:
        attempt = 0
        while True:
            retry_after = None
            try:
                response = self._http.request(
                    request.method, request.target, content=request.body, headers=request.headers
                )
                retry_after = response.headers.get("retry-after")
                return decode_response(request, response.status_code, response.content)
            except httpx.TransportError as problem:
                error: PendeskError = unreachable(self._server.url, problem)
            except PendeskError as refusal:
                error = refusal
            delay_s = self._retry_policy.delay_s(request, attempt, error, retry_after)
            if delay_s is None:
                raise error
            time.sleep(delay_s)
            attempt += 1

    def events(
        self,
        *,
        after: int | None = None,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
    ) -> Iterator[EventRow]:
        """Every change as it happens, after the event `after` (or from now on); resumes after a lost connection."""
        stream = EventStream(
            after, project_id=project_id, action_pid=action_pid, user_pid=user_pid, model=model, kind=kind
        )
        while True:
            stream.reset()
            try:
                connection = self._http.stream("GET", EVENTS_PATH, params=stream.query, headers=stream.headers())
                with connection as response:
                    if response.status_code != 200:
                        raise error_from_response(response.status_code, response.read())
                    for line in response.iter_lines():
                        yield from stream.feed(line)
            except httpx.TransportError as problem:
                stream.connection_lost(unreachable(self._server.url, problem))
            except Unreachable as error:
                stream.connection_lost(error)
            time.sleep(stream.pause_s)


def _http_options(server: Server, session: str | None, timeout_s: float) -> dict[str, Any]:
    headers = {
        "Authorization": f"Bearer {server.token}",
        "User-Agent": f"pendesk-client/{__version__}",
        **session_headers(session),
    }
    return {"base_url": server.url, "headers": headers, "timeout": timeout_s, "follow_redirects": False}
