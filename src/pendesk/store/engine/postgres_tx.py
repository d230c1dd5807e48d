"""One transaction of PostgreSQL, as an operation sees it."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from pendesk.clock import Clock
from pendesk.store.engine import dialect
from pendesk.store.engine.postgres_link import PipelinedConnection, SentStatement
from pendesk.store.engine.tx import Row, count_text_bytes

T = TypeVar("T")

CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"


class LogBehind(Exception):
    """The log is read by its numbers, and what this process has committed has not got them yet: begin again then."""


class PostgresTx:
    __slots__ = (
        "_clock",
        "_link",
        "_log_behind",
        "_now",
        "_read_ahead",
        "logged",
        "tables_to_analyze",
        "text_bytes",
        "workspace",
    )
    writes_alone = saves_in_parts = False

    def __init__(self, link: PipelinedConnection, workspace: str, clock: Clock | None, *, log_behind: bool) -> None:
        self._link = link
        self._log_behind = log_behind
        self._now = clock() if clock else None
        # Asked at once, read when it is needed: most operations read something else before.
        self._clock = link.send(CLOCK, {}) if clock is None else None
        self._read_ahead: dict[tuple[Any, ...], SentStatement] = {}
        self.workspace = workspace
        self.logged = False  # has it written an event
        self.text_bytes = 0
        self.tables_to_analyze: list[str] = []

    @property
    def now(self) -> int:
        if self._now is None:
            assert self._clock is not None
            self._now = self._link.fetch_rows(self._clock)[0][0]
        return self._now

    def one(self, sql: str, **params: Any) -> Row | None:
        rows = self.all(sql, **params)
        return rows[0] if rows else None

    def all(self, sql: str, **params: Any) -> list[Row]:
        if self._log_behind and dialect.reads_numbered_log(sql):
            raise LogBehind
        sent = self._read_ahead.pop((sql, *params.items()), None) if self._read_ahead else None
        if sent is None:
            params["workspace"] = self.workspace
            sent = self._link.send(sql, params)
        return self._link.fetch_rows(sent)

    def read_ahead(self, sql: str, **params: Any) -> None:
        if self._log_behind and dialect.reads_numbered_log(sql):
            raise LogBehind
        key = (sql, *params.items())
        params["workspace"] = self.workspace
        self._read_ahead[key] = self._link.send(sql, params)

    def run(self, sql: str, **params: Any) -> None:
        params["workspace"] = self.workspace
        self.text_bytes += count_text_bytes(params)
        self._link.send(sql, params)

    def run_returning(self, sql: str, **params: Any) -> list[Row]:
        params["workspace"] = self.workspace
        self.text_bytes += count_text_bytes(params)
        return self._link.fetch_rows(self._link.send(sql, params))

    lock = run

    def rollback(self) -> None:
        self._link.send("ROLLBACK", {})
        self._link.send("BEGIN", {})
        self._read_ahead.clear()
        self.logged = False
        self.text_bytes = 0

    def let_others_write(self) -> None:
        pass  # nobody waits for it

    def while_others_write(self, read: Callable[[], T]) -> T:
        return read()

    def update_statistics_after_commit(self, tables: Collection[str]) -> None:
        self.tables_to_analyze = sorted(tables)

    def append_event(self, sql_values: dict[str, Any]) -> None:
        self.run(dialect.POSTGRES_APPEND_EVENT, **sql_values)
        self.logged = True

    def append_event_returning_id(self, sql_values: dict[str, Any]) -> int:
        rows = self.run_returning(dialect.POSTGRES_APPEND_EVENT, **sql_values)
        self.logged = True
        event_id: int = rows[0][0]
        return event_id

    def full_text_search(self, words: list[str], project_id: str, kind: str, parts: str, limit: int) -> list[Row]:
        scope = {"project_id": project_id, "kind": kind}
        query = dialect.build_postgres_tsquery(words)
        return self.all(dialect.POSTGRES_SEARCH, query=query, parts=parts, limit=limit, **scope)

    def full_text_action_ids(self, words: list[str], project_id: str, after: str, limit: int) -> list[str]:
        query = dialect.build_postgres_tsquery(words)
        rows = self.all(
            dialect.POSTGRES_SEARCH_ACTION_IDS, query=query, project_id=project_id, after=after, limit=limit
        )
        return [row[0] for row in rows]
