"""Every column of every table is exported, or listed with the reason why not: on both engines."""

import pytest

from pendesk.store.portable import not_exported
from pendesk.store.portable.rows import insert_sql
from pendesk.store.portable.tables import HISTORY, LOG, TABLES

SHADOWS = "search_index_"  # what SQLite itself makes for full-text search

SQLITE = """
SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
"""
POSTGRES = """
SELECT c.table_name, c.column_name FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
"""


@pytest.fixture
async def schema(desk):
    sql = SQLITE if desk.store.engine == "sqlite" else POSTGRES
    found = await desk.store.read("", lambda tx: tx.all(sql))
    return {(table, column) for table, column in found if not table.startswith(SHADOWS)}


def exported():
    return {(table.name, column) for table in (*TABLES, HISTORY, LOG) for column in table.columns}


def is_listed(table, column):
    return table in not_exported.TABLES or bool({(table, column), ("*", column)} & set(not_exported.COLUMNS))


async def test_every_column_is_exported_or_listed_with_a_reason(schema):
    forgotten = {cell for cell in schema - exported() if not is_listed(*cell)}
    assert not forgotten, "add these to store/portable/tables.py, or to store/portable/not_exported.py with the reason"


async def test_what_is_exported_and_listed_exists(schema):
    assert exported() <= schema
    tables = {table for table, _ in schema}
    engines_own = {"search_index", "schema_migrations", "rate_windows", "rate_blocks", "tool_uses", "event_outbox"}
    assert set(not_exported.TABLES) - tables <= engines_own
    named = {cell for cell in not_exported.COLUMNS if cell[0] != "*"}
    assert named - schema <= {("events", "id")}  # on SQLite its number


def test_nothing_is_both():
    assert not {cell for cell in exported() if is_listed(*cell)}


async def test_an_import_fills_every_column(desk, schema):
    for table in (*TABLES, HISTORY):
        filled = set(insert_sql(table).partition("(")[2].partition(")")[0].split(", "))
        assert filled == {column for name, column in schema if name == table.name}, table.name
