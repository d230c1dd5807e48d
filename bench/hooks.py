"""What the hooks of `pendesk connect` cost: an agent at each step, with the real clients, and the server per hook call.

A step is a command in the client's own shell, and its time runs from one request to the model to the next. The clients
must be on PATH (`make test-clients` installs them); the model is scripted, so that nothing else is in that time.
"""

import asyncio
import json
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import uvloop

from bench.figures import median, ratio, show, spread
from bench.mcp import SHAPE, Server, make_tokens, pendesk, started
from bench.mcp_client import McpClient
from bench.places import FOLDER, seeded
from pendesk import clock
from pendesk.store.engine import sqlite
from pendesk.store.engine.sqlite import SqliteStore, SqliteTx
from tests.clients.agents import CLIENTS, PROGRAMS, connect_repo, session_arguments, step
from tests.clients.drive.client_session import run_session
from tests.clients.drive.scripted_model import SHELL, Json, ModelRequest
from tests.clients.running import RunningServer, running
from tests.postgres import PostgresCluster
from tests.transports.mcp.wire import Wire, token_of
from tests.transports.served import serving

STEPS = 50
WARM_STEPS = 2  # the server goes away after the first
HOOKS = NONE, OURS, AWAY = "none", "ours", "ours, server away"
SESSIONS, TURNS = 16, 60
TRACED_CALLS = 400

ECHO = """
import sys, uvicorn

async def app(scope, receive, send):
    body = (await receive())["body"]
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})

uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", access_log=False, log_level="error",
            lifespan="off")
"""


def main(rounds: int = 3) -> None:
    os.environ["PATH"] = os.pathsep.join([str(PROGRAMS), os.environ["PATH"]])  # for the helper that connect writes
    _show_steps("SQLite", rounds, None)
    with PostgresCluster() as cluster:
        _show_steps("PostgreSQL", rounds, cluster)
    _show_cpu(rounds)
    uvloop.run(_show_statements())


# Added to an agent's step


def _show_steps(engine: str, rounds: int, cluster: PostgresCluster | None) -> None:
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    with TemporaryDirectory(prefix="bench-hooks-") as folder:
        for number in range(rounds):
            for client, hooks in product(CLIENTS, HOOKS):
                name = f"{client}_{HOOKS.index(hooks)}_{number}"
                settings = {"database_url": cluster.create_database(name)} if cluster else {}
                times[client, hooks].append(_time_of_step(client, hooks, Path(folder) / name, settings))
    rows = [
        (client, hooks, f"{median(values):.1f}", spread(values), f"{median(values) - median(times[client, NONE]):+.1f}")
        for (client, hooks), values in times.items()
    ]
    title = f"One step of an agent on {engine}, median of {STEPS} steps, {rounds} interleaved rounds"
    show(title, ("client", "hooks", "ms", "spread", "added ms"), rows)


def _time_of_step(client: str, hooks: str, folder: Path, settings: dict[str, str]) -> float:
    """Milliseconds, the median of a session."""
    folder.mkdir()
    requests: list[ModelRequest] = []
    with ExitStack() as alive:
        server = alive.enter_context(running(folder / "data", **settings))
        repo = _connected_repo(folder / "repo", server, has_hooks=hooks != NONE)

        def watch(event: Json) -> None:
            if hooks == AWAY and event["event"] == "result" and event["step"] == 1:
                alive.close()

        arguments = session_arguments(client, repo=repo, home=folder / "home", trusts_hooks=True)
        steps = [step(SHELL, command="true")] * (WARM_STEPS + STEPS)
        log, finished = run_session(arguments, steps, watch, requests=requests)
    executed = sum(event["event"] == "result" and event["executed"] for event in log)
    if executed < len(steps):
        raise RuntimeError(f"{client}, {hooks}: {executed} steps, {finished.stderr[-2000:]}")
    arrived = [request.at for request in requests if request.steps_done is not None][WARM_STEPS:]
    return median([(later - earlier) * 1e3 for earlier, later in pairwise(arrived)])


