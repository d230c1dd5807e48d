"""Migrations: whole or not at all, once, whoever starts them."""

import multiprocessing
import subprocess
import sys

import apsw
import psycopg
import pytest

from pendesk.ids import new_id
from pendesk.store.engine import migrate
from tests.crash.migrations import Target

PROCESSES = 4
# Numbers of changes that are under way.
KEPT_FREE = {43, 44, 45, 49}


@pytest.fixture(params=["sqlite", "postgres"])
def target(request, tmp_path):
    """An empty database."""
    if request.param == "sqlite":
        yield Target(tmp_path / "pendesk.db", None)
        return
    cluster = request.getfixturevalue("postgres")
    name = f"migrate_{new_id().replace('-', '')}"
    yield Target(None, cluster.create_database(name))
    cluster.drop_database(name)


def known(target):
    return migrate.all_migrations("sqlite" if target.url is None else "postgres")


def versions(target):
    return target.found()[0]


def run(target, sql):
    with migrate.open_database_with_begin_statement(target.path, target.url) as (database, _):
        database.run_script(sql)


def with_another(monkeypatch, target, sql):
    """The program knows one migration more."""
    newest = known(target)[-1].version + 1
    more = [*known(target), migrate.Migration(newest, "another", sql)]
    monkeypatch.setattr(migrate, "all_migrations", lambda _engine: more)
    return newest


def test_migrating_twice_does_nothing_the_second_time(target):
    assert migrate.pending_migrations(target.path, target.url) == known(target)
    assert migrate.migrate(target.path, target.url) == known(target)
    found = target.found()
    assert migrate.migrate(target.path, target.url) == []
    assert migrate.pending_migrations(target.path, target.url) == []
    assert target.found() == found


def test_looking_for_pending_migrations_changes_nothing(target):
    migrate.pending_migrations(target.path, target.url)
    assert target.found() == ([], [])


def test_a_newer_database_is_refused_by_its_version(target):
    migrate.migrate(target.path, target.url)
    run(target, "INSERT INTO schema_migrations (version, name) VALUES (9000, 'from_the_future')")
    found = target.found()
    for look in (migrate.migrate, migrate.pending_migrations):
        with pytest.raises(migrate.NewerDatabase, match=f"version 9000, this program knows up to {found[0][-2]}"):
            look(target.path, target.url)
    assert target.found() == found


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE sound (id BIGINT);\nINSERT INTO nowhere VALUES (1);",
        "CREATE TABLE sound (id BIGINT);\nINSERT INTO workspaces (id) VALUES (NULL);",
        "CREATE TABLE sound (id BIGINT);\nROLLBACK;\nCREATE TABLE nonsense oops;",
    ],
    ids=["unknown table", "constraint", "ended by itself"],
)
def test_a_failing_migration_is_rolled_back_whole(target, monkeypatch, sql):
    migrate.migrate(target.path, target.url)
    found = target.found()
    with_another(monkeypatch, target, sql)
    # Its own error is told, not one of the cleaning up.
    with pytest.raises((apsw.Error, psycopg.Error), match=r"nowhere|(?i:not.null)|oops"):
        migrate.migrate(target.path, target.url)
    assert target.found() == found


def test_a_failed_migration_can_be_put_right(target, monkeypatch):
    migrate.migrate(target.path, target.url)
    with_another(monkeypatch, target, "CREATE TABLE sound (id BIGINT);\nINSERT INTO nowhere VALUES (1);")
    with pytest.raises((apsw.Error, psycopg.Error)):
        migrate.migrate(target.path, target.url)
    monkeypatch.undo()
    newest = with_another(monkeypatch, target, "CREATE TABLE sound (id BIGINT);")
    assert [one.version for one in migrate.migrate(target.path, target.url)] == [newest]


def test_a_statement_with_rows_does_not_end_a_migration(target, monkeypatch):
    migrate.migrate(target.path, target.url)
    with_another(monkeypatch, target, "SELECT 1 UNION SELECT 2;\nCREATE TABLE after_rows (id BIGINT);")
    migrate.migrate(target.path, target.url)
    run(target, "INSERT INTO after_rows (id) VALUES (1)")


def _start(barrier, path, url, answers):
    barrier.wait(60)
    try:
        answers.put([one.version for one in migrate.migrate(path, url)])
    except Exception as error:
        answers.put(repr(error))


def test_four_processes_that_start_at_once_migrate_once(target):
    spawn = multiprocessing.get_context("spawn")
    barrier, answers = spawn.Barrier(PROCESSES), spawn.Queue()
    started = [spawn.Process(target=_start, args=(barrier, target.path, target.url, answers)) for _ in range(PROCESSES)]
    for process in started:
        process.start()
    told = [answers.get(timeout=60) for _ in started]
    for process in started:
        process.join(60)
    assert all(isinstance(each, list) for each in told), told
    assert sorted(version for each in told for version in each) == [one.version for one in known(target)]
    assert versions(target) == [one.version for one in known(target)]


def test_four_stores_open_at_once_on_a_new_file(tmp_path):
    """Also the switch to the write-ahead log is made by whoever comes first, and waited for by the others."""
    code = (
        "import sys, pathlib;"
        "from pendesk.store.engine.migrate import migrate;"
        "from pendesk.store.engine.sqlite import SqliteStore;"
        "path = pathlib.Path(sys.argv[1]); print('ready', flush=True); sys.stdin.readline();"
        "migrate(path, None); SqliteStore(path, lambda: 0)"
    )
    for turn in range(3):
        command = [sys.executable, "-c", code, str(tmp_path / f"{turn}.db")]
        started = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)
        ]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        ends = [process.communicate(timeout=60) for process in started]
        assert [process.returncode for process in started] == [0] * PROCESSES, ends


def test_each_migration_has_its_own_number_and_none_is_left_out():
    versions = [migration.version for migration in migrate.all_migrations("sqlite")]
    assert len(versions) == len(set(versions))
    assert set(range(1, versions[-1] + 1)) - set(versions) <= KEPT_FREE
