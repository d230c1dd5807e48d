"""Opens the database that the settings name. Drivers are imported where used: SQLite needs none of PostgreSQL's."""

from typing import TYPE_CHECKING

from pendesk import clock
from pendesk.settings import SettingError, Settings
from pendesk.store.engine.folder_lock import ProcessInfo

if TYPE_CHECKING:
    from pendesk.store.engine.postgres import PostgresStore
    from pendesk.store.engine.sqlite import SqliteStore


def open_store(settings: Settings, process: ProcessInfo) -> "PostgresStore | SqliteStore":
    return _open_postgres(settings, process) if settings.database_url is not None else _open_sqlite(settings)


def _open_postgres(settings: Settings, process: ProcessInfo) -> "PostgresStore":
    from pendesk.store.engine.postgres import PostgresStore
    from pendesk.store.engine.postgres_pooler import check_prepared_statements_stay
    from pendesk.store.engine.postgres_presence import conninfo_with_process_name

    assert settings.database_url is not None
    url = conninfo_with_process_name(settings.database_url, process)
    check_prepared_statements_stay(url)
    return PostgresStore(url, None, settings.database_connections)


def _open_sqlite(settings: Settings) -> "SqliteStore":
    import apsw

    from pendesk.store.engine.sqlite import OLDEST_SQLITE, SqliteStore

    assert settings.sqlite_file is not None
    if tuple(int(part) for part in apsw.sqlite_lib_version().split(".")[:3]) < OLDEST_SQLITE:
        raise SettingError(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt a database. Install apsw from PyPI, which brings its own."
        )
    return SqliteStore(settings.sqlite_file, clock.now_us)
