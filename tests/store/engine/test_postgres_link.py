"""Pipelined statements: sent without waiting, read in order, and a failure among them spoils only its transaction."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors
from psycopg.pq import TransactionStatus

from pendesk.store.engine.postgres_connect import FailureLog
from pendesk.store.engine.postgres_connection import PgConnection
from pendesk.store.engine.postgres_link import PipelinedConnection
from pendesk.store.engine.postgres_tx import PostgresTx


@pytest.fixture
def connection(postgres) -> Iterator[PgConnection]:
    with PgConnection.connect(postgres.url(), failures=FailureLog()) as connection:
        connection.execute("CREATE TEMPORARY TABLE kept (id BIGINT PRIMARY KEY, text TEXT, flag SMALLINT)")
        yield connection


@pytest.fixture
def link(connection: PgConnection) -> PipelinedConnection:
    return connection.link


ADD = "INSERT INTO kept (id, text, flag) VALUES (:id, :text, :flag)"
COUNT = "SELECT count(*) FROM kept"


def add(link, id, text="some", flag=0):
    return link.send(ADD, {"id": id, "text": text, "flag": flag})


def count(link):
    link.begin_transaction("BEGIN")
    [(rows,)] = link.fetch_rows(link.send(COUNT, {}))
    link.end_transaction("COMMIT")
    return rows


def test_what_was_sent_first_can_be_read_last(link):
    link.begin_transaction("BEGIN")
    first = link.send("SELECT 1 + :n", {"n": 1})
    second = link.send("SELECT 1 + :n", {"n": 2})
    assert link.fetch_rows(second) == [(3,)]
    assert link.fetch_rows(first) == [(2,)]
    link.end_transaction("COMMIT")


def test_a_failure_is_told_by_the_next_read_and_undone_whole(link, connection):
    link.begin_transaction("BEGIN")
    add(link, 1)
    add(link, 1)
    late = link.send(COUNT, {})
    with pytest.raises(errors.UniqueViolation):
        link.fetch_rows(late)
    link.roll_back_open_transaction()
    assert connection.info.transaction_status == TransactionStatus.IDLE
    assert count(link) == 0


def test_a_failure_is_told_by_the_commit_at_the_latest(link):
    link.begin_transaction("BEGIN")
    add(link, 1)
    add(link, 1)
    with pytest.raises(errors.UniqueViolation):
        link.end_transaction("COMMIT")
    link.roll_back_open_transaction()
    assert count(link) == 0


def test_nothing_stays_of_what_was_sent_and_never_read(link):
    link.begin_transaction("BEGIN")
    add(link, 1)
    link.roll_back_open_transaction()
    assert count(link) == 0
    link.begin_transaction("BEGIN")
    add(link, 1)
    link.end_transaction("COMMIT")
    assert count(link) == 1


def test_a_statement_with_a_fault_leaves_the_connection_usable(link):
    link.begin_transaction("BEGIN")
    with pytest.raises(errors.UndefinedTable):
        link.fetch_rows(link.send("SELECT * FROM nowhere", {}))
    link.roll_back_open_transaction()
    assert count(link) == 0


def test_more_than_any_buffer_holds_goes_through(link):
    link.begin_transaction("BEGIN")
    sent = [link.send("SELECT :text::text", {"text": f"{n}" * 20_000}) for n in range(300)]
    assert all(link.fetch_rows(each)[0][0] == f"{n}" * 20_000 for n, each in enumerate(sent))
    for n in range(3_000):
        add(link, n)
    link.end_transaction("COMMIT")
    assert count(link) == 3_000


def test_values_come_back_as_they_went(link):
    link.begin_transaction("BEGIN")
    add(link, 2**62, "\u00e9 '\\ \U0001f600", True)
    add(link, -1, None, False)
    rows = link.fetch_rows(link.send("SELECT id, text, flag FROM kept ORDER BY id", {}))
    link.end_transaction("COMMIT")
    assert rows == [(-1, None, 0), (2**62, "\u00e9 '\\ \U0001f600", 1)]


def test_a_text_is_never_cut_short_at_its_character_0(link):
    link.begin_transaction("BEGIN")
    with pytest.raises(psycopg.DataError):
        add(link, 1, "before\0after")
    link.roll_back_open_transaction()
    assert count(link) == 0


def test_a_connection_that_was_ended_is_not_given_out(link, connection, postgres):
    link.check_open()
    with psycopg.connect(postgres.url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 30000)", [connection.info.backend_pid])
    with pytest.raises(psycopg.OperationalError, match="terminating connection due to administrator command"):
        link.check_open()


def test_a_connection_that_breaks_in_a_transaction_says_so(link, connection, postgres):
    link.begin_transaction("BEGIN")
    add(link, 1)
    link.fetch_rows(link.send(COUNT, {}))
    with psycopg.connect(postgres.url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        link.end_transaction("COMMIT")
    link.roll_back_open_transaction()
    assert connection.info.transaction_status == TransactionStatus.UNKNOWN


def test_the_moment_is_that_of_the_beginning_whenever_it_is_read(link):
    link.begin_transaction("BEGIN")
    tx = PostgresTx(link, "w", None, log_behind=False)
    [(later,)] = tx.all("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM pg_sleep(0.01)")
    assert later - tx.now >= 10_000
    assert tx.now == tx.now
    link.end_transaction("COMMIT")


def test_what_is_read_ahead_is_taken_once_and_as_it_was_when_it_was_sent(link):
    link.begin_transaction("BEGIN")
    tx = PostgresTx(link, "w", None, log_behind=False)
    text_of = "SELECT text FROM kept WHERE id = :id"
    tx.run(ADD, id=1, text="before", flag=0)
    tx.read_ahead(text_of, id=1)
    tx.run("UPDATE kept SET text = 'after'")
    assert tx.all(text_of, id=2) == []
    assert tx.all(text_of, id=1) == [("before",)]
    assert tx.all(text_of, id=1) == [("after",)]
    link.end_transaction("COMMIT")


def test_what_is_read_ahead_is_forgotten_when_the_transaction_begins_anew(link):
    link.begin_transaction("BEGIN")
    tx = PostgresTx(link, "w", None, log_behind=False)
    tx.run(ADD, id=1, text="some", flag=0)
    tx.read_ahead(COUNT)
    tx.rollback()
    assert tx.one(COUNT) == (0,)
    link.end_transaction("COMMIT")


def test_what_is_read_ahead_for_nothing_leaves_nothing_behind(link):
    link.begin_transaction("BEGIN")
    tx = PostgresTx(link, "w", None, log_behind=False)
    tx.read_ahead(COUNT)
    link.end_transaction("COMMIT")
    assert count(link) == 0
