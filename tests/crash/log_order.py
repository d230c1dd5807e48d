"""Writers, each of which numbers events too, are killed again and again while a reader follows the log.

Every event names one that its writer had seen. The reader must find the numbers without a gap, nothing twice, every
cause before its effect, and in the end everything that was acknowledged; read again, the log is what it saw.
"""

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import psycopg
import uvloop

from pendesk.ids import new_id
from pendesk.store.engine import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.crash.kills import Tally
from tests.desk import HandClock, TestDesk
from tests.postgres import PostgresCluster

WRITERS = 4
LANES = 3
LIVE_S = (0.3, 1.2)
NEWEST_SEEN = "SELECT object_id FROM recorded_events WHERE workspace_id = :workspace ORDER BY id DESC LIMIT 1"
LOCK = "SELECT 1 FROM workspaces WHERE id = :workspace FOR KEY SHARE"
AFTER = "SELECT seq, object_id, data FROM events WHERE workspace_id = %s AND seq > %s ORDER BY seq"


def _event(name: str, saw: str) -> dict[str, Any]:
    values = dict.fromkeys(("actor_id", "agent_model", "project_id", "spec_id", "action_id", "about_user_id"))
    return values | {
        "at": 0,
        "kind": "project.edited",
        "door": "web",
        "object_id": name,
        "data": json.dumps({"saw": saw}),
        "agent_session_id": None,
    }


def _write_for_ever(url: str, workspace: str, acknowledged: Connection) -> None:
    async def run() -> None:
        store = PostgresStore(url, None, connections=LANES)
        store.on_commit(lambda _workspace: None)
        await asyncio.gather(*(_write(store, workspace, acknowledged) for _ in range(LANES)))

    uvloop.run(run())


async def _write(store: PostgresStore, workspace: str, acknowledged: Connection) -> None:
    while True:
        name = new_id()

        def work(tx: Any, name: str = name) -> None:
            tx.lock(LOCK)  # as every operation does first: a transaction has its own id from there on
            row = tx.one(NEWEST_SEEN)
            tx.append_event(_event(name, row[0] if row else ""))

        await store.write(workspace, work)
        acknowledged.send(name)


class Reader:
    def __init__(self, url: str, workspace: str) -> None:
        self.faults: list[str] = []
        self.names: dict[str, int] = {}
        self._connection = psycopg.connect(url, autocommit=True)
        self._workspace = workspace

    def read_on(self) -> None:
        for seq, name, data in self._connection.execute(AFTER, (self._workspace, len(self.names))):
            if seq != len(self.names) + 1:
                self.faults.append(f"after {len(self.names)} comes {seq}")
            if name in self.names:
                self.faults.append(f"{name} twice")
            saw = json.loads(data)["saw"]
            if saw and saw not in self.names:
                self.faults.append(f"{seq} saw {saw}, which comes later")
            self.names[name] = seq

    def number_and_check(self, acknowledged: set[str]) -> None:
        self._connection.execute("SELECT number_events('0', NULL)")
        self.read_on()
        self.faults += [f"lost: {name}" for name in acknowledged - self.names.keys()]
        again = {name: seq for seq, name, _ in self._connection.execute(AFTER, (self._workspace, 0))}
        if again != self.names:
            self.faults.append("read again, the log is another")
        self._connection.close()


def order_under_kills(cluster: PostgresCluster, kills: int, chance: random.Random) -> Tally:
    url = cluster.create_database("log_order")
    migrate.migrate(None, url)
    workspace = uvloop.run(_workspace(url))
    reader = Reader(url, workspace)
    acknowledged: set[str] = set()
    for _ in _lives_of_writers(url, workspace, kills, chance, acknowledged):
        reader.read_on()
    reader.number_and_check(acknowledged)
    notes = f"{len(reader.names)} events read while {WRITERS} processes write and number"
    return Tally("kill -9 of who writes and numbers events", kills, len(acknowledged), notes, reader.faults)


async def _workspace(url: str) -> str:
    desk = TestDesk(PostgresStore(url, HandClock(), connections=1), HandClock())
    await desk.open()
    await desk.store.close()
    return desk.workspace


class Writer:
    """A process that lives for some time after its first word."""

    def __init__(self, url: str, workspace: str, life_s: float) -> None:
        spawn = get_context("spawn")
        self._ours, theirs = spawn.Pipe(duplex=False)
        self._process = spawn.Process(target=_write_for_ever, args=(url, workspace, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._life_s, self._dies_at = life_s, 0.0

    def listen(self, acknowledged: set[str]) -> None:
        with suppress(EOFError, OSError):
            while self._ours.poll():
                acknowledged.add(self._ours.recv())
                self._dies_at = self._dies_at or time.monotonic() + self._life_s

    def is_due(self) -> bool:
        return 0.0 < self._dies_at <= time.monotonic()

    def kill(self, acknowledged: set[str]) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self.listen(acknowledged)


def _lives_of_writers(
    url: str, workspace: str, kills: int, chance: random.Random, acknowledged: set[str]
) -> Iterator[None]:
    """Ever so often; whoever has lived long enough is killed, and another begins."""
    living: list[Writer] = []
    killed = 0
    while killed < kills:
        while len(living) < WRITERS:
            living.append(Writer(url, workspace, chance.uniform(*LIVE_S)))
        for writer in list(living):
            writer.listen(acknowledged)
            if writer.is_due():
                writer.kill(acknowledged)
                living.remove(writer)
                killed += 1
        yield
        time.sleep(0.01)
    for writer in living:
        writer.kill(acknowledged)
