"""NOTIFY and LISTEN of PostgreSQL: a word to every other server at the same database."""

import secrets
from collections.abc import AsyncIterator
from typing import Any

import psycopg

from pendesk.domain.errors import Unavailable
from pendesk.store.engine.postgres_connect import redacted_error_reason

CHANNEL = "pendesk"
LISTEN = f"LISTEN {CHANNEL}"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', :message)"
_PROBE_S = 3.0


async def iter_notification_payloads(url: str) -> AsyncIterator[str]:
    """On a connection of its own, since waiting occupies it. The first word is empty: from now on nothing is missed."""
    try:
        connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
        async with connection:
            await connection.execute(LISTEN)
            await _check_notifications_come_through(url, connection)
            yield ""
            async for notification in connection.notifies():
                yield notification.payload
    except psycopg.Error as error:
        raise Unavailable(f"The connection that listens is lost ({redacted_error_reason(error)}).") from error


async def _check_notifications_come_through(url: str, connection: psycopg.AsyncConnection[Any]) -> None:
    """A pooler may accept LISTEN and then lend the connection to somebody else, who gets what we wait for."""
    probe = secrets.token_hex(8)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
        await other.execute(f"SELECT pg_notify('{CHANNEL}', %s)", [probe])
    async for notification in connection.notifies(timeout=_PROBE_S):
        if notification.payload == probe:
            return
    raise Unavailable("Notifications of PostgreSQL do not come through: a pooler is in between.")
