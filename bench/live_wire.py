"""1,000 agent sessions with hooks: a step every five seconds each, beside their own calls.

A step is what Claude Code sends for one: PreToolUse before the tool and PostToolBatch after it. Each session holds an
action, and every sixth step is a call of ours, progress and brief in turn, joined to its session by its tool_use_id. On
PostgreSQL there are two processes, and what a session sends goes to them in turn. Before that the same calls
without hooks. Limits and settings are the usual ones but for the claims of one user.
"""

import asyncio
import json
import random
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import psycopg
import uvloop

from bench.figures import percentile, show
from bench.load import Work, arguments, works
from bench.mcp import Server, make_tokens, pendesk, started
from bench.mcp_client import McpClient
from bench.places import FOLDER, seeded
from bench.seed import Shape, seed_postgres
from pendesk import clock
from pendesk.store.engine import sqlite
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.postgres import PostgresCluster

SHAPE = Shape(20_480)
SESSIONS = 1_000
STEP_S = 5.0
CALL_EVERY_STEPS = 6
AT_ONCE = 50
ANALYZED_SESSIONS = 200
TOOL_S = 0.1  # what a tool takes between the two hooks
ALONE_S, LOAD_S = 20.0, 60.0
CALLS = ("update_progress", "get_action_brief")
SAVED = ("session_steps", "session_activity", "events")
SETTINGS = {"requests_per_minute": "60", "live_claims_per_user": "20"}


class Desk(NamedTuple):
    """A database with its servers, and how to count the rows of a table."""

    name: str
    servers: list[Server]
    bearers: list[str]
    sqlite_file: Path | None
    database_url: str | None

    def rows(self, table: str) -> int:
        query = f"SELECT count(*) FROM {table}"
        if self.database_url:
            with psycopg.connect(self.database_url) as link:
                counted = link.execute(query).fetchone()
                return int(counted[0]) if counted else 0
        assert self.sqlite_file is not None
        file = sqlite.connect(self.sqlite_file)
        try:
            [[count]] = file.execute(query).fetchall()
        finally:
            file.close()
        assert isinstance(count, int)
        return count

    def analyze(self) -> None:
        """As autovacuum does once in a minute. The seed's statistics say that no session exists, and PostgreSQL then
        reads them all to find one: a thousand of them took minutes to claim.
        """
        if self.database_url:
            with psycopg.connect(self.database_url, autocommit=True) as link:
                link.execute("ANALYZE")


class Waits(NamedTuple):
    hooks: list[float]
    calls: list[float]


