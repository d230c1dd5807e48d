"""The live feed with 1,000 readers: time from a write to the last of them, memory and CPU for each.

Beside it, in the same rounds, a bare ASGI loop on uvicorn that holds the same number of streams and sends the same
bytes to each, woken by a POST: what is possible without a log, rights, filters, numbers and middleware. Readers and
writer are this process, so both figures hold the time that 1,000 sockets take to be read in Python.
"""

import asyncio
import secrets
import shutil
import sys
import time
import timeit
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import uvloop

from bench.figures import median, ratio, show, spread
from bench.mcp import Server, pendesk, started
from bench.places import FOLDER
from pendesk.domain import token
from pendesk.domain.access import Role
from pendesk.domain.limits import STREAMS_PER_USER
from pendesk.domain.people import Member, Token, User
from pendesk.feed.commit_signal import CommitSignal
from pendesk.ids import new_id
from pendesk.main import open_service
from pendesk.settings import load
from pendesk.store import people, tokens
from pendesk.store.engine.tx import Tx
from tests.callers import create_first_workspace, find_local_actor

READERS = 1_000
EVENTS = 20  # in one measurement

BARE = """
import asyncio, sys, uvicorn

waiting = []
BLOCK = b"id: 42\\ndata: " + b"x" * 420 + b"\\n\\n"

async def app(scope, receive, send):
    if scope["method"] == "POST":
        await receive()
        for future in waiting:
            if not future.done():
                future.set_result(None)
        waiting.clear()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    await send({"type": "http.response.body", "body": b"event: ready\\ndata: {}\\n\\n", "more_body": True})
    while True:
        future = asyncio.get_running_loop().create_future()
        waiting.append(future)
        await future
        await send({"type": "http.response.body", "body": BLOCK, "more_body": True})

uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", access_log=False, log_level="error",
            lifespan="off", timeout_graceful_shutdown=1)
"""


class Reader(asyncio.Protocol):
    """Counts the messages that arrived; sets an event when the target is reached."""

    def __init__(self, head: bytes, arrived: "Arrived") -> None:
        self.head = head
        self.arrived = arrived

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is one, though not by descent
        self.transport.write(self.head)

    def data_received(self, data: bytes) -> None:
        self.arrived.add(data.count(b"data: "))


class Arrived:
    def __init__(self) -> None:
        self.count = self.target = 0
        self.target_reached = asyncio.Event()

    def add(self, count: int) -> None:
        self.count += count
        if self.count >= self.target:
            self.target_reached.set()

    async def reach(self, target: int) -> None:
        self.target = target
        if self.count < target:
            self.target_reached.clear()
            async with asyncio.timeout(60):
                await self.target_reached.wait()


class Measured(NamedTuple):
    last_ms: list[float]
    cpu_us: float  # of the server, for one event to one reader
    kilobytes: float  # of the server's memory, for one reader


