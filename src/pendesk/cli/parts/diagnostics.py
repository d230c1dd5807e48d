"""The diagnostics of doctor for an installation. They only read, and name the fix for every problem."""

import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pendesk import clock
from pendesk.cli.parts.local import SERVER_FILE, current_process, read_running_server_info
from pendesk.domain.limits import MINUTE_US
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import SettingError, Settings
from pendesk.store import installation, secret
from pendesk.store.engine import folder_lock

MIN_FREE_BYTES = 500_000_000
MIN_POSTGRES = 14
CLOCK_SLACK_US = 5 * MINUTE_US
EARLIEST_NOW_US = 1_767_225_600_000_000  # 2026-01-01: a clock before that is wrong


class Diagnostic(NamedTuple):
    name: str
    state: str  # ok, wrong or corrupt
    message: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "state": self.state, "told": self.message, "fix": self.fix}


class DoctorRun:
    """What the diagnostics share; once the database is unusable, the later ones skip it."""

    def __init__(self, settings: Settings, full: bool) -> None:
        self.settings = settings
        self.full = full
        self.database_usable = False

    @property
    def database_file_and_url(self) -> tuple[Path | None, str | None]:
        return self.settings.sqlite_file, self.settings.database_url


Diagnostics = Iterator[Diagnostic]


def diagnose_data_folder(run: DoctorRun) -> Diagnostics:
    folder = run.settings.data
    if not folder.is_dir():
        yield Diagnostic("data folder", "wrong", f"{folder} does not exist", "Run: pendesk init")
    elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Diagnostic("data folder", "wrong", f"{folder} is not writable", f"As its owner, run: chmod 700 {folder}")
    elif os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield Diagnostic("data folder", "wrong", f"other users can read {folder}", f"Run: chmod 700 {folder}")
    else:
        yield Diagnostic("data folder", "ok", str(folder))


def diagnose_data_folder_locks(run: DoctorRun) -> Diagnostics:
    """Which processes have the folder open, and whether locks work in it."""
    folder = run.settings.data
    try:
        supported = folder.is_dir() and folder_lock.supports_file_locks(folder)
    except OSError:
        return  # diagnose_data_folder reports it
    if supported:
        holders = ", ".join(str(process) for process in folder_lock.lock_holders(folder))
        yield Diagnostic("locks", "ok", f"held by {holders}" if holders else "no process has the data folder open")
    elif folder.is_dir():
        problem = "file locks do not work here, so nothing stops a restore or a second server while a server runs"
        fix = "Put the data folder on a local disk, or stop the server yourself before restore, migrate and rotate."
        yield Diagnostic("locks", "wrong" if os.name == "posix" else "ok", problem, fix)


def diagnose_private_file_permissions(run: DoctorRun) -> Diagnostics:
    """Secret files that other users of the machine could read."""
    settings = run.settings
    files = [settings.data / secret.FILE_NAME, settings.data / SERVER_FILE, settings.config]
    files += settings.data.glob("pendesk.sqlite3*")
    readable = [str(file) for file in files if os.name == "posix" and file.exists() and file.stat().st_mode & 0o077]
    if readable:
        fix = f"Run: chmod 600 {' '.join(readable)}"
        yield Diagnostic("private files", "wrong", f"other users can read {', '.join(readable)}", fix)
    else:
        yield Diagnostic("private files", "ok", "only you can read them")


def diagnose_installation_secret(run: DoctorRun) -> Diagnostics:
    settings = run.settings
    if settings.secret_key is not None:
        yield Diagnostic("secret", "ok", f"from {settings.origins['secret_key'].source}")
    elif not (settings.data / secret.FILE_NAME).exists():
        is_new = settings.sqlite_file is not None and not settings.sqlite_file.exists()
        fix = "Run: pendesk init" if is_new else _suggest_secret_fix(settings)
        problem = f"{settings.data / secret.FILE_NAME} is missing"
        yield Diagnostic("secret", "wrong", f"{problem}; a new installation creates it at its first start", fix)
    else:
        try:
            secret.read(settings.data)
            yield Diagnostic("secret", "ok", f"from {settings.data / secret.FILE_NAME}")
        except (ValueError, OSError) as error:
            yield Diagnostic("secret", "wrong", str(error), _suggest_secret_fix(settings))


def _suggest_secret_fix(settings: Settings) -> str:
    """Only the key is taken from the backup: the database is newer, and intact."""
    if settings.secret_key is not None:
        return f"Set {settings.origins['secret_key'].source} to its old value, or remove it if secret.key is right."
    backup = _last_backup_file(settings)
    if backup is not None and _last_backup_has_secret(settings):
        return f"Run: tar -xzf {backup} -C {settings.data} {secret.FILE_NAME}"
    return f"Restore {settings.data / secret.FILE_NAME} from a backup, or set PENDESK_SECRET_KEY to its old value."


