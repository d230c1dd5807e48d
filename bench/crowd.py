"""A thousand agents at work for minutes while people watch: how long a call takes, what fails, CPU and memory.

On SQLite one server and a call a second of every agent; on PostgreSQL two servers and 20 calls a minute. An agent
claims its action, reads the brief, reports progress and releases it, over and over. Watchers are open boards that load
what has changed as `live_updates.js` does, each with a stream of its own. Both are this process, on the same cores.
BENCH_MINUTES, BENCH_AGENTS, BENCH_WATCHERS and BENCH_ENGINES (sqlite,postgres) choose another run.
"""

import asyncio
import itertools
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import uvloop

from bench.figures import percentile, show
from bench.load import CYCLE, arguments, open_dispatcher, works
from bench.mcp import Server, make_tokens, pendesk, started
from bench.mcp_client import McpClient
from bench.page_tabs import Connection, Tab, Traffic
from bench.places import FOLDER, seeded
from bench.seed import Shape, actor, seed_postgres
from pendesk import clock
from pendesk.domain.access import Role
from pendesk.operations.dispatch import Store
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.callers import start_session
from tests.postgres import PostgresCluster

MINUTES = float(os.environ.get("BENCH_MINUTES", "10"))
AGENTS = int(os.environ.get("BENCH_AGENTS", "1000"))
WATCHERS = int(os.environ.get("BENCH_WATCHERS", "300"))
ENGINES = os.environ.get("BENCH_ENGINES", "sqlite,postgres").split(",")
PERIOD_S = {"sqlite": 1.0, "postgres": 3.0}
SERVERS = {"sqlite": 1, "postgres": 2}
PEOPLE = 20
SHAPE = Shape(20_480)
WARM_S = 20.0
LOOK_EVERY_S = 30.0
BOARD = "/p/P0"
MAKE_OWNER = "UPDATE members SET role = 'owner' WHERE workspace_id = :workspace AND user_id = :user_id"


class Place(NamedTuple):
    """Where servers run, on data that is seeded; `database_url` is empty on SQLite."""

    data: Path
    database_url: str
    postgres_pid: int

    def open_store(self) -> Store:
        if self.database_url:
            return PostgresStore(self.database_url, clock.now_us, connections=4)
        return SqliteStore(self.data / "pendesk.sqlite3", clock.now_us)


class Calls:
    """What the agents met since the last `clear`."""

    def __init__(self) -> None:
        self.taken_ms: list[float] = []
        self.errors: Counter[str] = Counter()

    def clear(self) -> None:
        self.taken_ms.clear()
        self.errors.clear()


class Watcher(Tab):
    """A page on which something always changes: it need not look into the events, which would cost us more than the
    server.
    """

    async def _follow(self) -> None:
        reader, _ = await Connection(self.port, self.cookie).send(f"/api/v1/events?as=changes&after={self._seq}", {})
        while data := await reader.read(2**18):
            self.traffic["stream bytes"] += len(data)
            now = time.monotonic()
            for ident in self.parts:
                self._due.setdefault(ident, max(now, self._rested.get(ident, 0)))
            self._changed.set()
        self.traffic["streams lost"] += 1


def main(rounds: int = 1) -> None:
    for _ in range(rounds):
        for engine in ENGINES:
            with _place(engine) as place:
                uvloop.run(_run(engine, place))


@contextmanager
def _place(engine: str) -> Iterator[Place]:
    data = (FOLDER / "crowd").resolve()
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    if engine == "sqlite":
        shutil.copy(seeded(SHAPE), data / "pendesk.sqlite3")
        yield Place(data, "", 0)
    else:
        with PostgresCluster() as cluster:
            url = cluster.create_database("crowd")
            seed_postgres(url, SHAPE)
            pid = int((cluster.directory / "data" / "postmaster.pid").read_text().split()[0])
            yield Place(data, url, pid)
    shutil.rmtree(data)


async def _run(engine: str, place: Place) -> None:
    cookies = await _sign_in(place.open_store())
    bearers = await make_tokens(place.open_store(), SHAPE, AGENTS)
    with ExitStack() as stack:
        settings = {"live_claims_per_user": str(AGENTS)}
        if place.database_url:
            settings["database_url"] = place.database_url
        servers = [stack.enter_context(started(pendesk(place.data), **settings)) for _ in range(SERVERS[engine])]
        calls, traffic = Calls(), Traffic()
        running = await _open_pages(servers, cookies, traffic)
        period_s = PERIOD_S[engine]
        running += [
            asyncio.create_task(_work(servers[number % len(servers)], bearer, number, period_s, calls))
            for number, bearer in enumerate(bearers)
        ]
        await asyncio.sleep(WARM_S)
        calls.clear()
        traffic.clear()
        await _measure(engine, servers, place.postgres_pid, calls, traffic)
        for task in running:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _sign_in(store: Store) -> list[str]:
    dispatcher = open_dispatcher(store)
    owner = actor(0, 0)._replace(role=Role.OWNER, via="web")
    cookies = []
    await store.write(owner.workspace_id, lambda tx: tx.run(MAKE_OWNER, user_id=owner.user_id))
    for number in range(PEOPLE):
        fields = {"name": f"Person {number}", "kind": "person", "email": f"p{number}@example.com"}
        person = await dispatcher.call(owner, "create_user", fields)
        link = await dispatcher.call(owner, "create_sign_in_link", {"user_pid": person.user_id})  # type: ignore[attr-defined]
        secret = await start_session(dispatcher, link.url.partition("code=")[2])  # type: ignore[attr-defined]
        assert secret is not None
        cookies.append(secret)
    await store.close()
    return cookies