def main(rounds: int = 3) -> None:
    ours: list[Measured] = []
    bare: list[Measured] = []
    data = FOLDER / "feed"
    for _ in range(rounds):
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True)
        bearers, project = uvloop.run(_seed(data))
        with started([sys.executable, "-c", BARE]) as server:
            bare.append(uvloop.run(_measure(server, [""], b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")))
        with started(pendesk(data)) as server:
            ours.append(uvloop.run(_measure(server, bearers, _write(bearers[0], project))))
    shutil.rmtree(data)
    _show(ours, bare, rounds)
    _show_signal()


async def _seed(data: Path) -> tuple[list[str], str]:
    """A workspace with as many members as the readers need, a token of each, and a project."""
    settings = load(data_folder=str(data), options={}, environ={})
    async with open_service(settings, "http://127.0.0.1") as service:
        await create_first_workspace(service.dispatcher, workspace="Bench", name="Ada", email=None)
        owner = await find_local_actor(service.dispatcher)
        assert owner is not None
        project = await service.dispatcher.call(owner, "create_project", {"name": "Bench"})
        bearers = [token.make_token(secrets.token_bytes(token.RANDOM_BYTES)) for _ in range(_users())]

        def add(tx: Tx) -> None:
            for secret in bearers:
                user = User(new_id(), "agent", None, "Agent", None, tx.now)
                people.add_user(tx, user)
                people.add_member(tx, Member(user.id, Role.MEMBER.label, tx.now, None))
                hashed, scopes = token.hash_secret(secret), "desk.read desk.write"
                made_by = (user.id, user.id)
                tokens.add(tx, Token(new_id(), user.id, "bench", hashed, scopes, *made_by, tx.now, None, None, None))

        await service.dispatcher.store.write(owner.workspace_id, add)
        return bearers, project.pid  # type: ignore[attr-defined]


def _users() -> int:
    return -(-READERS // STREAMS_PER_USER)


def _write(bearer: str, project: str) -> bytes:
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_note","arguments":'
        b'{"project_id":"%s","title":"A note"}}}' % project.encode()
    )
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {bearer}\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _measure(server: Server, bearers: list[str], write: bytes) -> Measured:
    await _post(server, write)  # what the first request loads is not the readers'
    arrived, before = Arrived(), _resident_kb(server)
    readers = []
    for number in range(READERS):
        bearer = bearers[number % len(bearers)]
        head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {bearer}\r\n\r\n".encode()
        readers.append(await _connect(server, head, arrived))
    await arrived.reach(READERS)  # every reader got its ready event
    kilobytes = (_resident_kb(server) - before) / READERS
    waits, cpu = [], server.cpu_ns()
    for number in range(1, EVENTS + 1):
        began = time.perf_counter()
        await asyncio.gather(_post(server, write), arrived.reach(READERS * (number + 1)))
        waits.append((time.perf_counter() - began) * 1e3)
        await asyncio.sleep(0.15)  # each event comes after a quiet moment
    cpu_us = (server.cpu_ns() - cpu) / 1000 / EVENTS / READERS
    for reader in readers:
        reader.transport.abort()
    return Measured(waits, cpu_us, kilobytes)


async def _connect(server: Server, head: bytes, arrived: Arrived) -> Reader:
    loop = asyncio.get_running_loop()
    _, reader = await loop.create_connection(lambda: Reader(head, arrived), "127.0.0.1", server.port)
    return reader


async def _post(server: Server, write: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(write)
    status = await reader.readline()
    assert b" 200 " in status, status
    writer.close()


def _resident_kb(server: Server) -> int:
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _show(ours: list[Measured], bare: list[Measured], rounds: int) -> None:
    def row(name: str, measured: list[Measured]) -> tuple[str, ...]:
        waits = [median(run.last_ms) for run in measured]
        memory = [run.kilobytes for run in measured]
        cpu = [run.cpu_us for run in measured]
        cells = (f"{median(waits):.1f}", spread(waits), f"{median(cpu):.1f}", f"{median(memory):.1f}")
        against = ratio(waits, [median(run.last_ms) for run in bare])
        return (name, *cells, against, ratio(cpu, [run.cpu_us for run in bare]))

    show(
        f"One event to {READERS:,} readers, SQLite, {rounds} interleaved rounds of {EVENTS} events",
        ("", "ms to the last", "spread", "CPU µs per reader", "KB per reader", "ratio of ms", "ratio of CPU"),
        [row("bare ASGI loop", bare), row("pendesk, with the write", ours)],
    )


def _show_signal() -> None:
    """What the signal adds to a write: this much and no more, however many read."""
    times = 200_000
    quiet, waited, passed_on = CommitSignal(), CommitSignal(), CommitSignal()
    passed_on.forward = set[str]().add
    with waited.subscribe("w"):
        rows = [
            (name, f"{timeit.timeit(partial(signal.on_local_db_commit, 'w'), number=times) / times * 1e6:.2f}")
            for name, signal in (
                ("nobody waits", quiet),
                ("readers wait", waited),
                ("other servers are notified", passed_on),
            )
        ]
    show("One ring, on the path of a write", ("", "µs"), rows)