def _last_backup_has_secret(settings: Settings) -> bool:
    from pendesk.cli.commands.backup import read_last_backup_info

    return bool((read_last_backup_info(settings.data) or {}).get("secret", True))  # older notes do not have it


def _last_backup_file(settings: Settings) -> Path | None:
    from pendesk.cli.commands.backup import read_last_backup_info

    last = read_last_backup_info(settings.data)
    return Path(last["path"]) if last and Path(last["path"]).is_file() else None


def _last_backup_restore_command(settings: Settings) -> str | None:
    backup = _last_backup_file(settings)
    return None if backup is None else f"pendesk restore {backup} --force"


def diagnose_database(run: DoctorRun) -> Diagnostics:
    if run.settings.database_url is not None:
        yield from _diagnose_postgres(run, run.settings.database_url)
    else:
        yield from _diagnose_sqlite(run)


def _diagnose_sqlite(run: DoctorRun) -> Diagnostics:
    import apsw

    from pendesk.store.engine.sqlite import OLDEST_SQLITE, connect

    version = apsw.sqlite_lib_version()
    is_ok = tuple(int(part) for part in version.split(".")[:3]) >= OLDEST_SQLITE
    oldest = ".".join(str(part) for part in OLDEST_SQLITE)
    fix = "" if is_ok else f"SQLite before {oldest} can corrupt a database: install apsw from PyPI."
    yield Diagnostic("engine", "ok" if is_ok else "wrong", f"SQLite {version}", fix)
    path = run.settings.sqlite_file
    assert path is not None
    if not path.exists():
        fix = f"Run: {_last_backup_restore_command(run.settings) or 'pendesk init'}"
        yield Diagnostic("database", "wrong", f"{path} does not exist", fix)
        return
    pragma = "integrity_check" if run.full else "quick_check"
    try:
        connection = connect(path, readonly=True)
        problems = [str(row[0]) for row in connection.execute(f"PRAGMA {pragma}(5)")]
        connection.close()
    except (apsw.NotADBError, apsw.CorruptError) as error:
        problems = [str(error)]
    except apsw.Error as error:
        yield Diagnostic(
            "database", "wrong", f"{path} cannot be opened: {error}", "Check its permissions and the disk."
        )
        return
    if problems != ["ok"]:
        restore = _last_backup_restore_command(run.settings) or "pendesk restore FILE --force"
        fix = f"Stop the server, then run: {restore} (it keeps the damaged file)"
        yield Diagnostic("database", "corrupt", f"{path}: {'; '.join(problems)}", fix)
        return
    run.database_usable = True
    yield Diagnostic("database", "ok", f"{path} ({path.stat().st_size // 1024} KB), {pragma} ok")


def _diagnose_postgres(run: DoctorRun, url: str) -> Diagnostics:
    fix = "Check PENDESK_DATABASE_URL, and that PostgreSQL runs and accepts connections from this machine."
    try:
        import psycopg

        from pendesk.store.engine.postgres_connect import connect, error_reason_with_server_address
    except ModuleNotFoundError:
        yield Diagnostic("database", "wrong", "the PostgreSQL driver is missing", "Install pendesk[postgres].")
        return
    try:
        with connect(url) as connection:
            version = connection.info.server_version // 10_000
            skew = int(connection.execute(_SKEW).fetchone()[0] * 1_000_000) - clock.now_us()  # type: ignore[index]
    except psycopg.Error as error:
        yield Diagnostic("database", "wrong", f"cannot be reached: {error_reason_with_server_address(error)}", fix)
        return
    except SettingError as error:
        yield Diagnostic("database", "wrong", str(error), "Correct PENDESK_DATABASE_URL.")
        return
    run.database_usable = True
    yield Diagnostic("database", "ok", run.settings.origins["database_url"].shown)
    is_ok = version >= MIN_POSTGRES
    yield Diagnostic(
        "engine",
        "ok" if is_ok else "wrong",
        f"PostgreSQL {version}",
        "" if is_ok else f"Upgrade it to {MIN_POSTGRES} or newer.",
    )
    if abs(skew) > CLOCK_SLACK_US:
        message = f"the clocks of the database and this machine are {abs(skew) // MINUTE_US} minutes apart"
        yield Diagnostic("clock", "wrong", message, "Synchronize the clocks of both machines with NTP.")


_SKEW = "SELECT extract(epoch FROM clock_timestamp())"


def diagnose_migrations(run: DoctorRun) -> Diagnostics:
    from pendesk.store.engine.migrate import NewerDatabase, pending_migrations

    if not run.database_usable:
        return
    try:
        names = [
            f"{migration.version:04d}_{migration.name}" for migration in pending_migrations(*run.database_file_and_url)
        ]
    except NewerDatabase as error:
        run.database_usable = False
        yield Diagnostic("migrations", "wrong", str(error), "Install the newer pendesk.")
        return
    run.database_usable = not names
    if names:
        yield Diagnostic("migrations", "wrong", f"pending: {', '.join(names)}", "Run: pendesk migrate")
    else:
        yield Diagnostic("migrations", "ok", "none pending")


