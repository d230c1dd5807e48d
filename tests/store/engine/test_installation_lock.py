"""Holding an installation with others or alone, on both engines, from one folder and from two machines."""

from contextlib import contextmanager

import psycopg
import pytest

from pendesk.ids import new_id
from pendesk.settings import DataLocation
from pendesk.store.engine import folder_lock, installation_lock, migrate, postgres_presence
from pendesk.store.engine.folder_lock import InUse, this_process_info
from pendesk.store.engine.installation_lock import hold_exclusive_lock_if_supported, migrate_and_hold_shared_lock
from tests.crash.migrations import Target

SERVER = this_process_info("pendesk serve", "http://127.0.0.1:3847")
COMMAND = this_process_info("pendesk restore")
FORGET = "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)"


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path, monkeypatch):
    monkeypatch.setattr(installation_lock, "MIGRATION_WAIT_S", 0)
    monkeypatch.setattr(installation_lock, "MIGRATION_LOOK_S", 0.1)
    if request.param == "sqlite":
        yield DataLocation(tmp_path / "data", tmp_path / "data/pendesk.sqlite3", None)
        return
    cluster = request.getfixturevalue("postgres")
    name = f"held_{new_id().replace('-', '')}"
    yield DataLocation(tmp_path / "data", None, cluster.create_database(name))
    cluster.drop_database(name)


@pytest.fixture
def database(postgres):
    """A PostgreSQL database at this version."""
    name = f"held_{new_id().replace('-', '')}"
    url = postgres.create_database(name)
    migrate.migrate(None, url)
    yield url
    postgres.drop_database(name)


@contextmanager
def connected(place, process):
    """As a server is: its connections carry its name."""
    with migrate_and_hold_shared_lock(place, process) as holding:
        if place.url is None:
            yield holding
            return
        with psycopg.connect(postgres_presence.conninfo_with_process_name(place.url, process)):
            holding.mark_connected()
            yield holding


def refused(context) -> str:
    with pytest.raises(InUse) as refusal, context:
        raise AssertionError("it was let in")
    return str(refusal.value)


def versions(place):
    return Target(place.file, place.url).found()[0]


def run(place, sql):
    with migrate.open_database_with_begin_statement(place.file, place.url) as (database, _):
        database.run_script(sql)


def test_the_first_migrates_alone_and_others_join(place):
    with connected(place, SERVER) as first, connected(place, COMMAND) as second:
        assert first.applied_migrations == migrate.all_migrations("sqlite" if place.url is None else "postgres")
        assert second.applied_migrations == []


def test_nobody_replaces_what_a_server_has_open(place):
    with connected(place, SERVER):
        assert SERVER.url in refused(hold_exclusive_lock_if_supported(place, COMMAND, 0.1))
    with hold_exclusive_lock_if_supported(place, COMMAND, 0.1) as locked:
        assert locked


def test_a_database_that_a_server_has_open_is_not_migrated_beneath_it(place):
    with connected(place, SERVER):
        run(place, FORGET)
        before = versions(place)
        text = refused(migrate_and_hold_shared_lock(place, COMMAND))
        assert text.startswith(f"The database must be migrated for pendesk {COMMAND.version}.")
        assert SERVER.url in text
        assert versions(place) == before


def elsewhere(tmp_path, url) -> DataLocation:
    """The same database, seen from another machine: its folder is another."""
    return DataLocation(tmp_path / "elsewhere", None, url)


def test_a_server_on_another_machine_is_seen(database, tmp_path):
    with connected(DataLocation(tmp_path / "data", None, database), SERVER):
        text = refused(hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND, 0.1))
        assert f"`pendesk serve {SERVER.version} {SERVER.url}` from 127.0.0.1" in text
        assert "pg_terminate_backend" in text
        run(elsewhere(tmp_path, database), FORGET)
        assert SERVER.url in refused(migrate_and_hold_shared_lock(elsewhere(tmp_path, database), COMMAND))


def test_who_has_just_gone_is_waited_for(database, tmp_path):
    """A killed server's connections are closed a moment after it: the look is repeated, and not from memory."""
    connection = psycopg.connect(postgres_presence.conninfo_with_process_name(database, SERVER))
    looks = []

    def look(link):
        looks.append(others(link))
        connection.close()
        return looks[-1]

    others = postgres_presence._other_process_names_and_hosts
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_presence, "_other_process_names_and_hosts", look)
        with hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND):
            assert len(looks) > 1
            assert looks[-1] == []


def test_a_start_and_a_restore_do_not_pass_each_other(database, tmp_path, monkeypatch):
    monkeypatch.setattr(postgres_presence, "SHARED_WAIT_S", 0.1)
    here = DataLocation(tmp_path / "data", None, database)
    with migrate_and_hold_shared_lock(
        here, SERVER
    ) as starting:  # it has looked at the migrations and has no connection yet
        assert "Another process starts" in refused(
            hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND, 0.1)
        )
        starting.mark_connected()
        with hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND, 0.1):
            assert "Try again when it is done" in refused(
                migrate_and_hold_shared_lock(DataLocation(tmp_path / "third", None, database), SERVER)
            )


def test_other_databases_of_the_same_server_do_not_matter(database, tmp_path, postgres):
    other = postgres_presence.conninfo_with_process_name(postgres.url(), SERVER)
    with psycopg.connect(other), hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND, 0.1):
        pass


def test_a_long_restore_is_not_cut_off_by_limits_of_the_server(database, tmp_path):
    """Its lock is a transaction that does nothing."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '50ms'")
        try:
            with hold_exclusive_lock_if_supported(elsewhere(tmp_path, database), COMMAND):
                connection.execute("SELECT pg_sleep(0.3)")
                granted = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'"
                assert connection.execute(granted).fetchone() == (1,)
        finally:
            connection.execute("ALTER ROLE CURRENT_USER RESET idle_in_transaction_session_timeout")


def test_the_name_fits_into_what_postgresql_keeps(database):
    long = this_process_info("pendesk serve", "https://" + "a" * 200 + ".example.com")
    with psycopg.connect(postgres_presence.conninfo_with_process_name(database, long)) as connection:
        row = connection.execute(
            "SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        ).fetchone()
        assert row is not None
        assert row[0].startswith(f"pendesk serve {long.version} https://aaa")


def test_a_folder_without_locks_says_so(place, monkeypatch, caplog):
    monkeypatch.setattr(folder_lock, "fcntl", None)
    with migrate_and_hold_shared_lock(place, SERVER):
        pass
    with hold_exclusive_lock_if_supported(place, COMMAND) as locked:
        assert not locked
    assert "has no file locks" in caplog.text
