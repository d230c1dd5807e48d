"""Events of PostgreSQL get their numbers after the commit: in an order that never contradicts what anybody saw."""

import asyncio
import itertools
import threading
from contextlib import asynccontextmanager, contextmanager

import psycopg
import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.event import Event
from pendesk.operations.operation import Call
from pendesk.store import events
from pendesk.store.engine import postgres_numbering
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.desk import HandClock, TestDesk
from tests.patience import PATIENCE_S
from tests.workbench import published_spec

OUTBOX = "SELECT count(*) FROM event_outbox WHERE workspace_id = %s"
NUMBER_AS_ANOTHER_SERVER = "SELECT done_below, numbered_workspaces FROM number_events('99999999999', '2001-01-01')"
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"


@pytest.fixture(scope="module")
def url(postgres):
    url = postgres.create_database("numbering")
    migrate(None, url)
    return url


@asynccontextmanager
async def opened(url, workspace=None):
    desk = TestDesk(PostgresStore(url, HandClock(), connections=8), HandClock())
    if workspace is None:
        await desk.open()
    else:
        desk.workspace = workspace
    yield desk
    await desk.store.close()


@contextmanager
def nobody_numbers(url):
    """The lock of whoever numbers is held by somebody else; those who come to it wait."""
    with psycopg.connect(url) as holder:
        holder.execute("SELECT pg_advisory_xact_lock(7301)")
        yield
        holder.rollback()


def record(desk, tx, name):
    Call(tx, desk.actor, desk.installation).record(Event("project.edited", name))


async def write(desk, name):
    await desk.store.write(desk.workspace, lambda tx: record(desk, tx, name))


def names(tx):
    return [(event.seq, event.object_id) for event in events.all_after_ignoring_visibility(tx, 0, 10_000)]


async def log(desk):
    return await desk.store.read(desk.workspace, names)


@pytest.fixture
async def desk(url):
    async with opened(url) as desk:
        desk.actor = await desk.person("Ada", Role.OWNER)
        yield desk


async def test_who_writes_and_then_reads_the_log_finds_it(desk):
    for number in range(1, 30):
        await write(desk, f"event {number}")
        assert (await log(desk))[-1] == (number, f"event {number}")


async def test_a_read_that_began_before_the_numbers_came_begins_again(desk, url):
    """Its snapshot is of the moment when the state was there and the number was not."""
    begun: list[bool] = []

    def look(tx):
        tx.all("SELECT count(*) FROM users")  # the snapshot
        if not begun:
            begun.append(True)
            with psycopg.connect(url, autocommit=True) as other:
                other.execute("SELECT number_events('0', NULL)")
        return names(tx)

    with nobody_numbers(url):
        await write(desk, "committed")
        reading = asyncio.create_task(desk.store.read(desk.workspace, lambda tx: (tx.all("SELECT 1"), names(tx))[1]))
        await asyncio.sleep(0)
        assert not reading.done()
    assert await reading == [(1, "committed")]
    await write(desk, "again")
    assert await desk.store.read(desk.workspace, look) == [(1, "committed"), (2, "again")]


async def test_writers_of_one_workspace_do_not_wait_for_each_other(desk):
    """Both have recorded an event before either commits."""
    both = threading.Barrier(2, timeout=PATIENCE_S)

    def work(tx, name):
        record(desk, tx, name)
        both.wait()

    await asyncio.gather(*(desk.store.write(desk.workspace, lambda tx, n=n: work(tx, n)) for n in ("one", "two")))
    assert [seq for seq, _ in await log(desk)] == [1, 2]


async def test_who_commits_late_comes_after_what_was_read_meanwhile(desk):
    """An id is drawn early, a number is given late: nothing appears below a number that somebody has seen."""
    recorded, go_on = threading.Event(), threading.Event()

    def late(tx):
        record(desk, tx, "late")
        tx.all("SELECT 1")  # sent and done, not committed
        recorded.set()
        assert go_on.wait(PATIENCE_S)

    under_way = asyncio.create_task(desk.store.write(desk.workspace, late))
    await asyncio.to_thread(recorded.wait, PATIENCE_S)
    await write(desk, "early")
    assert await log(desk) == [(1, "early")]
    go_on.set()
    await under_way
    assert await log(desk) == [(1, "early"), (2, "late")]


