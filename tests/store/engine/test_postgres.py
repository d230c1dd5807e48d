"""One transaction per operation on a database that may lose races, connections and itself."""

import asyncio
import os
import signal
import threading

import psycopg
import pytest

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.errors import Unavailable
from pendesk.domain.limits import Limits
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import Installation
from pendesk.operations.registry import OPERATIONS
from pendesk.store.engine import postgres
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.crash.load import World, add_action, seed
from tests.desk import FILES
from tests.postgres import PostgresCluster
from tests.proxy import Proxy

INSERT = "INSERT INTO users (id, kind, email, name, created_at) VALUES (:id, 'person', :email, :name, 0)"
BY_EMAIL = "SELECT name FROM users WHERE email = :email"
NAMES = "SELECT name FROM users WHERE name LIKE :like ORDER BY name"


@pytest.fixture(scope="module")
def url(postgres):
    url = postgres.create_database("store")
    migrate(None, url)
    return url


@pytest.fixture
async def store(url):
    store = PostgresStore(url, None, connections=4)
    yield store
    await store.close()


@pytest.fixture
def like():
    """The beginning of this test's names."""
    return new_id()


def add(tx, name):
    tx.run(INSERT, id=new_id(), email=new_id(), name=name)
    return name


async def add_all(store, like, numbers):
    await asyncio.gather(*(store.write("", lambda tx, n=n: add(tx, f"{like} {n}")) for n in numbers))


async def names(store, like):
    return [row[0] for row in await store.read("", lambda tx: tx.all(NAMES, like=f"{like}%"))]


def backend(tx):
    return tx.one("SELECT pg_backend_pid()")[0]


def terminate(url, pid):
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


async def test_a_killed_connection_is_replaced_and_the_work_runs_again(store, url, like):
    killed: list[int] = []

    def work(tx):
        add(tx, f"{like} once")
        if not killed:
            killed.append(backend(tx))
            terminate(url, killed[0])
        return add(tx, f"{like} twice")

    assert await store.write("", work) == f"{like} twice"
    assert killed
    assert await names(store, like) == [f"{like} once", f"{like} twice"]


async def test_a_connection_that_is_killed_every_time_is_refused_clearly(store, url, like):
    tries = []

    def work(tx):
        add(tx, like)
        tries.append(backend(tx))
        terminate(url, tries[-1])
        add(tx, like)
        return backend(tx)

    with pytest.raises(Unavailable, match="Nothing was changed") as refusal:
        await store.write("", work)
    assert refusal.value.code == "unavailable"
    assert "terminating connection due to administrator command" in refusal.value.message
    assert len(tries) == postgres.TRIES
    assert await names(store, like) == []


async def test_all_idle_connections_killed_is_not_noticed_by_callers(store, url, like):
    barrier = threading.Barrier(4)

    def together(tx):
        barrier.wait(30)
        return backend(tx)

    for pid in await asyncio.gather(*(store.write("", together) for _ in range(4))):
        terminate(url, pid)
    await add_all(store, like, range(4))
    assert len(await names(store, like)) == 4


async def test_who_loses_a_race_for_a_unique_value_meets_the_winner(store, like):
    barrier = threading.Barrier(2)
    met = []

    def work(tx, name):
        known = tx.one(BY_EMAIL, email=like)
        if known is not None:
            met.append(name)
            return known[0]
        barrier.wait(30)  # both have seen nobody
        tx.run(INSERT, id=new_id(), email=like, name=f"{like} {name}")
        return f"{like} {name}"

    answers = await asyncio.gather(store.write("", lambda tx: work(tx, "a")), store.write("", lambda tx: work(tx, "b")))
    assert len(met) == 1
    assert [*answers] == 2 * await names(store, like)


async def test_a_deadlock_is_resolved_by_running_again(store, like):
    for name in ("a", "b"):
        await store.write("", lambda tx, name=name: add(tx, f"{like} {name}"))
    barrier = threading.Barrier(2)
    tries = []

    def work(tx, first, second):
        tries.append(first)
        tx.all("UPDATE users SET kind = 'agent' WHERE name = :name RETURNING 1", name=f"{like} {first}")
        if len(tries) <= 2:
            barrier.wait(30)
        tx.all("UPDATE users SET kind = 'agent' WHERE name = :name RETURNING 1", name=f"{like} {second}")

    await asyncio.gather(store.write("", lambda tx: work(tx, "a", "b")), store.write("", lambda tx: work(tx, "b", "a")))
    assert len(tries) == 3


async def test_a_work_that_always_breaks_a_unique_value_is_a_fault_of_its_own(store, like):
    await store.write("", lambda tx: tx.run(INSERT, id=new_id(), email=like, name=like))
    with pytest.raises(psycopg.errors.UniqueViolation):
        await store.write("", lambda tx: tx.run(INSERT, id=new_id(), email=like, name=like))


