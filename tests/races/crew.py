"""Several processes at one database, each with its own store and dispatcher, that start together at a barrier."""

import asyncio
import multiprocessing
import traceback
from collections.abc import Awaitable, Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec

from pendesk.clock import Clock
from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.domain.limits import Limits
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import Installation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.desk import FILES, START, HandClock

CONNECTIONS = 8
BARRIER_SECONDS = 60
JOB_SECONDS = 300

_SPAWN = multiprocessing.get_context("spawn")


class Place(NamedTuple):
    """Where the database is."""

    engine: str
    where: str

    def open(self, clock: Clock) -> Store:
        if self.engine == "sqlite":
            return SqliteStore(Path(self.where), clock)
        return PostgresStore(self.where, clock, connections=CONNECTIONS)


class SharedClock(HandClock):
    """One hand clock for all processes."""

    def __init__(self, moment: Any) -> None:
        self._moment = moment

    @property
    def now(self) -> int:
        moment: int = self._moment.value
        return moment

    @now.setter
    def now(self, moment: int) -> None:
        self._moment.value = moment


class Outcome(NamedTuple):
    """`ok`, or the refusal's code; and what came with it."""

    word: str
    told: Any

    @property
    def ok(self) -> bool:
        return self.word == "ok"


class Post:
    """What one process of the crew works with."""

    def __init__(self, place: Place, rank: int, barrier: Any, clock: SharedClock) -> None:
        self.rank = rank
        self.clock = clock
        self.store = place.open(clock)
        self.dispatcher = Dispatcher(
            self.store, OPERATIONS, Installation(Limits(), b"a signing key for tests", "http://127.0.0.1:3847", FILES)
        )
        self._barrier = barrier

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> Outcome:
        try:
            answer = await self.dispatcher.call(actor, operation, arguments)
        except Refusal as refused:
            return Outcome(refused.code, refused.details)
        return Outcome("ok", msgspec.json.decode(encode_json(answer)))

    async def together(self, calls: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
        """Run all calls of all processes at once: nobody starts before everybody is ready."""
        gate = asyncio.Event()

        async def one(call: Callable[[], Awaitable[Any]]) -> Any:
            await gate.wait()
            return await call()

        tasks = [asyncio.ensure_future(one(call)) for call in calls]
        await asyncio.sleep(0)
        self._barrier.wait(BARRIER_SECONDS)
        gate.set()
        return await asyncio.gather(*tasks)


Job = Callable[..., Awaitable[Any]]


class Crew:
    """A context manager; its processes end with it."""

    def __init__(self, place: Place, processes: int) -> None:
        self.place = place
        self.processes = processes
        self.clock = SharedClock(_SPAWN.Value("q", START, lock=False))

    def __enter__(self) -> Self:
        self._barrier = _SPAWN.Barrier(self.processes)
        self._links: list[Connection] = []
        self._workers = []
        for rank in range(self.processes):
            here, there = _SPAWN.Pipe()
            args = (self.place, rank, self._barrier, self.clock._moment, there)
            worker = _SPAWN.Process(target=_work, args=args, daemon=True)
            worker.start()
            there.close()
            self._links.append(here)
            self._workers.append(worker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for link in self._links:
            link.close()  # the worker reads the end of its orders, and ends
        for worker in self._workers:
            worker.join(30)
            if worker.is_alive():
                worker.kill()
                worker.join()

    def run(self, job: Job, parts: Sequence[tuple[Any, ...]]) -> list[Any]:
        """`await job(post, *part)` in every process, each with its own part; what each gave, in order."""
        assert len(parts) == self.processes
        for link, part in zip(self._links, parts, strict=True):
            link.send((job, part))
        answers = [_receive(link) for link in self._links]
        for worked, answer in answers:
            if not worked:
                raise AssertionError(f"a process of the crew failed:\n{answer}")
        return [answer for _, answer in answers]

    def share(self, things: Sequence[Any]) -> list[list[Any]]:
        """Deal things out to the processes."""
        return [list(things[rank :: self.processes]) for rank in range(self.processes)]


def _receive(link: Connection) -> tuple[bool, Any]:
    if not link.poll(JOB_SECONDS):
        return False, f"no answer in {JOB_SECONDS} seconds"
    answer: tuple[bool, Any] = link.recv()
    return answer


def _work(place: Place, rank: int, barrier: Any, moment: Any, orders: Connection) -> None:
    with asyncio.Runner() as runner:
        post = Post(place, rank, barrier, SharedClock(moment))
        while True:
            try:
                job, part = orders.recv()
            except (EOFError, OSError):
                break
            try:
                answer = (True, runner.run(job(post, *part)))
            except BaseException:
                barrier.abort()  # the others must not wait for this one
                answer = (False, traceback.format_exc())
            orders.send(answer)
        runner.run(post.store.close())
