"""Of few connections every server has its part, and none waits for ever."""

import asyncio

import psycopg
import pytest

from pendesk.feed.feed import Feed
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.postgres_notify import LISTEN
from pendesk.store.engine.postgres_share import fair_pool_size
from tests.patience import PATIENCE_S

PLACES = 18
LISTENING = f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = '{LISTEN}'"
OPEN = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'few'"


@pytest.mark.parametrize(
    ("places", "servers", "wanted", "size"),
    [
        (97, 1, 10, 10),  # there is enough
        (97, 8, 10, 7),
        (20, 2, 10, 2),
        (20, 4, 10, 1),
        (5, 4, 10, 1),  # never none
        (97, 0, 10, 10),  # none listens yet
    ],
)
def test_each_has_its_part_and_room_is_left_for_one_more(places, servers, wanted, size):
    assert fair_pool_size(places, servers, wanted) == size
    if size > 1:
        assert (servers + 1) * (size + 3) <= places


@pytest.fixture(scope="module")
def url(postgres):
    with psycopg.connect(postgres.url(), autocommit=True) as admin:
        admin.execute(f"CREATE ROLE few LOGIN CONNECTION LIMIT {PLACES}")
        admin.execute("CREATE DATABASE few OWNER few")
    url = postgres.url("few").replace("postgres@", "few@")
    migrate(None, url)
    return url


async def test_a_server_that_took_all_places_gives_the_others_theirs(url, postgres):
    greedy, late = PostgresStore(url, None, connections=12), PostgresStore(url, None, connections=12)
    feeds = [asyncio.create_task(Feed(store).run_peer_notifications()) for store in (greedy, late)]
    await use(greedy, 12)
    await until_two_listen(postgres.url("few"))
    for store in (greedy, late):
        await store.take_fair_share_of_connections()
    with psycopg.connect(postgres.url("few"), autocommit=True) as admin:
        await asyncio.gather(use(greedy, 40), use(late, 40))
        [(connections,)] = admin.execute(OPEN).fetchall()
        assert connections <= PLACES - 3
    assert greedy._pool.max_size == late._pool.max_size == 2
    for feed in feeds:
        feed.cancel()
    await asyncio.gather(*feeds, return_exceptions=True)
    await greedy.close()
    await late.close()


async def use(store, times):
    """At the same time, as often: none is refused."""
    await asyncio.gather(*(store.read("", lambda tx: tx.all("SELECT pg_sleep(0.02)")) for _ in range(times)))


async def until_two_listen(url):
    async with asyncio.timeout(PATIENCE_S), await psycopg.AsyncConnection.connect(url, autocommit=True) as link:
        while await (await link.execute(LISTENING)).fetchone() != (2,):
            await asyncio.sleep(0.02)


async def test_who_waits_for_a_connection_while_shares_change_gets_one(url):
    store = PostgresStore(url, None, connections=4)
    using = asyncio.create_task(use(store, 30))
    await asyncio.sleep(0)
    store._connections = 2
    await store.take_fair_share_of_connections()
    await using
    await store.close()
