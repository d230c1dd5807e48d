"""What doctor looks at. A check only reads; each returns what it found, with the fix where something is wrong."""

import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pendesk import clock
from pendesk.cli.parts.local import SERVER_FILE, running_server, this_command
from pendesk.domain.limits import MINUTE_US
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import SettingError, Settings
from pendesk.store import installation, secret
from pendesk.store.engine import folder_lock

LEAST_FREE_BYTES = 500_000_000
OLDEST_POSTGRES = 14
CLOCK_SLACK_US = 5 * MINUTE_US
PROGRAM_US = 1_767_225_600_000_000  # 2026-01-01: a clock that shows less is wrong


class Finding(NamedTuple):
    name: str
    state: str  # ok, wrong or corrupt
    told: str
    fix: str = ""


class Patient:
    """What the checks share; a check that finds the database unusable spares the later ones."""

    def __init__(self, settings: Settings, full: bool) -> None:
        self.settings = settings
        self.full = full
        self.usable = False

    @property
    def where(self) -> tuple[Path | None, str | None]:
        return self.settings.database_file, self.settings.database_url


Findings = Iterator[Finding]


def check_data_folder(patient: Patient) -> Findings:
    folder = patient.settings.data
    if not folder.is_dir():
        yield Finding("data folder", "wrong", f"{folder} is not there", "Run: pendesk init")
    elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("data folder", "wrong", f"{folder} cannot be written", f"As its owner, run: chmod 700 {folder}")
    elif os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield Finding("data folder", "wrong", f"{folder} is open to other users", f"Run: chmod 700 {folder}")
    else:
        yield Finding("data folder", "ok", str(folder))


def check_locks(patient: Patient) -> Findings:
    """Who has the folder open, and whether anybody can be kept away from it."""
    folder = patient.settings.data
    try:
        supported = folder.is_dir() and folder_lock.is_supported(folder)
    except OSError:
        return  # that it cannot be written is told already
    if supported:
        holders = ", ".join(str(process) for process in folder_lock.holders(folder))
        yield Finding("locks", "ok", f"held by {holders}" if holders else "nobody has the data folder open")
    elif folder.is_dir():
        problem = (
            "there are no file locks here, so a restore and a second server cannot be kept away from a running one"
        )
        fix = "Keep the data folder on a local disk, or stop the server yourself before restore, migrate and rotate."
        yield Finding("locks", "wrong" if os.name == "posix" else "ok", problem, fix)


def check_private_files(patient: Patient) -> Findings:
    """Secrets that other users of the machine could read."""
    settings = patient.settings
    files = [settings.data / secret.FILE_NAME, settings.data / SERVER_FILE, settings.config]
    files += settings.data.glob("pendesk.sqlite3*")
    readable = [str(file) for file in files if os.name == "posix" and file.exists() and file.stat().st_mode & 0o077]
    if readable:
        fix = f"Run: chmod 600 {' '.join(readable)}"
        yield Finding("private files", "wrong", f"others can read {', '.join(readable)}", fix)
    else:
        yield Finding("private files", "ok", "nobody else can read them")


def check_secret(patient: Patient) -> Findings:
    settings = patient.settings
    if settings.secret_key is not None:
        yield Finding("secret", "ok", f"from {settings.origins['secret_key'].source}")
    elif not (settings.data / secret.FILE_NAME).exists():
        fresh = settings.database_file is not None and not settings.database_file.exists()
        fix = "Run: pendesk init" if fresh else _secret_of_backup(settings)
        there = f"{settings.data / secret.FILE_NAME} is not there"
        yield Finding("secret", "wrong", f"{there}; where nothing has run yet, the first start makes it", fix)
    else:
        try:
            secret.read(settings.data)
            yield Finding("secret", "ok", f"from {settings.data / secret.FILE_NAME}")
        except (ValueError, OSError) as error:
            yield Finding("secret", "wrong", str(error), _secret_of_backup(settings))


def _secret_of_backup(settings: Settings) -> str:
    """Only the key is taken out of it: the database is newer than the backup, and good."""
    if settings.secret_key is not None:
        return f"Set {settings.origins['secret_key'].source} to its old value, or take it out if secret.key is right."
    kept = _last_backup_file(settings)
    if kept is not None and _last_backup_has_secret(settings):
        return f"Run: tar -xzf {kept} -C {settings.data} {secret.FILE_NAME}"
    return f"Put {settings.data / secret.FILE_NAME} back from a backup, or set PENDESK_SECRET_KEY to its old value."


