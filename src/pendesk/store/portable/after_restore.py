"""What a restored database needs before anybody uses it: access that may have been taken away since the backup was made
ends, and fences begin beyond any that were given since.

By SQL alone, since the backup may be of an older version: what that did not have yet is passed over.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from pendesk.store.installation import FENCE_FLOOR, SET

# Milliseconds since then are more than anybody can have claimed one action.
FENCES_SINCE_US = 1_767_225_600_000_000  # 2026-01-01

END = {
    "tokens": "UPDATE tokens SET revoked_at = :now WHERE revoked_at IS NULL",
    "oauth_grants": "UPDATE oauth_grants SET revoked_at = :now WHERE revoked_at IS NULL",
    "sessions": "UPDATE sessions SET revoked_at = :now WHERE revoked_at IS NULL",
    "sign_in_links": "UPDATE sign_in_links SET used_at = :now WHERE used_at IS NULL",
    "invites": "UPDATE invites SET used_at = :now WHERE used_at IS NULL",
    "oauth_codes": "DELETE FROM oauth_codes",
    "oauth_devices": "DELETE FROM oauth_devices",
}
# Those that somebody has to make again.
NAMED = ("tokens", "oauth_grants", "sessions", "invites")
HIGHEST_FENCE = "SELECT coalesce(max(fence), 0) FROM actions"

Execute = Callable[[str, dict[str, Any]], Any]


class EndedAccess(NamedTuple):
    """How many of each were good until now; an access token of a grant counts with the tokens."""

    tokens: int = 0
    oauth_grants: int = 0
    sessions: int = 0
    invites: int = 0


def prepare_restored_sqlite(file: Path, now: int, *, end_access: bool) -> EndedAccess:
    connection = apsw.Connection(str(file))

    def execute(sql: str, values: dict[str, Any]) -> Any:
        rows = connection.execute(sql, values).fetchall()
        return rows[0][0] if rows else connection.changes()

    try:
        connection.execute("BEGIN IMMEDIATE")
        tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        ended = _prepare(execute, tables, now, end_access)
        connection.execute("COMMIT")
    finally:
        connection.close()
    return ended


def prepare_restored_postgres(url: str, now: int, *, end_access: bool) -> EndedAccess:
    from pendesk.store.engine import postgres_connect

    with postgres_connect.connect(url) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()

        def execute(sql: str, values: dict[str, Any]) -> Any:
            for name in values:
                sql = sql.replace(f":{name}", f"%({name})s")
            cursor = connection.execute(sql, values)
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else cursor.rowcount

        return _prepare(execute, {str(row[0]) for row in rows}, now, end_access)


def _prepare(execute: Execute, tables: set[str], now: int, end_access: bool) -> EndedAccess:
    if {"installation", "actions"} <= tables:
        floor = execute(HIGHEST_FENCE, {}) + max(0, now - FENCES_SINCE_US) // 1000
        execute(SET, {"name": FENCE_FLOOR, "value": str(floor)})
    if not end_access:
        return EndedAccess()
    counts = {
        table: execute(sql, {"now": now} if ":now" in sql else {}) for table, sql in END.items() if table in tables
    }
    return EndedAccess(**{table: counts.get(table, 0) for table in NAMED})