class Session:
    """One terminal of Claude Code, with a connection to each server."""

    def __init__(self, number: int, work: Work, clients: list[McpClient], waits: Waits) -> None:
        self.number = number
        self.work = work
        self.waits = waits
        self._clients = cycle(clients)
        self._steps = 0

    async def claim(self) -> None:
        await self._call("claim_action", has_hooks=True)

    async def run(self, seconds: float, *, has_hooks: bool) -> None:
        """Steps in even distances. A server that is slow gets no less: what is late is sent at once."""
        begins = time.perf_counter()
        due = begins + random.Random(self.number).random() * STEP_S
        while due < begins + seconds:
            await asyncio.sleep(due - time.perf_counter())
            await self._step(has_hooks)
            due += STEP_S

    async def _step(self, has_hooks: bool) -> None:
        self._steps += 1
        if (self._steps + self.number) % CALL_EVERY_STEPS == 0:
            tool = CALLS[(self._steps + self.number) // CALL_EVERY_STEPS % 2]
            await self._call(tool, has_hooks=has_hooks)
        elif has_hooks:
            await self._hook("PreToolUse", tool="Bash", tool_use_id=self._tool_use_id(), command="make test")
            await asyncio.sleep(TOOL_S)
            await self._hook("PostToolBatch")

    async def _call(self, tool: str, *, has_hooks: bool) -> None:
        tool_use_id = self._tool_use_id()
        if has_hooks:
            await self._hook("PreToolUse", tool=f"mcp__pendesk__{tool}", tool_use_id=tool_use_id)
        begun = time.perf_counter()
        await next(self._clients).call(tool, arguments(tool, self.work), tool_use_id)
        self.waits.calls.append(time.perf_counter() - begun)
        if has_hooks:
            await self._hook("PostToolBatch")

    async def _hook(self, event: str, **fields: str) -> None:
        names = ("agent", "agent_type", "tool", "tool_use_id", "file", "command")
        values = {"event": event, "session": f"session-{self.number}", **dict.fromkeys(names, ""), **fields}
        begun = time.perf_counter()
        await next(self._clients).call("session_event", json.dumps(values).encode())
        self.waits.hooks.append(time.perf_counter() - begun)

    def _tool_use_id(self) -> str:
        return f"toolu_{self.number}_{self._steps}"


def main(rounds: int = 1) -> None:
    for _ in range(rounds):
        with sqlite_desk() as desk:
            _measure(desk)
        with postgres_desk() as desk:
            _measure(desk)


@contextmanager
def sqlite_desk() -> Iterator[Desk]:
    data = FOLDER / "live_wire"
    file = data / "pendesk.sqlite3"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    shutil.copy(seeded(SHAPE), file)
    bearers = uvloop.run(make_tokens(SqliteStore(file, clock.now_us), SHAPE, SESSIONS))
    with started(pendesk(data), **SETTINGS) as server:
        yield Desk("SQLite, one process", [server], bearers, file, None)
    shutil.rmtree(data)


@contextmanager
def postgres_desk() -> Iterator[Desk]:
    data = FOLDER / "live_wire"
    with PostgresCluster() as cluster, ExitStack() as running:
        url = cluster.create_database("live_wire")
        seed_postgres(url, SHAPE)
        bearers = uvloop.run(_make_postgres_tokens(url))
        servers = [running.enter_context(started(pendesk(data), database_url=url, **SETTINGS)) for _ in range(2)]
        yield Desk("PostgreSQL, two processes", servers, bearers, None, url)
    shutil.rmtree(data)


async def _make_postgres_tokens(url: str) -> list[str]:
    return await make_tokens(PostgresStore(url, None, connections=2), SHAPE, SESSIONS)


class Load(NamedTuple):
    waits: Waits
    cpu_percent: float
    grown_kb: int
    rows: dict[str, int]


def _measure(desk: Desk) -> None:
    alone, load = uvloop.run(_run(desk))
    show(
        f"{SESSIONS:,} sessions, a step every {STEP_S:g} s, {LOAD_S:g} s: {desk.name}",
        ("", "server CPU %", "hook calls", "p50 ms", "p99 ms", "own calls", "p50 ms", "p99 ms", "memory KB"),
        [_row("calls alone", alone), _row("with hooks", load)],
    )
    print("rows saved: " + ", ".join(f"{table} {count:,}" for table, count in load.rows.items()))


def _row(name: str, load: Load) -> tuple[str, ...]:
    hooks, calls = _figures(load.waits.hooks), _figures(load.waits.calls)
    return (name, f"{load.cpu_percent:.1f}", *hooks, *calls, f"{load.grown_kb:+,}")


def _figures(waits: list[float]) -> tuple[str, str, str]:
    if not waits:
        return "0", "-", "-"
    return f"{len(waits):,}", f"{percentile(waits, 0.5) * 1e3:.1f}", f"{percentile(waits, 0.99) * 1e3:.1f}"


async def _run(desk: Desk) -> tuple[Load, Load]:
    waits = Waits([], [])
    sessions: list[Session] = []
    for first in range(0, SESSIONS, AT_ONCE):  # a connection that sends nothing is closed after some seconds
        sessions += [await _open(desk, number, waits) for number in range(first, first + AT_ONCE)]
        await asyncio.gather(*(session.claim() for session in sessions[first:]))
        if first < ANALYZED_SESSIONS:
            desk.analyze()
    await asyncio.gather(*(session.run(STEP_S, has_hooks=True) for session in sessions))  # what the first of it loads
    alone = await _load(desk, sessions, waits, ALONE_S, has_hooks=False)
    return alone, await _load(desk, sessions, waits, LOAD_S, has_hooks=True)


async def _open(desk: Desk, number: int, waits: Waits) -> Session:
    clients = [await McpClient.connect(server.port, desk.bearers[number]) for server in desk.servers]
    return Session(number, next(works(SHAPE, number, SESSIONS)), clients, waits)


async def _load(desk: Desk, sessions: list[Session], waits: Waits, seconds: float, *, has_hooks: bool) -> Load:
    waits.hooks.clear()
    waits.calls.clear()
    rows = {table: desk.rows(table) for table in SAVED}
    memory, cpu = sum(map(_anonymous_kb, desk.servers)), sum(server.cpu_ns() for server in desk.servers)
    begun = time.perf_counter()
    await asyncio.gather(*(session.run(seconds, has_hooks=has_hooks) for session in sessions))
    elapsed = time.perf_counter() - begun
    cpu_percent = (sum(server.cpu_ns() for server in desk.servers) - cpu) / elapsed / 1e7
    grown = sum(map(_anonymous_kb, desk.servers)) - memory
    await asyncio.sleep(1)  # the last steps are saved a moment later
    saved = {table: desk.rows(table) - before for table, before in rows.items()}
    return Load(Waits(list(waits.hooks), list(waits.calls)), cpu_percent, grown, saved)


def _anonymous_kb(server: Server) -> int:
    """Its own memory, without what it maps of the database's file."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
