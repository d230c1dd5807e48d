"""CPU of the server per tool call over HTTP, as a ratio to a bare Starlette JSON echo in the same run.

Both servers run as processes of their own, uvicorn with uvloop and httptools; the load comes from this one. What is
counted is the CPU time of the server's process, all threads, which another program's noise does not reach.
"""

import asyncio
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg
import uvloop

from bench.figures import median, ratio, show, spread
from bench.load import Work, arguments, open_dispatcher, works
from bench.mcp_client import McpClient
from bench.places import FOLDER, seeded
from bench.postgres import cluster_cpu_s
from bench.seed import Shape, actor, seed_postgres
from pendesk import clock
from pendesk.domain import token
from pendesk.domain.people import Token
from pendesk.ids import new_id
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import encode_json
from pendesk.store import tokens
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.store.engine.tx import Tx
from tests.postgres import PostgresCluster

SHAPE = Shape(20_480)
CLIENTS = 32
TURNS = 30  # of every client, in one measurement
READY_S = 30
MEASURED = ("get_action_brief", "update_progress", "claim_action", "get_next_task")
# Of the project in which clients ask for their next task; every third waits for the one before it.
PROJECT, TASKS = "NEX", 50

ECHO = """
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
import sys, uvicorn

async def echo(request):
    return JSONResponse(await request.json())

app = Starlette(routes=[Route("/mcp", echo, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", access_log=False, log_level="error")
"""


class Server(NamedTuple):
    pid: int
    port: int

    def cpu_ns(self) -> int:
        """Of all its threads, from the scheduler's own count."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


class Client(NamedTuple):
    mcp: McpClient
    work: Work

    async def call(self, operation: str) -> None:
        asked = encode_json({"project_id": PROJECT}) if operation == "get_next_task" else None
        await self.mcp.call(operation, asked or arguments(operation, self.work))


def main(rounds: int = 5) -> None:
    costs: dict[tuple[str, str], list[float]] = defaultdict(list)
    with sqlite_server() as sqlite, postgres_server() as postgres, started([sys.executable, "-c", ECHO]) as echo:
        for _ in range(rounds):
            costs["echo", ""].append(uvloop.run(_measure(echo, sqlite.bearers, "get_action_brief")))
            for operation in MEASURED:
                costs["SQLite", operation].append(uvloop.run(_measure(sqlite.server, sqlite.bearers, operation)))
                database_s = postgres.database_cpu_s()
                costs["PostgreSQL", operation].append(
                    uvloop.run(_measure(postgres.server, postgres.bearers, operation))
                )
                costs["database", operation].append((postgres.database_cpu_s() - database_s) * 1e6 / _calls(operation))
    bare = costs["echo", ""]
    rows: list[tuple[str, ...]] = [("bare Starlette echo", f"{median(bare):.0f}", spread(bare), "1", "", "", "")]
    for operation in MEASURED:
        ours, theirs = costs["SQLite", operation], costs["PostgreSQL", operation]
        figures = (f"{median(ours):.0f}", spread(ours), ratio(ours, bare), f"{median(theirs):.0f}", ratio(theirs, ours))
        rows.append((operation, *figures, f"{median(costs['database', operation]):.0f}"))
    show(
        f"CPU of the server per MCP call, {CLIENTS} clients, {rounds} interleaved rounds",
        ("call", "SQLite µs", "spread", "to the echo", "PostgreSQL µs", "to SQLite", "in PostgreSQL itself, about"),
        rows,
    )


class Desk(NamedTuple):
    server: Server
    bearers: list[str]
    database_cpu_s: Callable[[], float]


@contextmanager
def sqlite_server() -> Iterator[Desk]:
    data = FOLDER / "mcp"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    shutil.copy(seeded(SHAPE), data / "pendesk.sqlite3")
    bearers = uvloop.run(_make_tokens(lambda: SqliteStore(data / "pendesk.sqlite3", clock.now_us)))
    with started(pendesk(data)) as server:
        yield Desk(server, bearers, lambda: 0.0)
    shutil.rmtree(data)


@contextmanager
def postgres_server() -> Iterator[Desk]:
    data = FOLDER / "mcp_postgres"
    with PostgresCluster() as cluster:
        url = cluster.create_database("mcp")
        seed_postgres(url, SHAPE)
        bearers = uvloop.run(_make_tokens(lambda: PostgresStore(url, None, connections=2)))
        with started(pendesk(data), database_url=url) as server:
            uvloop.run(_measure(server, bearers, "claim_action", turns=1))
            # As autovacuum does once in a minute: the seed's statistics say that there are no claims and no sessions.
            with psycopg.connect(url, autocommit=True) as link:
                link.execute("ANALYZE")
            yield Desk(server, bearers, lambda: cluster_cpu_s(cluster))
    shutil.rmtree(data)


def _calls(operation: str) -> int:
    """Of a whole measurement; those around the measured ones cost the database about the same."""
    return CLIENTS * (TURNS * (2 if operation == "claim_action" else 1) + 3)


async def _make_tokens(open_store: Callable[[], Store]) -> list[str]:
    """One for each client, since the rate limit and the claims count per token and per user."""
    store = open_store()
    await _create_project(store)
    return await make_tokens(store, SHAPE, CLIENTS)


async def _create_project(store: Store) -> None:
    tasks = [{"key": f"t{n}", "label": f"Task {n}: make the dispatcher quick"} for n in range(TASKS)]
    edges = [{"from": f"t{n}", "to": f"t{n + 1}"} for n in range(0, TASKS - 1, 3)]
    plan = {"name": PROJECT, "tasks": tasks, "edges": edges}
    await open_dispatcher(store).call(actor(0, 0), "scaffold_project_from_plan", plan)


async def make_tokens(store: Store, shape: Shape, clients: int) -> list[str]:
    """A token of each client's agent, and the store is closed."""
    actors = [next(works(shape, client, clients)).actor for client in range(clients)]
    bearers = [token.make_token(secrets.token_bytes(token.RANDOM_BYTES)) for _ in actors]

    def add(tx: Tx) -> None:
        for caller, secret in zip(actors, bearers, strict=True):
            hashed, scopes = token.hash_secret(secret), "specs.read builds.write desk.read"
            owner = (caller.user_id, caller.user_id)
            tokens.add(tx, Token(new_id(), caller.user_id, "bench", hashed, scopes, *owner, tx.now, None, None, None))

    await store.write(actors[0].workspace_id, add)
    await store.close()
    return bearers