def _last_backup_has_secret(settings: Settings) -> bool:
    from pendesk.cli.commands.backup import last_backup

    return bool((last_backup(settings.data) or {}).get("secret", True))  # older notes do not say


def _last_backup_file(settings: Settings) -> Path | None:
    from pendesk.cli.commands.backup import last_backup

    last = last_backup(settings.data)
    return Path(last["path"]) if last and Path(last["path"]).is_file() else None


def _restore(settings: Settings) -> str | None:
    kept = _last_backup_file(settings)
    return None if kept is None else f"pendesk restore {kept} --force"


def check_database(patient: Patient) -> Findings:
    if patient.settings.database_url is not None:
        yield from _check_postgres(patient, patient.settings.database_url)
    else:
        yield from _check_sqlite(patient)


def _check_sqlite(patient: Patient) -> Findings:
    import apsw

    from pendesk.store.engine.sqlite import OLDEST_SQLITE, connect

    version = apsw.sqlite_lib_version()
    good = tuple(int(part) for part in version.split(".")[:3]) >= OLDEST_SQLITE
    oldest = ".".join(str(part) for part in OLDEST_SQLITE)
    fix = "" if good else f"SQLite before {oldest} can corrupt a database: install apsw from PyPI."
    yield Finding("engine", "ok" if good else "wrong", f"SQLite {version}", fix)
    path = patient.settings.database_file
    assert path is not None
    if not path.exists():
        fix = f"Run: {_restore(patient.settings) or 'pendesk init'}"
        yield Finding("database", "wrong", f"{path} is not there", fix)
        return
    pragma = "integrity_check" if patient.full else "quick_check"
    try:
        connection = connect(path, readonly=True)
        found = [str(row[0]) for row in connection.execute(f"PRAGMA {pragma}(5)")]
        connection.close()
    except (apsw.NotADBError, apsw.CorruptError) as error:
        found = [str(error)]
    except apsw.Error as error:
        yield Finding("database", "wrong", f"{path} cannot be opened: {error}", "Check its rights and the disk.")
        return
    if found != ["ok"]:
        restore = _restore(patient.settings) or "pendesk restore FILE --force"
        fix = f"Stop the server, then run: {restore} (the damaged file is moved aside)"
        yield Finding("database", "corrupt", f"{path}: {'; '.join(found)}", fix)
        return
    patient.usable = True
    yield Finding("database", "ok", f"{path} ({path.stat().st_size // 1024} KB), {pragma} ok")


def _check_postgres(patient: Patient, url: str) -> Findings:
    fix = "Check PENDESK_DATABASE_URL, and that PostgreSQL runs and lets this machine in."
    try:
        import psycopg

        from pendesk.store.engine.postgres_connect import connect, full_reason
    except ModuleNotFoundError:
        yield Finding("database", "wrong", "the PostgreSQL driver is missing", "Install pendesk[postgres].")
        return
    try:
        with connect(url) as connection:
            version = connection.info.server_version // 10_000
            skew = int(connection.execute(_SKEW).fetchone()[0] * 1_000_000) - clock.now()  # type: ignore[index]
    except psycopg.Error as error:
        yield Finding("database", "wrong", f"cannot be reached: {full_reason(error)}", fix)
        return
    except SettingError as error:
        yield Finding("database", "wrong", str(error), "Correct PENDESK_DATABASE_URL.")
        return
    patient.usable = True
    yield Finding("database", "ok", patient.settings.origins["database_url"].shown)
    good = version >= OLDEST_POSTGRES
    yield Finding(
        "engine",
        "ok" if good else "wrong",
        f"PostgreSQL {version}",
        "" if good else f"Upgrade it to {OLDEST_POSTGRES} or newer.",
    )
    if abs(skew) > CLOCK_SLACK_US:
        told = f"the database's clock and ours are {abs(skew) // MINUTE_US} minutes apart"
        yield Finding("clock", "wrong", told, "Let both machines set their clocks by NTP.")


_SKEW = "SELECT extract(epoch FROM clock_timestamp())"


