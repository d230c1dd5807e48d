"""What an operation sees of a database: one transaction, of one workspace, at one moment."""

from collections.abc import Callable, Collection
from typing import Any, Protocol, TypeVar

from pendesk.domain.limits import COUNTED_TEXT_CHARS

T = TypeVar("T")

Row = tuple[Any, ...]
Query = tuple[str, dict[str, Any]]  # a statement and its parameters


class Tx(Protocol):
    """Statements are SQL that both engines understand, with `:name` parameters.

    `:workspace` is always the caller's own, so a query cannot name another one. `now` is the store's clock, read
    once: every rule of one transaction sees the same moment.
    """

    workspace: str
    # Whether nobody else writes meanwhile: then what was read stays as it is, and a lock adds nothing.
    writes_alone: bool
    # Whether others wait for all that this one writes, so that it has to be saved in parts where it takes long.
    saves_in_parts: bool
    # How much long text its statements have written so far.
    text_bytes: int

    @property
    def now(self) -> int: ...

    def one(self, sql: str, **params: Any) -> Row | None:
        """The first row, or None."""

    def all(self, sql: str, **params: Any) -> list[Row]:
        """Every row."""

    def read_ahead(self, sql: str, **params: Any) -> None:
        """Have the rows on their way that the next `one` or `all` with the same words and values takes.

        As they are now: for what is written in between, in this transaction, does not change them. On PostgreSQL
        what is read ahead costs no round trip of its own; SQLite reads when it is asked.
        """

    def run(self, sql: str, **params: Any) -> None:
        """A statement whose rows nobody needs."""

    def run_returning(self, sql: str, **params: Any) -> list[Row]:
        """A statement that writes, and the rows that it gives back."""

    def lock(self, sql: str, **params: Any) -> None:
        """Lock rows until the commit, mostly by a SELECT ... FOR NO KEY UPDATE. SQLite's one writer needs no such lock.

        Always a statement of its own, before what it protects is read: a row that was waited for is read anew only
        by the next statement.
        """

    def rollback(self) -> None:
        """Forget what this transaction wrote so far; it may write on."""

    def let_others_write(self) -> None:
        """Called between the steps of a long write. Where `saves_in_parts`, and it has had its turn for long enough,
        what was written so far is saved for all to see and the others have theirs. `now` is another moment afterwards.
        """

    def while_others_write(self, read: Callable[[], T]) -> T:
        """The same at once, with something to do meanwhile that writes nothing. From then on, where `saves_in_parts`,
        references are not checked: what is half done may lack the rows that it hangs on.
        """

    def update_statistics_after_commit(self, tables: Collection[str]) -> None:
        """So much was written into them that PostgreSQL should look at them anew: it plans for what it saw before.
        SQLite's plans follow from the statements alone.
        """

    def append_event(self, sql_values: dict[str, Any]) -> None:
        """Write one event of the log. Its number may come after the commit."""

    def append_event_returning_id(self, sql_values: dict[str, Any]) -> int:
        """The same, where its id is needed: on PostgreSQL that has to be waited for."""

    def full_text_search(self, words: list[str], project_id: str, kind: str, parts: str, limit: int) -> list[Row]:
        """The newest texts that hold all words, the last of which may be a beginning; a blank project or kind means
        all. Each with the id of its object, and how many of `parts` its title has. The words are domain.search's.
        """

    def full_text_action_ids(self, words: list[str], project_id: str, after: str, limit: int) -> list[str]:
        """The actions of a project whose texts hold all words, in the order of their ids, after one of them."""


def count_text_bytes(params: dict[str, Any]) -> int:
    """Of the long texts among them."""
    size = 0
    for value in params.values():
        if type(value) is str and len(value) >= COUNTED_TEXT_CHARS:
            size += len(value) if value.isascii() else len(value.encode())
    return size


def all_at_once(tx: Tx, *queries: Query) -> list[list[Row]]:
    """Every row of each of several statements, none of which needs another's rows."""
    for sql, params in queries:
        tx.read_ahead(sql, **params)
    return [tx.all(sql, **params) for sql, params in queries]


def columns_sql(row_type: type, table_alias: str = "") -> str:
    """The select list of a noun: its fields are the columns, in order, so that `Noun(*row)` is the row."""
    dot = f"{table_alias}." if table_alias else ""
    return ", ".join(dot + name for name in row_type._fields)  # type: ignore[attr-defined]


def insert_sql(table: str, row_type: type) -> str:
    """The insert statement of a noun into its table, for `tx.run(sql, **noun._asdict())`."""
    names: tuple[str, ...] = row_type._fields  # type: ignore[attr-defined]
    values = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {table} (workspace_id, {', '.join(names)}) VALUES (:workspace, {values})"


def any_row_sql(select: str) -> str:
    """The condition that a subquery gives a row, looked up for each row around it.

    For EXISTS, PostgreSQL may put a whole table into a hash instead, for a hundred rows.
    """
    return f"(({select} LIMIT 1) IS NOT NULL)"
