"""A pool whose connections end on a read-only server: refused with the reason, and well again by itself."""

import asyncio
import signal
import threading

import psycopg
import pytest
from psycopg import errors

from pendesk.domain.errors import Unavailable
from pendesk.ids import new_id
from pendesk.store.engine import postgres as postgres_store
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.postgres import PostgresCluster
from tests.proxy import Proxy

CONNECTIONS = 4
INSERT = "INSERT INTO users (id, kind, email, name, created_at) VALUES (:id, 'person', :email, :name, 0)"
NAMES = "SELECT name FROM users WHERE name LIKE :like ORDER BY name"


@pytest.fixture(scope="module")
def primary():
    """A server whose settings a test may change, and that it may kill if it starts it again."""
    with PostgresCluster(fast=True) as cluster:
        migrate(None, cluster.create_database("store"))
        yield cluster


@pytest.fixture
def standby(primary):
    """Follows the primary, until a test promotes it."""
    with PostgresCluster(fast=True, standby_of=primary) as cluster:
        yield cluster


@pytest.fixture
def like():
    """The beginning of this test's names."""
    return new_id()


def add(tx, name):
    tx.run(INSERT, id=new_id(), email=new_id(), name=name)
    return name


async def write(store, name):
    return await store.write("", lambda tx: add(tx, name))


async def names(store, like):
    return [row[0] for row in await store.read("", lambda tx: tx.all(NAMES, like=f"{like}%"))]


async def fill(store):
    """Every connection that the pool may have is open."""
    barrier = threading.Barrier(CONNECTIONS)
    await asyncio.gather(*(store.write("", lambda _tx: barrier.wait(30)) for _ in range(CONNECTIONS)))


async def refusal_of(store, name):
    with pytest.raises(Unavailable) as refused:
        await write(store, name)
    assert refused.value.code == "unavailable"
    return refused.value.message


def set_read_only(cluster, value):
    with psycopg.connect(cluster.url(), autocommit=True, options="-c default_transaction_read_only=off") as admin:
        admin.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        admin.execute("SELECT pg_reload_conf()")
    while True:  # every process of the server reads it for itself
        with psycopg.connect(cluster.url()) as other:
            if other.execute("SHOW default_transaction_read_only").fetchone() == (value,):
                return


async def test_a_failover_to_a_replica_is_told_and_healed_by_its_promotion(primary, standby, like, monkeypatch):
    with Proxy("127.0.0.1", primary.port) as proxy:
        store = PostgresStore(f"postgresql://postgres@127.0.0.1:{proxy.port}/store", None, CONNECTIONS)
        await fill(store)
        await write(store, f"{like} before")
        monkeypatch.setattr(postgres_store, "POOL_WAIT_S", 0.5)
        proxy.lead_to(standby.port)
        for number in range(CONNECTIONS):
            assert "read-only" in await refusal_of(store, f"{like} lost {number}")
        # A replica may lag behind: who was removed there could still read, so it answers no reads either.
        with pytest.raises(Unavailable, match="read-only"):
            await names(store, like)
        monkeypatch.undo()
        standby.promote()
        await asyncio.gather(*(write(store, f"{like} later {number}") for number in range(8)))
        assert await names(store, like) == [f"{like} before", *(f"{like} later {number}" for number in range(8))]
        await store.close()


async def test_another_host_of_the_url_takes_over(primary, standby, like):
    hosts = f"127.0.0.1:{standby.port},127.0.0.1:{primary.port}"  # the standby first: it is passed over
    store = PostgresStore(f"postgresql://postgres@{hosts}/store", None, CONNECTIONS)
    await fill(store)
    await write(store, f"{like} before")
    while not names_at(standby, like):
        await asyncio.sleep(0.05)
    primary.kill(signal.SIGQUIT)
    try:
        standby.promote()
        await asyncio.gather(*(write(store, f"{like} later {number}") for number in range(8)))
    finally:
        primary.start()
    assert await names(store, like) == [f"{like} before", *(f"{like} later {number}" for number in range(8))]
    await store.close()


def names_at(cluster, like):
    with psycopg.connect(cluster.url("store")) as connection:
        return connection.execute("SELECT name FROM users WHERE name LIKE %s", [f"{like}%"]).fetchall()


async def test_a_server_that_turns_read_only_costs_no_write_per_connection(primary, like, monkeypatch):
    """As a hosted database does when its disk is full: the connections stand, and every write on them is refused."""
    store = PostgresStore(primary.url("store"), None, CONNECTIONS)
    await fill(store)
    monkeypatch.setattr(postgres_store, "POOL_WAIT_S", 0.5)
    set_read_only(primary, "on")
    try:
        assert "read-only" in await refusal_of(store, f"{like} lost")
    finally:
        set_read_only(primary, "off")
    monkeypatch.undo()
    await fill(store)
    for number in range(CONNECTIONS):
        await write(store, f"{like} {number}")
    assert await names(store, like) == [f"{like} {number}" for number in range(CONNECTIONS)]
    await store.close()


async def test_a_connection_that_was_read_only_at_first_is_replaced_unseen(primary, like):
    """The write that meets it is run again on another one, since nothing of it was saved."""
    store = PostgresStore(primary.url("store"), None, connections=1)
    await store.write("", lambda tx: tx.one("SELECT set_config('default_transaction_read_only', 'on', false)"))
    tries = []
    await store.write("", lambda tx: tries.append(add(tx, like)))
    assert len(tries) == 2
    assert await names(store, like) == [like]
    await store.close()


async def test_a_url_may_ask_for_any_server(standby, like):
    store = PostgresStore(f"{standby.url('store')}?target_session_attrs=any", None, CONNECTIONS)
    assert await names(store, like) == []
    assert "read-only" in await refusal_of(store, like)
    standby.promote()
    await write(store, like)
    assert await names(store, like) == [like]
    await store.close()


async def test_a_write_where_only_reading_is_allowed_is_a_fault_of_ours(primary, like):
    store = PostgresStore(primary.url("store"), None, CONNECTIONS)
    with pytest.raises(errors.ReadOnlySqlTransaction):
        await store.read("", lambda tx: tx.all(f"{INSERT} RETURNING 1", id=like, email=like, name=like))
    await store.close()


async def test_who_waits_through_a_long_outage_is_served_when_it_ends(primary, like, monkeypatch):
    """The pool gives up reconnecting again and again meanwhile, and each time begins anew."""
    monkeypatch.setattr(postgres_store, "RECONNECT_S", 0.1)
    monkeypatch.setattr(postgres_store, "POOL_WAIT_S", 60)
    monkeypatch.setattr(postgres_store, "ANSWER_WAIT_S", 60)
    store = PostgresStore(primary.url("store"), None, CONNECTIONS)
    await fill(store)
    primary.kill(signal.SIGQUIT)
    try:
        waiting = asyncio.create_task(write(store, like))
        while store.metric_gauges()["pool_connections_errors"] < 5 * CONNECTIONS:
            await asyncio.sleep(0.05)
    finally:
        primary.start()
    assert await waiting == like
    assert await names(store, like) == [like]
    await store.close()
