"""NOTIFY and LISTEN of PostgreSQL: a word to every other server at the same database."""

from collections.abc import AsyncIterator

import psycopg

from pendesk.domain.errors import Unavailable
from pendesk.store.engine.postgres_connect import redacted_error_reason

CHANNEL = "pendesk"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', :message)"


async def iter_notification_payloads(url: str) -> AsyncIterator[str]:
    """On a connection of its own, since waiting occupies it. The first word is empty: from now on nothing is missed."""
    try:
        connection = await psycopg.AsyncConnection.connect(url, autocommit=True)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            yield ""
            async for notification in connection.notifies():
                yield notification.payload
    except psycopg.Error as error:
        raise Unavailable(f"The connection that listens is lost ({redacted_error_reason(error)}).") from error