def check_migrations(patient: Patient) -> Findings:
    from pendesk.store.engine.migrate import NewerDatabase, pending

    if not patient.usable:
        return
    try:
        names = [f"{each.version:04d}_{each.name}" for each in pending(*patient.where)]
    except NewerDatabase as error:
        patient.usable = False
        yield Finding("migrations", "wrong", str(error), "Install the newer pendesk.")
        return
    patient.usable = not names
    if names:
        yield Finding("migrations", "wrong", f"pending: {', '.join(names)}", "Run: pendesk migrate")
    else:
        yield Finding("migrations", "ok", "none pending")


def check_content(patient: Patient) -> Findings:
    """What only the store can tell: does the secret fit, is there a workspace, is the newest event in the past."""
    import asyncio

    if not patient.usable:
        return
    try:
        fits, workspace, newest = asyncio.run(_ask_store(patient.settings))
    except Exception as error:
        yield Finding("content", "wrong", f"cannot be read: {error}", "See the other findings.")
        return
    if not fits:
        told = "it is not the one that this database was made with"
        yield Finding("secret", "wrong", told, _secret_of_backup(patient.settings))
    if workspace is None:
        yield Finding("workspace", "wrong", "there is none yet", "Run: pendesk init")
    now = clock.now()
    if now < max(PROGRAM_US, newest - CLOCK_SLACK_US):
        told = f"the clock shows {clock.to_iso(now)}, which is before what was written already"
        yield Finding("clock", "wrong", told, "Run: timedatectl set-ntp true")
    else:
        yield Finding("clock", "ok", clock.to_iso(now))


async def _ask_store(settings: Settings) -> tuple[bool, str | None, int]:
    from pendesk.main import open_store
    from pendesk.store import events

    store = open_store(settings, this_command())
    try:

        def work(tx: Any) -> tuple[bool, str | None, int]:
            fingerprint = installation.secret_fingerprint(tx)
            key = secret.in_force(settings.data, settings.secret_key, fingerprint)
            fits = key is None or fingerprint is None or is_fingerprint_of(fingerprint, key)
            return fits, installation.find_first_workspace(tx), events.newest_time(tx)

        return await store.read("", work)
    finally:
        await store.close()


def check_server(patient: Patient) -> Findings:
    import urllib.error
    import urllib.request

    settings = patient.settings
    running = running_server(settings.data)
    if running is None:
        yield _free_port(settings)
        return
    try:
        with urllib.request.urlopen(f"{running['url']}/api/v1/health", timeout=3) as answer:  # noqa: S310
            yield Finding("server", "ok", f"answers at {running['url']} (HTTP {answer.status})")
    except urllib.error.HTTPError as error:
        told = error.read(2_000).decode("utf-8", "replace")
        yield Finding("server", "wrong", f"{running['url']} answers {error.code}: {told}", "Read the server's log.")
    except OSError as error:
        fix = f"Stop process {running['pid']} if it is Pendesk, then run: pendesk serve"
        yield Finding("server", "wrong", f"{running['url']} does not answer: {error}", fix)


def _free_port(settings: Settings) -> Finding:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.settimeout(2)
        taken = settings.port != 0 and probe.connect_ex((settings.host, settings.port)) == 0
    if taken:
        told = f"port {settings.port} is used by another program"
        return Finding("server", "wrong", told, "Run: pendesk serve --port 0")
    return Finding("server", "ok", f"does not run; port {settings.port} is free")


def check_disk(patient: Patient) -> Findings:
    folder = patient.settings.data
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    good = free >= LEAST_FREE_BYTES
    fix = "" if good else "Free some space: without it the server refuses to write."
    yield Finding("disk", "ok" if good else "wrong", f"{free // 1_000_000} MB free", fix)


def check_backup(patient: Patient) -> Findings:
    """Told, never held against a laptop: whether one is needed is for its owner to say."""
    from pendesk.cli.commands.backup import last_backup

    if not patient.usable:
        return
    last = last_backup(patient.settings.data)
    told = f"{last['at'][:16]}Z, {last['path']}" if last else "none was made yet; `pendesk backup` makes one"
    if last and _last_backup_file(patient.settings) is None:
        told += ", which is no longer there"
    yield Finding("last backup", "ok", told)


CHECKS: list[Callable[[Patient], Findings]] = [
    check_data_folder,
    check_locks,
    check_private_files,
    check_secret,
    check_database,
    check_migrations,
    check_content,
    check_server,
    check_disk,
    check_backup,
]
