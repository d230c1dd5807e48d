"""How many connections each of several servers may have, so that none of them is left without.

PostgreSQL gives its places to whoever comes first: servers that grow under load would leave a further one, or one that
starts anew, with none at all. So each takes its part of the places there are, and leaves room for one server more.
"""

from pendesk.store.engine.postgres_notify import LISTEN
from pendesk.store.engine.tx import Tx

# Beside the pool: the connection that listens, the one that numbers events, and the one for look-ups.
OWN_CONNECTIONS = 3
FOR_COMMANDS = 3  # pendesk backup, an administrator, what runs for a moment

# Every server has one connection that listens. -1 means no limit.
PLACES_AND_SERVERS = f"""
SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int,
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user)),
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = '{LISTEN}')
"""


def read_places_and_servers(tx: Tx) -> tuple[int, int]:
    row = tx.one(PLACES_AND_SERVERS)
    assert row is not None
    return row[0], row[1]


def fair_pool_size(places: int, servers: int, wanted: int) -> int:
    """`places`: how many connections all servers together may have; `wanted`: what the setting allows one of them."""
    share = (places - FOR_COMMANDS) // (max(1, servers) + 1) - OWN_CONNECTIONS
    return max(1, min(wanted, share))


def heavy_share(pool_size: int) -> int:
    """How many of a pool's connections large reads may have at once: the others are for tool calls."""
    return max(1, pool_size // 2)
