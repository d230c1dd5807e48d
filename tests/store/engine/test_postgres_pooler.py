"""A real PgBouncer in front of PostgreSQL: Debian's, which carries no prepared statements along."""

import asyncio

import psycopg
import pytest

from pendesk.domain.errors import Unavailable
from pendesk.settings import SettingError
from pendesk.store.engine import postgres_pooler
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.postgres_notify import iter_notification_payloads
from pendesk.store.engine.postgres_pooler import check_prepared_statements_stay
from tests.patience import PATIENCE_S
from tests.pgbouncer import pgbouncer


@pytest.fixture(scope="module")
def database(postgres):
    migrate(None, postgres.create_database("pooled"))
    return "pooled"


@pytest.fixture(params=["session", "transaction"])
def pooled(request, postgres, database):
    with pgbouncer(postgres, request.param) as port:
        yield request.param, f"postgresql://postgres@127.0.0.1:{port}/{database}"


def test_a_pooler_that_loses_prepared_statements_is_refused_with_the_way_out(pooled):
    mode, url = pooled
    if mode == "session":
        check_prepared_statements_stay(url)
        return
    with pytest.raises(SettingError, match=r"max_prepared_statements.*pool_mode = session"):
        check_prepared_statements_stay(url)


def test_postgresql_itself_is_accepted(postgres, database):
    check_prepared_statements_stay(postgres.url(database))


def test_a_pool_of_one_connection_is_not_waited_for_for_ever(postgres, database, monkeypatch):
    monkeypatch.setattr(postgres_pooler, "_HOLD_S", 0.2)
    with (
        pgbouncer(postgres, "transaction", pool_size=1) as port,
        pytest.raises(SettingError, match="max_prepared_statements"),
    ):
        check_prepared_statements_stay(f"postgresql://postgres@127.0.0.1:{port}/{database}")


def test_what_cannot_be_reached_is_left_to_who_uses_it(postgres, database):
    check_prepared_statements_stay(postgres.url("no_such_database"))


async def test_where_notifications_do_not_come_through_that_is_said(pooled):
    """Who is told polls instead."""
    mode, url = pooled
    async with asyncio.timeout(PATIENCE_S):
        if mode == "session":
            assert await anext(aiter(iter_notification_payloads(url))) == ""
            return
        with pytest.raises(Unavailable, match="do not come through"):
            await anext(aiter(iter_notification_payloads(url)))


async def test_a_statement_that_is_lost_later_is_explained(pooled):
    mode, url = pooled
    store = PostgresStore(url, None, connections=1)
    await store.read("", lambda tx: tx.all("SELECT 1"))
    with psycopg.connect(url) as other:
        other.execute("SELECT 1")  # it has the connection now, if that can be lent
        if mode == "session":
            assert await store.read("", lambda tx: tx.all("SELECT 1")) == [(1,)]
        else:
            with pytest.raises(Unavailable, match="max_prepared_statements"):
                await store.read("", lambda tx: tx.all("SELECT 1"))
    await store.close()
