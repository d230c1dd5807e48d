"""Two servers at one PostgreSQL. Nobody looks here, except where that is what is shown."""

import asyncio
from contextlib import asynccontextmanager

import psycopg
import pytest

from pendesk.domain.access import Role
from pendesk.feed import peers
from pendesk.feed.commit_signal import activity_topic
from pendesk.feed.feed import Feed
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.desk import HandClock, TestDesk
from tests.patience import PATIENCE_S

LISTENING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN pendesk'"


@pytest.fixture(scope="module")
def url(postgres):
    url = postgres.create_database("peers")
    migrate(None, url)
    return url


@asynccontextmanager
async def server(url):
    store = PostgresStore(url, HandClock(), connections=4)
    feed = Feed(store)
    running = asyncio.create_task(feed.run_peer_notifications())
    try:
        yield store, feed
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await store.close()


async def listening(url, count):
    """The backends that listen, once there are so many."""
    async with asyncio.timeout(PATIENCE_S), await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        while True:
            rows = await (await connection.execute(LISTENING)).fetchall()
            if len(rows) == count:
                return [row[0] for row in rows]
            await asyncio.sleep(0.02)


@asynccontextmanager
async def two_servers(url):
    async with server(url) as (store, _), server(url) as (_, there):
        desk = await TestDesk(store, HandClock()).open()
        owner = await desk.person("Ada", Role.OWNER)
        await listening(url, 2)
        with there.signal.subscribe(desk.workspace) as rung:
            rung.clear()
            yield desk, owner, rung


async def heard(rung):
    async with asyncio.timeout(PATIENCE_S):
        await rung.wait()
    rung.clear()


async def test_a_commit_here_rings_there(url):
    async with two_servers(url) as (desk, owner, rung):
        for number in range(3):
            await desk.call(owner, "create_project", name=f"Pendesk {number}", description="")
            await heard(rung)


async def test_many_commits_are_told_together(url, monkeypatch):
    told: list[str] = []
    notify = PostgresStore.notify_other_servers

    async def noted(self, text):
        told.append(text)
        await notify(self, text)

    monkeypatch.setattr(PostgresStore, "notify_other_servers", noted)
    monkeypatch.setattr(peers, "NOTIFY_EVERY_S", 60)
    async with two_servers(url) as (desk, owner, rung):
        for number in range(20):
            await desk.call(owner, "create_project", name=f"Pendesk {number}")
        await heard(rung)
        senders = [text.split()[0] for text in told]
        assert len(set(senders)) == len(senders)  # either may have numbered them


async def test_while_the_connection_is_lost_the_log_is_looked_at_and_then_it_listens_again(url, monkeypatch):
    monkeypatch.setattr(peers, "POLL_EVERY_S", 0.02)
    async with two_servers(url) as (desk, owner, rung):
        with psycopg.connect(url, autocommit=True) as connection:
            for pid in await listening(url, 2):
                connection.execute("SELECT pg_terminate_backend(%s)", [pid])
        await desk.call(owner, "create_project", name="Pendesk")
        await heard(rung)
        await listening(url, 2)
        rung.clear()
        await desk.call(owner, "create_project", name="Harbor")
        await heard(rung)


async def test_what_is_told_for_very_many_workspaces_wakes_all(url, monkeypatch):
    monkeypatch.setattr(peers, "WORKSPACES_AT_ONCE", 0)
    async with two_servers(url) as (desk, owner, rung):
        await desk.call(owner, "create_project", name="Pendesk")
        await heard(rung)


async def test_what_sessions_do_rings_there_too_and_while_the_connection_is_lost_now_and_then(url, monkeypatch):
    monkeypatch.setattr(peers, "POLL_EVERY_S", 0.02)
    async with server(url) as (_, here), server(url) as (_, there):
        await listening(url, 2)
        with there.signal.subscribe(activity_topic("w")) as rung:
            rung.clear()
            here.signal.on_local_activity("w")
            await heard(rung)
            with psycopg.connect(url, autocommit=True) as connection:
                for pid in await listening(url, 2):
                    connection.execute("SELECT pg_terminate_backend(%s)", [pid])
            await heard(rung)
