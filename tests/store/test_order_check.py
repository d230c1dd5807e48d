"""What an order check costs follows the edges that lie on the way, and no others."""

from itertools import pairwise

import apsw
import pytest

from pendesk.store import edges
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteTx, connect
from tests.desk import START
from tests.sqlite_steps import counted

INSERT = """
INSERT INTO edges (workspace_id, id, project_id, from_action_id, to_action_id, label, before_id, after_id, created_by,
  created_at)
VALUES ('here', ?1 || ?2, 'project', ?1, ?2, 'blocks', ?1, ?2, 'ada', 0)
"""


@pytest.fixture
def connection(tmp_path):
    migrate(tmp_path / "pendesk.db", None)
    connection = connect(tmp_path / "pendesk.db")
    connection.pragma("foreign_keys", False)
    yield connection
    connection.close()


def chain(connection: apsw.Connection, name: str, length: int) -> None:
    ids = [f"{name}{number}" for number in range(length + 1)]
    with connection:
        connection.executemany(INSERT, list(pairwise(ids)))


def steps_to_walk(connection: apsw.Connection, start: str) -> int:
    with counted(connection) as steps:
        edges.downstream_before_after_id_pairs(SqliteTx(connection, "here", START), start)
    return sum(steps.values())


def test_twice_the_chain_is_twice_the_work(connection):
    chain(connection, "short", 100)
    short = steps_to_walk(connection, "short0")
    chain(connection, "long", 200)
    assert steps_to_walk(connection, "long0") < 2.5 * short


def test_edges_that_do_not_lie_on_the_way_cost_nothing(connection):
    chain(connection, "ours", 50)
    alone = steps_to_walk(connection, "ours0")
    for name in ("a", "b", "c"):
        chain(connection, name, 1_000)
    assert steps_to_walk(connection, "ours0") == alone


def test_a_walk_stops_at_its_limit(connection):
    chain(connection, "long", 2_000)
    tx = SqliteTx(connection, "here", START)
    for walk, start in (
        (edges.downstream_before_after_id_pairs, "long0"),
        (edges.upstream_before_after_id_pairs, "long2000"),
    ):
        with counted(connection) as steps:
            assert len(walk(tx, start, 10)) == 10
        assert sum(steps.values()) < 1_000