async def test_in_one_batch_an_effect_comes_after_its_cause(desk, url):
    """Each writer sees the one before; all are numbered together."""
    with nobody_numbers(url):
        for number in range(20):
            await write(desk, f"step {number}")
    assert [name for _, name in await log(desk)] == [f"step {number}" for number in range(20)]


async def test_what_was_left_by_a_process_that_died_is_numbered_by_another(desk, url):
    with psycopg.connect(url, autocommit=True) as dead:
        dead.execute(
            "INSERT INTO event_outbox (workspace_id, at, kind, door, object_id, data) "
            "VALUES (%s, 0, 'project.edited', 'web', 'left behind', '{}')",
            [desk.workspace],
        )
    woken = asyncio.Event()
    desk.store.on_commit(lambda workspace: woken.set() if workspace == desk.workspace else None)
    async with asyncio.timeout(PATIENCE_S):
        await woken.wait()
    assert await log(desk) == [(1, "left behind")]


async def test_the_signal_comes_when_the_number_is_there(desk, url):
    woken = asyncio.Event()
    desk.store.on_commit(lambda _workspace: woken.set())
    with nobody_numbers(url):
        await write(desk, "unseen")
        woken.clear()  # for what was before
        await asyncio.to_thread(wait_until_blocked, url)
        assert not woken.is_set()
    async with asyncio.timeout(PATIENCE_S):
        await woken.wait()


def wait_until_blocked(url):
    with psycopg.connect(url, autocommit=True) as link:
        while link.execute(BLOCKED).fetchone() == (0,):
            pass


async def test_while_nobody_numbers_agents_read_their_news_and_late_reports(desk, url):
    ada = desk.actor
    work = await published_spec(desk, ada)
    token = await desk.call(ada, "create_token", name="Laptop", scopes=["specs.read", "builds.write"])
    origin = CallOrigin("claude-code", "laptop", marks=frozenset({make_mark(MarkKind.PROCESS, "1")}))
    terminal = ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token["tokenId"], origin=origin)
    ref = {"action_pid": work.actions[0]["pid"]}
    await desk.call(terminal, "claim_action", **ref)
    asked = await desk.call(terminal, "request_clarification", **ref, question="Which colour?")
    await log(desk)
    with nobody_numbers(url):
        await desk.call(ada, "answer_question", clarification_pid=asked["pid"], answer="Blue.")
        told = await desk.call(terminal, "update_progress", **ref, status="started", message="On it.")
        again = await desk.call(terminal, "update_progress", **ref, status="started", message="Still.")
    assert ["Blue." in item["text"] for item in told["news"]] == [True]
    assert not again.get("news")
    assert [seq for seq, _ in await log(desk)] == list(range(1, len(await log(desk)) + 1))


async def test_the_transactions_of_another_server_say_nothing(desk, url):
    """Where to begin was told by a server that is gone: everything is looked at."""
    with nobody_numbers(url):
        await write(desk, "moved over")
    with psycopg.connect(url, autocommit=True) as promoted:
        promoted.execute(NUMBER_AS_ANOTHER_SERVER)
        assert promoted.execute(OUTBOX, [desk.workspace]).fetchone() == (0,)
    assert await log(desk) == [(1, "moved over")]


async def test_two_servers_number_without_gap_or_twice(desk, url):
    async with opened(url, desk.workspace) as other:
        other.actor, other.installation = desk.actor, desk.installation
        turns = itertools.cycle((desk, other))
        await asyncio.gather(*(write(server, f"{number}") for number, server in zip(range(200), turns, strict=False)))
        for server in (desk, other):
            await log(server)
        found = await log(desk)
    assert [seq for seq, _ in found] == list(range(1, 201))
    assert sorted(int(name) for _, name in found) == list(range(200))


async def test_what_is_committed_is_numbered_before_the_store_is_closed(url):
    async with opened(url) as desk:
        desk.actor = await desk.person("Ada", Role.OWNER)
        await write(desk, "last")
    with psycopg.connect(url) as link:
        assert link.execute(OUTBOX, [desk.workspace]).fetchone() == (0,)


async def test_a_lost_connection_is_replaced(desk, url, monkeypatch):
    monkeypatch.setattr(postgres_numbering, "RETRY_S", 0.01)
    await write(desk, "before")
    await log(desk)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE '%number_events%' AND pid <> pg_backend_pid()"
        )
    await write(desk, "after")
    assert [name for _, name in await log(desk)] == ["before", "after"]
