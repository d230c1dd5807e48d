"""The client for `async` code. The plain one, sync_pendesk.py, is written from this file by `make client`."""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2 as httpx

from pendesk.client.calls import AsyncCalls
from pendesk.client.errors import PendeskError, Unreachable, error_of, unreachable
from pendesk.client.models import EventRow
from pendesk.client.server import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S, Server, find_server
from pendesk.client.stream import EVENTS, Events, stream_headers
from pendesk.client.wire import Call, Patience, read

T = TypeVar("T")


class AsyncPendesk(AsyncCalls):
    """Calls a Pendesk server.

    `url` and `token` are PENDESK_URL and PENDESK_MCP_TOKEN where they are left out.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._server = find_server(url, token)
        self._patience = Patience(retries)
        self._http = httpx.AsyncClient(**_options(self._server, timeout_s), transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _answer(self, call: Call[T]) -> T:
        attempt = 0
        while True:
            retry_after = None
            try:
                answer = await self._http.request(call.method, call.target, content=call.body, headers=call.headers)
                retry_after = answer.headers.get("retry-after")
                return read(call, answer.status_code, answer.content)
            except httpx.TransportError as problem:
                error: PendeskError = unreachable(self._server.url, problem)
            except PendeskError as refusal:
                error = refusal
            wait_s = self._patience.wait_s(call, attempt, error, retry_after)
            if wait_s is None:
                raise error
            await asyncio.sleep(wait_s)
            attempt += 1

    async def events(
        self,
        *,
        after: int | None = None,
        project_id: str | None = None,
        action_pid: str | None = None,
        user_pid: str | None = None,
        model: str | None = None,
        kind: list[str] | None = None,
    ) -> AsyncIterator[EventRow]:
        """Every change as it happens, from `after` on (or from now); a lost connection is taken up where it broke."""
        events = Events(after, project_id=project_id, action_pid=action_pid, user_pid=user_pid, model=model, kind=kind)
        while True:
            events.begin()
            try:
                asked = self._http.stream("GET", EVENTS, params=events.query, headers=stream_headers(events))
                async with asked as answer:
                    if answer.status_code != 200:
                        raise error_of(answer.status_code, await answer.aread())
                    async for line in answer.aiter_lines():
                        for event in events.read(line):
                            yield event
            except httpx.TransportError as problem:
                events.broke(unreachable(self._server.url, problem))
            except Unreachable as problem:
                events.broke(problem)
            await asyncio.sleep(events.pause_s)


def _options(server: Server, timeout_s: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {server.token}", "User-Agent": "pendesk-client"}
    return {"base_url": server.url, "headers": headers, "timeout": timeout_s, "follow_redirects": False}
