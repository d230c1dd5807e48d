"""A client of the live feed, over a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.patience import PATIENCE_S


class Follower:
    """Reads a stream as a browser does: `id` is its Last-Event-ID."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.id: str | None = None
        self.lines: list[str] = []
        self._all = answer.aiter_lines()

    async def line(self) -> str | None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                line = await anext(self._all)
        except (StopAsyncIteration, httpx.RemoteProtocolError, httpx.ReadError):
            return None
        self.lines.append(line)
        return line

    async def message(self) -> dict[str, str] | None:
        """The next message as its fields, or None at the end of the stream. Comments are passed over."""
        async with asyncio.timeout(PATIENCE_S):  # comments come for ever
            return await self._message()

    async def _message(self) -> dict[str, str] | None:
        fields: dict[str, str] = {}
        while (line := await self.line()) is not None:
            name, _, value = line.partition(": ")
            if name == "id":
                self.id = value
            if line and not line.startswith(":"):
                fields[name] = value
            elif not line and "data" in fields:
                return fields
            elif not line:
                fields = {}
        return None

    async def ready(self) -> int:
        told = await self.message()
        assert told is not None
        assert told["event"] == "ready"
        seq: int = json.loads(told["data"])["seq"]
        return seq

    async def event(self) -> dict[str, Any]:
        """The next of the log. That agents do something is no event, and may be said at any time."""
        while (told := await self.message()) is not None and told.get("event") == "activity":
            pass
        assert told is not None, "the stream has ended"
        assert "event" not in told, told
        row: dict[str, Any] = json.loads(told["data"])
        assert told["id"] == str(row["seq"])
        return row

    async def changes(self) -> dict[str, Any]:
        """The next message of a stream that is told several events together."""
        while (told := await self.message()) is not None and told.get("event") == "activity":
            pass
        assert told is not None, "the stream has ended"
        assert told["event"] == "changes", told
        found: dict[str, Any] = json.loads(told["data"])
        assert told["id"] == str(found["seq"])
        return found

    async def events(self, count: int) -> list[dict[str, Any]]:
        return [await self.event() for _ in range(count)]

    async def until_end(self) -> tuple[list[dict[str, str]], str | None]:
        """What still came, and the reason that the server gave for ending it."""
        before: list[dict[str, str]] = []
        while (told := await self.message()) is not None:
            if told.get("event") == "end":
                assert await self.message() is None
                return before, json.loads(told["data"])["reason"]
            if told.get("event") != "activity":
                before.append(told)
        return before, None


@asynccontextmanager
async def following(url: str, headers: dict[str, str] | None = None, **query: Any) -> AsyncIterator[Follower]:
    timeout = httpx.Timeout(PATIENCE_S)
    async with (
        httpx.AsyncClient(timeout=timeout, verify=False) as http,
        http.stream("GET", f"{url}/api/v1/events", headers=headers, params=query) as answer,
    ):
        if answer.status_code != 200:
            await answer.aread()
        yield Follower(answer)
