"""The mixed load: every client claims an action, reads its brief, reports progress and gives the action back.

A client sends JSON text and gets JSON text, as a transport would; there is no HTTP.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.seed import ACTION, AGENTS, SPEC_ACTIONS, Shape, actor, ident
from pendesk.domain.access import Actor
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.limits import Limits
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import Installation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store.files import Files

CYCLE = ("claim_action", "get_action_brief", "update_progress", "release_action")
WARM_CYCLES = 16


class Work(NamedTuple):
    actor: Actor
    action_pid: str


class Served(NamedTuple):
    operations: int
    seconds: float
    cpu_seconds: float
    latencies: list[float]

    @property
    def per_second(self) -> float:
        return self.operations / self.seconds

    @property
    def cpu_us(self) -> float:
        return self.cpu_seconds / self.operations * 1e6


def open_dispatcher(store: Store) -> Dispatcher:
    return Dispatcher(
        store,
        OPERATIONS,
        Installation(
            Limits(), b"a signing key for benchmarks", "http://127.0.0.1:3847", Files(Path(tempfile.gettempdir()))
        ),
    )


def works(shape: Shape, client: int, clients: int) -> Iterator[Work]:
    """The actions of one client, without end; no two clients share an action or an agent."""
    # pgbench.py computes the same numbers in pgbench's own language.
    workspace = client % shape.workspaces
    lane, lanes = client // shape.workspaces, max(1, clients // shape.workspaces)
    per_agent = max(1, shape.actions_per_workspace // (AGENTS * SPEC_ACTIONS)) * SPEC_ACTIONS
    turn = lane
    while True:
        agent, count = turn % AGENTS, turn // AGENTS % per_agent
        spec = agent + AGENTS * (count // SPEC_ACTIONS)
        number = workspace * shape.actions_per_workspace + spec * SPEC_ACTIONS + count % SPEC_ACTIONS
        first_spec = workspace * (shape.actions_per_workspace // SPEC_ACTIONS)
        yield Work(actor(workspace, 1 + (first_spec + spec) % AGENTS), ident(ACTION, number))
        turn += lanes


def at_terminal(work: Work) -> Work:
    """By an agent with a token, whose session is looked up: as over MCP. pgbench cannot compute the marks of one."""
    user_id = work.actor.user_id
    origin = CallOrigin("claude-code", "laptop", marks=frozenset({make_mark(MarkKind.PROCESS, user_id)}))
    return work._replace(actor=work.actor._replace(token_id=user_id, origin=origin))


def arguments(operation: str, work: Work) -> bytes:
    args = {"action_pid": work.action_pid}
    if operation == "update_progress":
        args |= {"status": "started", "message": "Wrote the failing test first, then made it pass."}
    if operation == "claim_action":
        args |= {"agent_model": "bench-model-1"}
    return encode_json(args)


async def cycle(dispatcher: Dispatcher, work: Work, latencies: list[float]) -> None:
    for operation in CYCLE:
        begun = time.perf_counter()
        encode_json(await dispatcher.call(work.actor, operation, arguments(operation, work)))
        latencies.append(time.perf_counter() - begun)


async def serve(store: Store, shape: Shape, clients: int, seconds: float, first: int = 0, of: int = 0) -> Served:
    """Let `clients` clients work for some seconds. With `of`, they are a part, from `first` on, of that many."""
    dispatcher = open_dispatcher(store)
    lanes = [works(shape, first + client, of or clients) for client in range(clients)]
    stop_at = 0.0
    latencies: list[float] = []

    async def run(lane: Iterator[Work], cycles: int) -> None:
        for work in lane:
            await cycle(dispatcher, work, latencies)
            cycles -= 1
            if (cycles <= 0) if not stop_at else (time.perf_counter() >= stop_at):
                return

    await asyncio.gather(*(run(lane, WARM_CYCLES) for lane in lanes))
    latencies.clear()
    begun, cpu = time.perf_counter(), time.process_time()
    stop_at = begun + seconds
    await asyncio.gather(*(run(lane, 0) for lane in lanes))
    return Served(len(latencies), time.perf_counter() - begun, time.process_time() - cpu, latencies)