async def _open_pages(servers: list[Server], cookies: list[str], traffic: Traffic) -> list[asyncio.Task[None]]:
    tabs = []
    for number in range(WATCHERS):
        server = servers[number % len(servers)]
        tabs.append(await Watcher.open(server.port, cookies[number % PEOPLE], BOARD, traffic))
    return [asyncio.create_task(tab.run()) for tab in tabs]


async def _work(server: Server, bearer: str, number: int, period_s: float, calls: Calls) -> None:
    work = next(works(SHAPE, number, AGENTS))
    client = await McpClient.connect(server.port, bearer)
    due = time.monotonic() + random.random() * period_s
    while True:
        for operation in CYCLE:
            await asyncio.sleep(due - time.monotonic())
            began = time.monotonic()
            try:
                await client.call(operation, arguments(operation, work))
                calls.taken_ms.append((time.monotonic() - began) * 1000)
            except (RuntimeError, OSError, asyncio.IncompleteReadError) as error:
                calls.errors[str(error)[:120]] += 1
                client.close()
                client = await McpClient.connect(server.port, bearer)
            due = max(due + period_s, time.monotonic())


async def _measure(engine: str, servers: list[Server], postgres_pid: int, calls: Calls, traffic: Traffic) -> None:
    began, own = time.monotonic(), time.process_time()
    cpu = [server.cpu_ns() for server in servers]
    postgres_cpu = _family_cpu_s(postgres_pid)
    memory = [[_memory_mb(server.pid) for server in servers]]
    looks: list[int] = [0]
    while time.monotonic() < began + MINUTES * 60:
        await asyncio.sleep(LOOK_EVERY_S)
        memory.append([_memory_mb(server.pid) for server in servers])
        looks.append(len(calls.taken_ms))
    elapsed = time.monotonic() - began
    shares = [(server.cpu_ns() - before) / elapsed / 1e7 for server, before in zip(servers, cpu, strict=True)]
    waits = calls.taken_ms
    show(
        f"{AGENTS} agents, {WATCHERS} watchers, {engine}, {len(servers)} server(s), {elapsed / 60:.1f} minutes",
        ("", ""),
        [
            ("calls a second", f"{len(waits) / elapsed:.0f}"),
            (f"in each {LOOK_EVERY_S:.0f} s: p50/p99 ms", _by_look(waits, looks)),
            ("p50, p99, longest", " / ".join(f"{percentile(waits, share):.1f} ms" for share in (0.5, 0.99, 1))),
            ("errors", f"{calls.errors.total()} {dict(calls.errors.most_common(3)) or ''}"),
            ("CPU of the servers", ", ".join(f"{share:.0f} %" for share in shares)),
            ("CPU of PostgreSQL", f"{(_family_cpu_s(postgres_pid) - postgres_cpu) / elapsed * 100:.0f} %"),
            ("CPU of agents and watchers", f"{(time.process_time() - own) / elapsed * 100:.0f} %"),
            ("memory of the servers, MB", _growth(memory)),
            (
                "pages: requests/s, KB/s",
                f"{traffic['requests'] / elapsed:.0f}, {traffic['bytes'] / elapsed / 1000:.0f}",
            ),
            ("streams: KB/s, lost", f"{traffic['stream bytes'] / elapsed / 1000:.0f}, {traffic['streams lost']}"),
        ],
    )


def _by_look(waits: list[float], looks: list[int]) -> str:
    """Whether it gets slower the longer it runs; a few of many are shown."""
    spans = [waits[first:last] for first, last in itertools.pairwise(looks)]
    shown = spans[:: max(1, len(spans) // 10)]
    return ", ".join(f"{percentile(span, 0.5):.0f}/{percentile(span, 0.99):.0f}" for span in shown if span)


def _growth(memory: list[list[float]]) -> str:
    halfway = memory[len(memory) // 2]
    each = zip(memory[0], halfway, memory[-1], strict=True)
    return ", ".join(f"{first:.0f} at first, {half:.0f} halfway, {last:.0f} at the end" for first, half, last in each)


def _memory_mb(pid: int) -> float:
    """Its own; what it has of the database's file is mapped, and the system's to take back."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


def _family_cpu_s(pid: int) -> float:
    """Of a process and its children, living and gone."""
    if not pid:
        return 0.0
    total = sum(_times(pid)) / os.sysconf("SC_CLK_TCK")
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):
            total += sum(_times(int(child))[:2]) / os.sysconf("SC_CLK_TCK")
    return total


def _times(pid: int) -> list[int]:
    """utime, stime, and those of the children that are gone."""
    return [int(value) for value in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]]
