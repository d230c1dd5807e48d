"""The turn of one long write on SQLite, which has one writer: it may be given to others and taken again.

What is committed when it is given away is seen by everybody, so whoever does that keeps it out of sight: see
operations/exchange/import_project.py.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import apsw

T = TypeVar("T")

TURN_S = 0.1
# Another process looks for its moment every BUSY_PAUSE_S (sqlite.py).
PAUSE_S = 0.005


class LongWriteTurn:
    """`give` ends it, `ask` wants another one: what it is called with is called when that begins, in another thread."""

    def __init__(
        self, connection: apsw.Connection, *, give: Callable[[], object], ask: Callable[[Callable[[], None]], object]
    ) -> None:
        self._connection = connection
        self._give = give
        self._ask = ask
        # Ours come while others write, where nobody waits for them.
        connection.wal_autocheckpoint(0)

    def begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._began = time.monotonic()

    def is_over(self) -> bool:
        return time.monotonic() - self._began >= TURN_S

    def while_others_write(self, work: Callable[[], T]) -> T:
        """What was written before has been committed. `work` may read, of one moment."""
        self._give()
        try:
            self._connection.pragma("foreign_keys", False)  # what is referred to may come with the last part
            self._connection.execute("BEGIN")
            return work()
        finally:
            with suppress(apsw.Error):
                self._connection.execute("ROLLBACK")
            is_ours = threading.Event()
            self._ask(is_ours.set)
            is_ours.wait()
            self.begin()

    def pause(self) -> None:
        paused_until = time.monotonic() + PAUSE_S
        with suppress(apsw.Error):  # the next one tries again
            self._connection.execute("ROLLBACK")
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        time.sleep(max(0.0, paused_until - time.monotonic()))
