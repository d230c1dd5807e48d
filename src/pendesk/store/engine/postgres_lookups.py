"""Look-ups on the event loop's own thread: on the path of every call one row is read, by the hash of a secret.

A transaction in a thread costs several times what that one statement does. So look-ups share a connection of their own,
in pipeline mode: each is sent at once, with a sync behind it, and whoever waits goes on when its rows have come. The
work is a plain function: where it reads, it is left by an exception, and runs again once it has the rows. Whatever is
wrong with the connection, the pool is asked instead, which knows how to wait, to try again and to refuse.
"""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg.pq import ExecStatus

from pendesk.clock import Clock
from pendesk.store.engine import dialect
from pendesk.store.engine.postgres_link import PipelinedConnection, SentStatement
from pendesk.store.engine.postgres_tx import CLOCK
from pendesk.store.engine.tx import Row

T = TypeVar("T")

ANSWER_WAIT_S = 5.0
RECONNECT_S = 1.0


class LookupsUnavailable(Exception):
    """Ask by a transaction."""


class RowsNeeded(Exception):
    def __init__(self, sql: str, params: dict[str, Any]) -> None:
        self.sql = sql
        self.params = params


class Answer(NamedTuple):
    now: int
    rows: list[Row]


class LookupTx:
    """What the work sees: rows that have come, in the order in which it asks for them."""

    workspace = ""
    writes_alone = False

    def __init__(self, clock: Clock | None) -> None:
        self._now = clock() if clock else None
        self._answers: list[list[Row]] = []
        self._taken = 0

    @property
    def now(self) -> int:
        if self._now is None:
            raise RowsNeeded(CLOCK, {})
        return self._now

    def one(self, sql: str, **params: Any) -> Row | None:
        rows = self.all(sql, **params)
        return rows[0] if rows else None

    def all(self, sql: str, **params: Any) -> list[Row]:
        if self._taken == len(self._answers):
            if dialect.reads_numbered_log(sql):
                raise LookupsUnavailable
            raise RowsNeeded(sql, {**params, "workspace": ""})
        self._taken += 1
        return self._answers[self._taken - 1]

    def run_again_with(self, answer: Answer, needed: RowsNeeded) -> None:
        self._taken = 0
        self._now = self._now or answer.now
        if needed.sql != CLOCK:
            self._answers.append(answer.rows)


class _Pending(NamedTuple):
    answer: "asyncio.Future[Answer]"
    clock: SentStatement
    rows: SentStatement


class LookupLink:
    """A connection whose socket the event loop watches."""

    def __init__(self, link: PipelinedConnection) -> None:
        self.loop = asyncio.get_running_loop()
        self.is_open = True
        self._link = link
        self._pending: deque[_Pending] = deque()
        self._will_flush = False
        link.begin_lookups()
        # Our own name for the socket: libpq closes it as soon as the connection is lost.
        self._socket = os.dup(link.socket)
        self.loop.add_reader(self._socket, self._on_readable)

    async def ask(self, sql: str, params: dict[str, Any]) -> Answer:
        pending = _Pending(self.loop.create_future(), self._link.send(CLOCK, {}), self._link.send(sql, params))
        self._link.end_statement()
        self._pending.append(pending)
        if not self._will_flush:  # once for all who ask in the same turn of the loop
            self._will_flush = True
            self.loop.call_soon(self._flush)
        timer = self.loop.call_later(ANSWER_WAIT_S, self.close)
        try:
            return await pending.answer
        finally:
            timer.cancel()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self.loop.remove_reader(self._socket)
            os.close(self._socket)
            self._link.close()
        while self._pending:
            pending = self._pending.popleft()
            if not pending.answer.done():
                pending.answer.set_exception(LookupsUnavailable())

    def _flush(self) -> None:
        self._will_flush = False
        try:
            if self.is_open and not self._link.try_flush():
                self.close()  # so much waits to be sent that the server is not there
        except psycopg.Error:
            self.close()

    def _on_readable(self) -> None:
        try:
            for status in self._link.iter_arrived_results():
                if status == ExecStatus.PIPELINE_SYNC:
                    self._deliver(self._pending.popleft())
                elif status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
                    self.close()
                    return
        except psycopg.Error:
            self.close()

    def _deliver(self, pending: _Pending) -> None:
        if not pending.answer.done():
            [(now,)] = self._link.fetch_rows(pending.clock)
            pending.answer.set_result(Answer(now, self._link.fetch_rows(pending.rows)))


class Lookups:
    def __init__(self, connect: Callable[[], PipelinedConnection], clock: Clock | None) -> None:
        self._connect = connect
        self._clock = clock
        self._link: LookupLink | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._next_try = 0.0
        self._closed = False

    async def run(self, work: Callable[[Any], T]) -> T:
        tx = LookupTx(self._clock)
        while True:
            try:
                return work(tx)
            except RowsNeeded as needed:
                tx.run_again_with(await self._get_link().ask(needed.sql, needed.params), needed)

    def disconnect(self) -> None:
        """The next one connects anew, perhaps to another server. From any thread."""
        link, self._link = self._link, None
        if link is not None:
            with suppress(RuntimeError):  # its loop is closed
                link.loop.call_soon_threadsafe(link.close)

    async def close(self) -> None:
        self._closed = True
        if self._connecting is not None:
            await self._connecting
        if self._link is not None:
            self._link.close()

    def _get_link(self) -> LookupLink:
        link, loop = self._link, asyncio.get_running_loop()
        if link is not None and link.is_open and link.loop is loop:
            return link
        if self._connecting is None and not self._closed and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + RECONNECT_S
            self._connecting = loop.create_task(self._reconnect())
        raise LookupsUnavailable

    async def _reconnect(self) -> None:
        try:
            with suppress(psycopg.Error):
                self._link = LookupLink(await asyncio.to_thread(self._connect))
        finally:
            self._connecting = None
