"""Open tabs of the web app without a browser: each follows the stream and asks as the page's own script does.

What a tab loads comes from the page itself, its live parts with their topics and addresses; when it does is the rule of
`live_updates.js`, written once more in `Tab`.
"""

import asyncio
import gzip
import html
import json
import random
import re
import time
from collections import Counter
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote

GATHER_S, SPREAD_S, SPREAD, WAITED = 0.03, 0.06, 0.3, 2
_LIVE = re.compile(r'<\w+ [^>]*?id="([\w-]+)"[^>]*?data-live="([^"]*)" data-url="([^"]*)"')


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Connection:
    """One kept connection of a browser that is signed in."""

    def __init__(self, port: int, cookie: str) -> None:
        self.port, self.cookie = port, cookie
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.streams is None or self.streams[1].is_closing():
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        return self.streams

    async def get(self, path: str, **headers: str) -> Answer:
        for _ in range(3):
            reader, _ = await self.send(path, headers)
            try:
                return await _read_answer(reader)
            except asyncio.IncompleteReadError:  # the server closed it, having waited long enough
                self.streams = None
        raise ConnectionError(path)

    async def send(self, path: str, headers: dict[str, str]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.open()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Cookie: pendesk_session={self.cookie}"]
        lines += ["Accept-Encoding: gzip"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return reader, writer


async def _read_answer(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Answer(int(head[0].split()[1]), headers, body)


class Traffic(Counter[str]):
    """requests, bytes and events of all tabs together, and the answers that had nothing new."""


class Tab:
    """`parts`: id of a live part -> its topics and its address."""

    def __init__(self, port: int, cookie: str, path: str, traffic: Traffic) -> None:
        self.cookie, self.port, self.path, self.traffic = cookie, port, path, traffic
        self.parts: dict[str, tuple[set[str], str]] = {}
        self._connection = Connection(port, cookie)
        self._changed = asyncio.Event()
        self._due: dict[str, float] = {}
        self._rested: dict[str, float] = {}
        self._tags: dict[str, str] = {}
        self._pause_s = 1.0
        self._seq = "0"

    @classmethod
    async def open(cls, port: int, cookie: str, path: str, traffic: Traffic) -> "Tab":
        page = await Connection(port, cookie).get(path)
        text = gzip.decompress(page.body).decode()
        tab = Tab(port, cookie, path, traffic)
        tab.read_parts(text)
        found = re.search(r'data-seq="(\d+)"', text)
        assert found, path
        assert tab.parts, path
        tab._seq = found[1]
        return tab

    def read_parts(self, text: str) -> None:
        for ident, topics, address in _LIVE.findall(text):
            self.parts[ident] = (set(html.unescape(topics).split()), html.unescape(address))

    async def run(self) -> None:
        await asyncio.gather(self._follow(), self._load_what_is_due())

    async def _follow(self) -> None:
        """The stream, as the worker reads it."""
        reader, _ = await Connection(self.port, self.cookie).send(f"/api/v1/events?as=changes&after={self._seq}", {})
        await reader.readuntil(b"\r\n\r\n")
        while True:
            line = await reader.readline()
            self.traffic["stream bytes"] += len(line)
            if line.startswith(b'data: {"seq":') and b'"topics"' in line:
                self.traffic["messages heard"] += 1
                self._receive({"any", "all", *json.loads(line[6:])["topics"]})

    def _receive(self, topics: set[str]) -> None:
        soon = time.monotonic() + GATHER_S + random.random() * SPREAD_S
        for ident, (wanted, _) in self.parts.items():
            if wanted & topics:
                at = max(soon, self._rested.get(ident, 0))
                self._due[ident] = min(self._due.get(ident, at), at)
        self._changed.set()

    async def _load_what_is_due(self) -> None:
        while True:
            wait_s = min(self._due.values()) - time.monotonic() if self._due else None
            if wait_s is None or wait_s > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), wait_s)
                self._changed.clear()
                continue
            began = time.monotonic()
            idents = [ident for ident, at in self._due.items() if at <= began + self._pause_s / 2]
            for ident in idents:
                del self._due[ident]
            await self._load(idents)
            rest = max(self._pause_s, WAITED * (time.monotonic() - began)) * (1 + random.random() * SPREAD)
            for ident in idents:
                self._rested[ident] = began + rest
                if ident in self._due:
                    self._due[ident] = began + rest

    async def _load(self, idents: list[str]) -> None:
        query = "&".join(f"part={quote(f'{self.parts[ident][1]}#{ident}', safe='')}" for ident in idents)
        known = ",".join(self._tags.get(ident, "0") for ident in idents)
        answer = await self._get(self._connection, f"/live?{query}", HX_Request="true", If_None_Match=f'"{known}"')
        self._pause_s = float(answer.headers["live-pause"])
        tags = answer.headers["etag"].strip('"').split(",")
        self._tags |= dict(zip(idents, tags, strict=True))

    async def _get(self, connection: Connection, path: str, **headers: str) -> Answer:
        answer = await connection.get(path, **headers)
        self.traffic["requests"] += 1
        self.traffic["bytes"] += len(answer.body)
        self.traffic[f"answers {answer.status}"] += 1
        assert answer.status in (200, 304), answer
        return answer
