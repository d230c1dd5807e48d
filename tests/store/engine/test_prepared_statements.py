"""What the PostgreSQL driver believes to be prepared is prepared, whatever failed before."""

from collections.abc import AsyncIterator

import pytest

from pendesk.domain.errors import Refusal
from pendesk.domain.people import Workspace
from pendesk.ids import new_id
from pendesk.store import people
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from tests.desk import START, HandClock

STATEMENT = "SELECT :number + 41"
PREPARED = "SELECT count(*) FROM pg_prepared_statements"
WORKSPACE = new_id()


@pytest.fixture
async def store(postgres) -> AsyncIterator[PostgresStore]:
    """One connection, so that every transaction meets what the one before left behind."""
    url = postgres.create_database("prepared")
    migrate(None, url)
    store = PostgresStore(url, HandClock(), connections=1)
    yield store
    await store.close()
    postgres.drop_database("prepared")


async def refuse(store):
    def work(tx):
        raise Refusal("no")

    with pytest.raises(Refusal):
        await store.write(WORKSPACE, work)


async def use(store, times):
    for _ in range(times):
        await store.write(WORKSPACE, lambda tx: tx.run(STATEMENT, number=1))


async def test_a_statement_that_was_sent_after_one_that_failed_can_be_run_again(store):
    await store.write(WORKSPACE, lambda tx: people.add_workspace(tx, Workspace(WORKSPACE, "First", START)))
    tries = 0

    def lose_a_race(tx):
        nonlocal tries
        tries += 1
        if tries == 1:
            tx.run(people.INSERT_WORKSPACE, id=WORKSPACE, name="Again", created_at=START, participation="everyone")
        tx.run(STATEMENT, number=1)
        return tx.one(STATEMENT, number=1)

    for _ in range(3):
        await refuse(store)
    await use(store, 2)  # the driver prepares a statement at its third use: the one behind the failure
    assert await store.write(WORKSPACE, lose_a_race) == (42,)
    assert tries == 2


async def test_a_refusal_leaves_what_is_prepared_prepared(store):
    await use(store, 5)
    before = await store.read(WORKSPACE, lambda tx: tx.one(PREPARED))
    await refuse(store)
    after = await store.read(WORKSPACE, lambda tx: tx.one(PREPARED))
    assert 0 < before[0] <= after[0]