async def test_the_write_of_a_cancelled_caller_stands_whole(store, like):
    begun, go_on = threading.Event(), threading.Event()

    def work(tx):
        add(tx, f"{like} one")
        begun.set()
        assert go_on.wait(30)
        return add(tx, f"{like} two")

    writing = asyncio.create_task(store.write("", work))
    assert await asyncio.to_thread(begun.wait, 30)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    go_on.set()
    await store.close()  # waits for what runs
    other = PostgresStore(store._pool.conninfo, None, connections=1)
    assert await names(other, like) == [f"{like} one", f"{like} two"]
    await other.close()


async def test_an_answer_lost_on_its_way_is_told_as_not_known_and_repeated_once(postgres, url):
    """The commit happened, its answer did not come: repeating by the key gives the answer, and no second event."""
    world = World.new()
    with Proxy("127.0.0.1", postgres.port) as proxy:
        store = PostgresStore(f"postgresql://postgres@127.0.0.1:{proxy.port}/store", None, connections=2)
        await seed(store, world)
        action = await store.write(world.workspace, lambda tx: add_action(tx, world))
        dispatcher = Dispatcher(store, OPERATIONS, Installation(Limits(), b"a key", "http://127.0.0.1", FILES))
        actor = Actor(world.workspace, world.users[0], "Agent", Role.MEMBER, ALL_SCOPES, "mcp")
        asked = {"action_pid": action, "idempotency_key": "the same"}
        proxy.lose_answer_to = b"COMMIT"
        with pytest.raises(Unavailable, match="not known") as refusal:
            await dispatcher.call(actor, "claim_action", asked)
        assert refusal.value.code == "outcome_unknown"
        assert proxy.lost == 1
        again = await dispatcher.call(actor, "claim_action", asked)
        assert again.claim is not None  # type: ignore[attr-defined]
        events = "SELECT count(*) FROM events WHERE workspace_id = :workspace AND kind = 'action.claimed'"
        assert await store.read(world.workspace, lambda tx: tx.one(events)) == (1,)
        await store.close()


async def test_a_commit_that_fails_is_told_as_not_known(store, url, like):
    """Cut off within the COMMIT, by a trigger that waits for it."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(
            "CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"
        )
        admin.execute(
            "CREATE CONSTRAINT TRIGGER cut_off AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED "
            f"FOR EACH ROW WHEN (NEW.name = '{like}') EXECUTE FUNCTION cut_off()"
        )
        with pytest.raises(Unavailable) as refusal:
            await store.write("", lambda tx: add(tx, like))
        assert refusal.value.code == "outcome_unknown"
        assert await names(store, like) == []
        admin.execute("DROP TRIGGER cut_off ON users")


@pytest.fixture(scope="module")
def own_cluster():
    """A server that a test may kill, and that keeps what it has."""
    with PostgresCluster() as cluster:
        migrate(None, cluster.create_database("store"))
        yield cluster


async def test_a_restart_heals(own_cluster, like):
    store = PostgresStore(own_cluster.url("store"), None, connections=4)
    await add_all(store, like, range(8))
    own_cluster.kill(signal.SIGQUIT)
    own_cluster.start()
    await add_all(store, like, range(8, 16))
    assert len(await names(store, like)) == 16
    await store.close()


async def test_a_server_that_is_down_is_told_in_time_however_many_ask(own_cluster, like, monkeypatch):
    monkeypatch.setattr(postgres, "POOL_WAIT_S", 0.5)
    store = PostgresStore(own_cluster.url("store"), None, connections=2)
    await store.write("", lambda tx: add(tx, f"{like} before"))
    own_cluster.kill(signal.SIGQUIT)
    try:
        asked = (store.write("", lambda tx: add(tx, f"{like} lost")) for _ in range(400))
        # One after the other, on 2 threads, 400 waits of half a second would be 100 seconds.
        answers = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        assert {(type(each), each.code) for each in answers} == {(Unavailable, "unavailable")}  # type: ignore[union-attr]
    finally:
        own_cluster.start()
    monkeypatch.undo()
    await store.write("", lambda tx: add(tx, f"{like} later"))
    assert await names(store, like) == [f"{like} before", f"{like} later"]
    await store.close()


async def test_a_server_that_says_nothing_is_not_waited_for(own_cluster, like, monkeypatch):
    """Frozen, not dead: connections stand, nobody answers."""
    store = PostgresStore(own_cluster.url("store"), None, connections=1)
    pid = await store.write("", backend)
    monkeypatch.setattr(postgres, "ANSWER_WAIT_S", 0.3)
    os.kill(pid, signal.SIGSTOP)
    try:
        first = asyncio.create_task(store.write("", lambda tx: add(tx, f"{like} frozen")))
        queued = asyncio.create_task(store.write("", lambda tx: add(tx, f"{like} queued")))
        for task, code in ((first, "outcome_unknown"), (queued, "unavailable")):
            with pytest.raises(Unavailable) as refusal:
                await task
            assert refusal.value.code == code
    finally:
        os.kill(pid, signal.SIGCONT)
    monkeypatch.undo()
    await store.write("", lambda tx: add(tx, f"{like} later"))
    assert f"{like} queued" not in await names(store, like)
    await store.close()
