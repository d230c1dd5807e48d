"""Numbers the events of PostgreSQL's log after their commit: a write leaves them in an outbox, and any process moves
what is committed into the log, in batches (the function number_events of the database; docs/internals/events.md).

There is no leader. Every process has one thread for it with a connection of its own, so that it never queues behind the
writers it works for. It is woken by the commits of this process, and looks once a second for what a process left that
died before it came to it.
"""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

import psycopg

from pendesk.store.engine import dialect
from pendesk.store.engine.postgres_connect import FailureLog, connect

# Between two batches while writes go on: each batch then serves several commits, and nobody sees it later than that.
PAUSE_S = 0.005
LOOK_EVERY_S = 1.0
RETRY_S = 0.5
CATCH_UP_S = 5.0


class EventNumbering:
    def __init__(self, url: str, failures: FailureLog) -> None:
        self._on_numbered: Callable[[str], object] = lambda _workspace: None
        self._url = url
        self._failures = failures
        self._connection: psycopg.Connection[tuple[str, str, list[str] | None]] | None = None
        # What the database gave us to begin at with the next call.
        self._done_below, self._server = "0", "-infinity"
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._waiting = 0
        self._sleeps_until_behind = False
        self._workspaces: set[str] = set()
        # Nobody knows what was there before: until the first call something may be without a number.
        self._committed, self._numbered = 1, 0

    @property
    def is_behind(self) -> bool:
        """Whether events that this process committed may have no number yet."""
        return self._numbered < self._committed

    def record_commit(self, workspace: str) -> None:
        """Events of the workspace are committed: number them soon."""
        with self._changed:
            self._committed += 1
            self._workspaces.add(workspace)
            self._start_thread()
            if self._sleeps_until_behind:  # else it comes to this by itself: to wake it for each commit costs more
                self._changed.notify_all()

    def start(self, on_numbered: Callable[[str], object]) -> None:
        """Also without a commit of our own: for a server, which numbers what others left."""
        with self._changed:
            self._on_numbered = on_numbered
            self._start_thread()

    def catch_up(self) -> None:
        """Wait until everything that this process committed before has its number; not for ever."""
        with self._changed:
            goal = self._committed
            self._waiting += 1
            self._start_thread()
            self._changed.notify_all()
            try:
                self._changed.wait_for(lambda: self._numbered >= goal or self._closing, CATCH_UP_S)
            finally:
                self._waiting -= 1

    def close(self) -> None:
        """Number the rest, and end."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _start_thread(self) -> None:
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._run, name="pendesk-numbering", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._closing or self.is_behind:
            try:
                numbered_any = self._number_batch()
            except psycopg.Error as error:
                if self._closing:
                    break  # another process does it, or our next start
                self._failures.log_only(error)
                self._disconnect()
                self._pause(RETRY_S)
                continue
            self._pause(PAUSE_S if numbered_any else LOOK_EVERY_S, until_behind=not numbered_any)
        self._disconnect()

    def _number_batch(self) -> bool:
        with self._changed:
            committed = self._committed
            workspaces, self._workspaces = self._workspaces, set()
        try:
            numbered = self._call_database()
        except psycopg.Error:
            with self._changed:
                self._workspaces |= workspaces
            raise
        with self._changed:
            self._numbered = committed
            self._changed.notify_all()
        # Ours may have been numbered by another process a moment before.
        self._tell({*workspaces, *numbered})
        return bool(workspaces or numbered)

    def _call_database(self) -> list[str]:
        if self._connection is None:
            self._connection = connect(self._url, autocommit=True)
        row = self._connection.execute(dialect.POSTGRES_NUMBER_EVENTS, (self._done_below, self._server)).fetchone()
        assert row is not None
        self._done_below, self._server, numbered = row
        return numbered or []

    def _tell(self, workspaces: Iterable[str]) -> None:
        with suppress(RuntimeError):  # the loop of those who wait is closed
            for workspace in workspaces:
                self._on_numbered(workspace)

    def _pause(self, seconds: float, *, until_behind: bool = False) -> None:
        """Cut short by who waits for a number, and, where that is asked for, by the next commit."""
        with self._changed:
            self._sleeps_until_behind = until_behind
            self._changed.wait_for(
                lambda: self._closing or (self.is_behind and (until_behind or self._waiting > 0)), seconds
            )
            self._sleeps_until_behind = False

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
