"""Queries on the rows of a whole project, made from the tables of tables.py."""

from collections.abc import Iterator
from typing import Any

from pendesk.store.engine.tx import Row, Tx
from pendesk.store.portable.tables import BY_NAME, ID, LOG, OF_PROJECT, PEOPLE, Table

ROWS_PER_STEP = 100
STEP_CHARS = 2_000_000
STEP_ROWS = 5_000


def iter_rows(tx: Tx, table: Table, project_id: str) -> Iterator[Row]:
    """Every row of the project, in the order of its keys, a step at a time."""
    keys = len(table.keys)
    after: list[Any] = [-1 if _is_integer_sort_column(key) else "" for key in table.keys]
    limit = ROWS_PER_STEP
    while True:
        places = {f"after_{n}": key for n, key in enumerate(after)}
        step = tx.all(PAGE[table.name], project_id=project_id, limit=limit, **places)
        yield from (row[keys:] for row in step)
        if len(step) < limit:
            return
        after = list(step[-1][:keys])
        limit = _next_batch_size(step)


def _next_batch_size(batch: list[Row]) -> int:
    """Many short rows at once, few long ones: a step costs time, and its texts memory."""
    chars = sum(len(cell) for row in batch for cell in row if isinstance(cell, str))
    return max(ROWS_PER_STEP, min(STEP_ROWS, STEP_CHARS * len(batch) // max(1, chars)))


def user_ids_in(tx: Tx, table: Table, project_id: str) -> set[str]:
    """Whoever a row of the table names."""
    return {row[0] for statement in PEOPLE_IN[table.name] for row in tx.all(statement, project_id=project_id)}


def add(tx: Tx, table: Table, row: dict[str, Any]) -> None:
    tx.run(INSERT[table.name], **row)


def insert_sql(table: Table) -> str:
    """For `tx.run(sql, **row)`: the exported columns, those that an import gives, and the project's own id."""
    owned = () if table.name == "projects" or table.where_sql != OF_PROJECT else ("project_id",)
    names = [*owned, *table.columns, *table.filled_in]
    values = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {table.name} (workspace_id, {', '.join(names)}) VALUES (:workspace, {values})"


def any_existing_id(tx: Tx, table: Table, candidate_ids_json: str) -> str | None:
    """Of a JSON list of ids, one that the workspace has already."""
    row = tx.one(EXISTING_ID[table.name], ids=candidate_ids_json)
    return row[0] if row else None


def _select_page_sql(table: Table) -> str:
    keys = ", ".join(f"{key} COLLATE BINARY" if _is_free_text_column(table, key) else key for key in table.keys)
    after = ", ".join(f":after_{n}" for n in range(len(table.keys)))
    names = ", ".join([*table.keys, *(column.read_sql or name for name, column in table.columns.items())])
    return (
        f"SELECT {names} FROM {table.name} WHERE workspace_id = :workspace AND {table.where_sql} "
        f"AND ({keys}) > ({after}) ORDER BY {keys} LIMIT :limit"
    )


def _is_integer_sort_column(column_name: str) -> bool:
    return column_name in ("number", "seq", "revision")


def _is_free_text_column(table: Table, column_name: str) -> bool:
    """Sorted by its bytes and no language's alphabet. Ids are in the same order in both, and have an index."""
    return (
        not _is_integer_sort_column(column_name)
        and table.columns[column_name].type is not ID.type
        and not table.columns[column_name].references
    )


def _select_user_ids_queries(table: Table) -> list[str]:
    return [
        f"SELECT DISTINCT {column.read_sql or name} FROM {table.name} WHERE workspace_id = :workspace "
        f"AND {table.where_sql} AND {column.read_sql or name} IS NOT NULL"
        for name, column in table.columns.items()
        if column.references == PEOPLE
    ]


INSERT = {name: insert_sql(table) for name, table in BY_NAME.items()}
_READ = [*BY_NAME.values(), LOG]
PAGE = {table.name: _select_page_sql(table) for table in _READ}
PEOPLE_IN = {table.name: _select_user_ids_queries(table) for table in _READ}
EXISTING_ID = {
    name: f"SELECT id FROM {name} WHERE workspace_id = :workspace AND id IN (EACH :ids) LIMIT 1"
    for name, table in BY_NAME.items()
    if "id" in table.columns
}
