"""A server that webhooks are sent to, on this machine."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple


class Received(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def id(self) -> str:
        return self.headers["pendesk-delivery"]


class Receiver:
    """Answers each request with the next of `answers`, and with 200 when there is none left."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answers: list[int | str | Callable[[], Awaitable[None]]] = []
        self.url = ""

    @property
    def kinds(self) -> list[str]:
        return [each.headers["pendesk-event"] for each in self.received]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.received.append(Received(headers, body))
            answer = self.answers.pop(0) if self.answers else 200
            if callable(answer):
                await answer()
                return
            status = f"{answer} X\r\nContent-Length: 0" if isinstance(answer, int) else answer
            writer.write(f"HTTP/1.1 {status}\r\n\r\n".encode())
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook?x=1"
    try:
        yield receiver
    finally:
        server.close()