def _connected_repo(folder: Path, server: RunningServer, *, has_hooks: bool) -> Path:
    agent = server.agent("Bench")
    server.work(agent)
    return connect_repo(folder, server.url, agent.token, *([] if has_hooks else ["--no-hooks"]))


# At the server


def hook_arguments(session: int, number: int) -> bytes:
    """As Claude Code sends it, before a tool and after it in turn."""
    names = ("agent", "agent_type", "tool", "tool_use_id", "file", "command")
    values = {"event": "PostToolBatch", "session": f"session-{session}", **dict.fromkeys(names, "")}
    if number % 2 == 0:
        values |= {"event": "PreToolUse", "tool": "Bash", "tool_use_id": f"toolu_{number}", "command": "make test"}
    return json.dumps(values).encode()


def _show_cpu(rounds: int) -> None:
    data = FOLDER / "hooks"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir(parents=True)
    shutil.copy(seeded(SHAPE), data / "pendesk.sqlite3")
    bearers = uvloop.run(make_tokens(SqliteStore(data / "pendesk.sqlite3", clock.now_us), SHAPE, SESSIONS))
    bare: list[float] = []
    ours: list[float] = []
    with started(pendesk(data)) as server, started([sys.executable, "-c", ECHO]) as echo:
        for number in range(rounds + 1):
            values = [uvloop.run(_cpu_of_call(target, bearers, number)) for target in (echo, server)]
            if number:  # the first loads what is loaded once
                bare.append(values[0])
                ours.append(values[1])
    shutil.rmtree(data)
    rows = [
        ("bare ASGI echo", f"{median(bare):.0f}", spread(bare), "1"),
        ("session_event", f"{median(ours):.0f}", spread(ours), ratio(ours, bare)),
    ]
    title = f"CPU of the server per hook call, {SESSIONS} sessions, SQLite, {rounds} interleaved rounds"
    show(title, ("", "CPU µs", "spread", "ratio to the echo"), rows)


async def _cpu_of_call(server: Server, bearers: list[str], round_number: int) -> float:
    clients = [await McpClient.connect(server.port, bearer) for bearer in bearers]
    before = server.cpu_ns()
    for turn in range(round_number * TURNS, (round_number + 1) * TURNS):
        calls = (client.call("session_event", hook_arguments(number, turn)) for number, client in enumerate(clients))
        await asyncio.gather(*calls)
    await asyncio.sleep(1)  # what the server saves afterwards is part of it
    spent = server.cpu_ns() - before
    for client in clients:
        client.close()
    return spent / 1e3 / (TURNS * SESSIONS)


class Counts:
    """How often the store's functions were called."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = defaultdict(int)

    @contextmanager
    def counting(self, owner: object, *names: str) -> Iterator[None]:
        with ExitStack() as patched:
            for name in names:
                function = getattr(owner, name)

                def counted(*args: Any, _name: str = name, _function: Any = function, **kwargs: Any) -> Any:
                    self.calls[_name] += 1
                    return _function(*args, **kwargs)

                patched.enter_context(mock.patch.object(owner, name, counted))
            yield


async def _show_statements() -> None:
    """In this process. Sessions that are known already, in even steps: what a hook call costs again and again."""
    counts = Counts()
    with TemporaryDirectory(prefix="bench-hooks-") as folder:
        async with serving(Path(folder) / "data") as served:
            wires = [Wire(served.http, await token_of(served)) for _ in range(SESSIONS)]
            await _hook_calls(wires, 4)
            await asyncio.sleep(1)
            with counts.counting(SqliteTx, "one", "all", "run"), counts.counting(sqlite, "commit"):
                await _hook_calls(wires, TRACED_CALLS // SESSIONS)
                await asyncio.sleep(1)
    rows = [(name, f"{counts.calls[name] / TRACED_CALLS:.3f}") for name in ("one", "all", "run", "commit")]
    show(f"Per hook call, {TRACED_CALLS} of {SESSIONS} sessions, SQLite", ("function of the store", "times"), rows)


async def _hook_calls(wires: list[Wire], turns: int) -> None:
    for turn in range(turns):
        for number, wire in enumerate(wires):
            arguments = json.loads(hook_arguments(number, turn))
            await wire.result("tools/call", name="session_event", arguments=arguments)