def pendesk(data: Path) -> list[str]:
    return [sys.executable, "-m", "pendesk", "serve", "--data", str(data), "--port"]


@contextmanager
def started(command: list[str], **settings: str) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    environment = {**os.environ, "PENDESK_REQUESTS_PER_MINUTE": "1000000"}
    environment |= {f"PENDESK_{name.upper()}": value for name, value in settings.items()}
    process = subprocess.Popen(
        [*command, str(port)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_listening(port)
        yield Server(process.pid, port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _wait_until_listening(port: int) -> None:
    deadline = time.monotonic() + READY_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


async def _measure(server: Server, bearers: list[str], operation: str, turns: int = TURNS) -> float:
    """CPU microseconds per call. Every client holds its action; a claim is measured between two releases."""
    clients = [await _connect(server, bearers[number], number) for number in range(CLIENTS)]
    echo = operation == "get_action_brief" and not _is_pendesk(server)
    if not echo:
        await _all(clients, "claim_action")
        await _all(clients, "get_action_brief")
    spent = 0
    for _ in range(turns):
        if operation == "claim_action":
            await _all(clients, "release_action")
        before = server.cpu_ns()
        await _all(clients, operation)
        spent += server.cpu_ns() - before
    if not echo:
        await _all(clients, "release_action")
    for client in clients:
        client.mcp.close()
    return spent / 1000 / (turns * CLIENTS)


def _is_pendesk(server: Server) -> bool:
    return b"pendesk" in Path(f"/proc/{server.pid}/cmdline").read_bytes().split(b"\0")


async def _connect(server: Server, bearer: str, number: int) -> Client:
    return Client(await McpClient.connect(server.port, bearer), next(works(SHAPE, number, CLIENTS)))


async def _all(clients: list[Client], operation: str) -> None:
    await asyncio.gather(*(client.call(operation) for client in clients))
