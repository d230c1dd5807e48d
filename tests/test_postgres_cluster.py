import subprocess

import psycopg
import pytest

from tests.postgres import PostgresCluster


def test_a_database_is_created_answers_and_is_dropped(postgres):
    url = postgres.create_database("cluster_test")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
        postgres.drop_database("cluster_test")
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_the_unix_socket_answers(postgres):
    with psycopg.connect(
        host=str(postgres.directory), port=postgres.port, user="postgres", dbname="postgres"
    ) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("off",)


def test_pgbench_is_at_hand(postgres):
    assert b"18." in subprocess.check_output([postgres.bin("pgbench"), "--version"])


def test_a_cluster_is_durable_by_default():
    with PostgresCluster() as cluster, psycopg.connect(cluster.url()) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)


def test_a_cluster_is_gone_after_a_failure():
    cluster = PostgresCluster(fast=True)
    with pytest.raises(ZeroDivisionError), cluster:
        raise ZeroDivisionError
    assert cluster.process.returncode == 0
    assert not cluster.directory.exists()
