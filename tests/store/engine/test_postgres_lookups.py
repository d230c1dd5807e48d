"""Look-ups share a connection on the event loop's thread; whatever is wrong with it, callers get their answer."""

import asyncio

import psycopg
import pytest

from pendesk.domain.errors import NotFound
from pendesk.ids import new_id
from pendesk.store.engine import postgres_lookups
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.patience import PATIENCE_S

INSERT = "INSERT INTO users (id, kind, email, name, created_at) VALUES (:id, 'person', :id, :name, 0)"
NAME = "SELECT name FROM users WHERE id = :id"
ID = "SELECT id FROM users WHERE name = :name"
PID = "SELECT pg_backend_pid()"


@pytest.fixture(scope="module")
def url(postgres):
    url = postgres.create_database("lookups")
    migrate(None, url)
    return url


@pytest.fixture
async def store(url, monkeypatch):
    monkeypatch.setattr(postgres_lookups, "RECONNECT_S", 0.0)
    store = PostgresStore(url, None, connections=2)
    yield store
    await store.close()


async def connected_pid(store):
    """Of the connection for look-ups, which is made in the background."""
    async with asyncio.timeout(PATIENCE_S):
        while store._lookups._link is None or not store._lookups._link.is_open:
            await store.look_up(lambda tx: tx.one(PID))
            await asyncio.sleep(0.01)
    return (await store.look_up(lambda tx: tx.one(PID)))[0]


async def add_user(store, name):
    user_id = new_id()
    await store.write("", lambda tx: tx.run(INSERT, id=user_id, name=name))
    return user_id


async def test_each_gets_its_own_rows_however_many_ask_at_once(store):
    pid = await connected_pid(store)
    ids = [await add_user(store, f"user {number}") for number in range(20)]
    answers = await asyncio.gather(
        *(store.look_up(lambda tx, user_id=user_id: (tx.one(NAME, id=user_id), tx.one(PID))) for user_id in ids)
    )
    assert answers == [((f"user {number}",), (pid,)) for number in range(20)]


async def test_what_is_read_by_what_was_read_before_is_found_as_well(store):
    await connected_pid(store)
    name = new_id()
    user_id = await add_user(store, name)

    def look(tx):
        begun_at = tx.now
        [found_id] = tx.one(ID, name=name)
        return found_id, tx.one(NAME, id=found_id), tx.now == begun_at

    assert await store.look_up(look) == (user_id, (name,), True)


async def test_the_first_one_does_not_wait_for_its_connection(store):
    assert await store.look_up(lambda tx: tx.one("SELECT 1")) == (1,)


async def test_a_refusal_of_the_work_is_the_callers(store):
    await connected_pid(store)

    def refuse(tx):
        if tx.one(NAME, id="nobody") is None:
            raise NotFound("user", "nobody")

    with pytest.raises(NotFound):
        await store.look_up(refuse)


async def test_a_killed_connection_is_not_noticed_by_callers_and_replaced(store, url):
    pid = await connected_pid(store)
    with psycopg.connect(url, autocommit=True) as other:
        asking = [asyncio.create_task(store.look_up(lambda tx: tx.one("SELECT 1"))) for _ in range(10)]
        await asyncio.sleep(0)
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert await asyncio.gather(*asking) == [(1,)] * 10
    assert await store.look_up(lambda tx: tx.one("SELECT 1")) == (1,)
    assert await connected_pid(store) != pid


async def test_a_statement_that_fails_is_told_as_a_transaction_tells_it(store):
    await connected_pid(store)
    with pytest.raises(psycopg.errors.UndefinedTable):
        await store.look_up(lambda tx: tx.one("SELECT * FROM nowhere"))
    assert await store.look_up(lambda tx: tx.one("SELECT 1")) == (1,)


async def test_a_server_that_says_nothing_is_left_to_the_pool(store, url, monkeypatch):
    monkeypatch.setattr(postgres_lookups, "ANSWER_WAIT_S", 0.2)
    await connected_pid(store)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        asking = asyncio.create_task(store.look_up(lambda tx: tx.one(NAME, id="nobody")))
        await asyncio.sleep(0.5)
        assert not asking.done()
        assert store._lookups._link is None or not store._lookups._link.is_open
        other.rollback()
    assert await asking is None


async def test_nothing_is_left_open(url):
    store = PostgresStore(url, None, connections=1)
    await store.look_up(lambda tx: tx.one(PID))
    await store.close()  # while it connects
    with psycopg.connect(url, autocommit=True) as other:
        ours = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'lookups' AND pid <> pg_backend_pid()"
        async with asyncio.timeout(PATIENCE_S):
            while other.execute(ours).fetchone() != (0,):
                await asyncio.sleep(0.02)