def diagnose_secret_workspace_and_clock(run: DoctorRun) -> Diagnostics:
    """What the store knows: does the secret match, is there a workspace, is the newest event in the past."""
    import asyncio

    if not run.database_usable:
        return
    try:
        secret_matches, workspace, newest = asyncio.run(_secret_match_workspace_newest_time(run.settings))
    except Exception as error:
        yield Diagnostic("content", "wrong", f"cannot be read: {error}", "See the other diagnostics.")
        return
    if not secret_matches:
        message = "it is not the secret of this database"
        yield Diagnostic("secret", "wrong", message, _suggest_secret_fix(run.settings))
    if workspace is None:
        yield Diagnostic("workspace", "wrong", "there is no workspace yet", "Run: pendesk init")
    now = clock.now_us()
    if now < max(EARLIEST_NOW_US, newest - CLOCK_SLACK_US):
        message = f"the clock shows {clock.to_iso(now)}, which is before the newest event"
        yield Diagnostic("clock", "wrong", message, "Run: timedatectl set-ntp true")
    else:
        yield Diagnostic("clock", "ok", clock.to_iso(now))


async def _secret_match_workspace_newest_time(settings: Settings) -> tuple[bool, str | None, int]:
    from pendesk.store import events
    from pendesk.store.engine.open_store import open_store

    store = open_store(settings, current_process())
    try:

        def work(tx: Any) -> tuple[bool, str | None, int]:
            fingerprint = installation.secret_fingerprint(tx)
            key = secret.resolve_current_secret(settings.data, settings.secret_key, fingerprint)
            secret_matches = key is None or fingerprint is None or is_fingerprint_of(fingerprint, key)
            return (
                secret_matches,
                installation.find_first_workspace_id(tx),
                events.newest_event_time_in_all_workspaces(tx),
            )

        return await store.read("", work)
    finally:
        await store.close()


def diagnose_local_server(run: DoctorRun) -> Diagnostics:
    import urllib.error
    import urllib.request

    settings = run.settings
    running = read_running_server_info(settings.data)
    if running is None:
        yield _diagnose_port(settings)
        return
    try:
        with urllib.request.urlopen(f"{running['url']}/api/v1/health", timeout=3) as response:  # noqa: S310
            yield Diagnostic("server", "ok", f"answers at {running['url']} (HTTP {response.status})")
    except urllib.error.HTTPError as error:
        body = error.read(2_000).decode("utf-8", "replace")
        yield Diagnostic("server", "wrong", f"{running['url']} answers {error.code}: {body}", "Read the server's log.")
    except OSError as error:
        fix = f"Stop process {running['pid']} if it is Pendesk, then run: pendesk serve"
        yield Diagnostic("server", "wrong", f"{running['url']} does not answer: {error}", fix)


def _diagnose_port(settings: Settings) -> Diagnostic:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.settimeout(2)
        taken = settings.port != 0 and probe.connect_ex((settings.host, settings.port)) == 0
    if taken:
        message = f"port {settings.port} is in use by another program"
        return Diagnostic("server", "wrong", message, "Run: pendesk serve --port 0")
    return Diagnostic("server", "ok", f"not running; port {settings.port} is free")


def diagnose_disk_space(run: DoctorRun) -> Diagnostics:
    folder = run.settings.data
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    is_ok = free >= MIN_FREE_BYTES
    fix = "" if is_ok else "Free some space: the server refuses to write without it."
    yield Diagnostic("disk", "ok" if is_ok else "wrong", f"{free // 1_000_000} MB free", fix)


def diagnose_last_backup(run: DoctorRun) -> Diagnostics:
    """Never a problem: whether a backup is needed is for the owner to decide."""
    from pendesk.cli.commands.backup import read_last_backup_info

    if not run.database_usable:
        return
    last = read_last_backup_info(run.settings.data)
    message = f"{last['at'][:16]}Z, {last['path']}" if last else "none yet; `pendesk backup` creates one"
    if last and _last_backup_file(run.settings) is None:
        message += ", which no longer exists"
    yield Diagnostic("last backup", "ok", message)


DIAGNOSES: list[Callable[[DoctorRun], Diagnostics]] = [
    diagnose_data_folder,
    diagnose_data_folder_locks,
    diagnose_private_file_permissions,
    diagnose_installation_secret,
    diagnose_database,
    diagnose_migrations,
    diagnose_secret_workspace_and_clock,
    diagnose_local_server,
    diagnose_disk_space,
    diagnose_last_backup,
]
