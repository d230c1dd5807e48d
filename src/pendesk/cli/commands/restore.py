"""pendesk restore: put a backup into the data folder."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import click

from pendesk import clock
from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.local import running_server, this_command
from pendesk.cli.parts.restored_secret import restored_secret
from pendesk.settings import Settings
from pendesk.store import secret
from pendesk.store.engine import installation_lock

DATABASE_FILES = ("pendesk.sqlite3", "pendesk.sqlite3-wal", "pendesk.sqlite3-shm")
SECRETS = (secret.FILE_NAME, secret.NEXT_NAME)
REPLACED = (*DATABASE_FILES, *SECRETS, "pendesk.toml", "attachments", "last-backup.json")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Put it in the place of what is there, which is moved aside.")
@everywhere
@pass_console
def restore(console: Console, file: Path, force: bool) -> None:
    """Put a backup back. The server must be stopped; nothing is changed before all of it was checked."""
    settings = console.settings()
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with installation_lock.hold_exclusively(settings.place, this_command()) as locked:
        if not locked:
            _check_stopped(console, settings)
        answer, lines = _restore(console, settings, file, force)
    console.answer(answer, "\n".join(lines))


def _check_stopped(console: Console, settings: Settings) -> None:
    """Without locks only the last server that was started is known of."""
    running = running_server(settings.data)
    if running is not None:
        raise Failure(f"The server at {running['url']} runs (process {running['pid']}). Stop it first.")
    console.warn(f"{settings.data} has no file locks, so a server that still runs there cannot be seen. Stop it first.")


def _restore(console: Console, settings: Settings, file: Path, force: bool) -> tuple[dict[str, Any], list[str]]:
    _check_empty(settings, force)
    with tempfile.TemporaryDirectory(dir=settings.data, prefix=".restore-") as folder:
        manifest = _check(console, settings, file, Path(folder))
        decided = restored_secret(settings, Path(folder), manifest)
        # PostgreSQL first: it takes all or nothing, and while it may still refuse no file has been moved.
        _load(console, settings, Path(folder), manifest)
        aside = _move_aside(settings, SECRETS if decided.keep else ())
        _put(settings, Path(folder), () if decided.put else SECRETS)
    answer = {"restored": str(file), "createdAt": manifest["createdAt"], "data": str(settings.data), "aside": aside}
    lines = [f"Restored {file}, made {manifest['createdAt'][:16]}Z, into {settings.data}."]
    lines += [f"What was there is in {aside}."] if aside else []
    lines += [
        "Tokens revoked and members removed since then are back: look through "
        f"`{console.command('pendesk token list')}` and `{console.command('pendesk user list')}`. "
        f"Next: {console.command('pendesk serve')}"
    ]
    return answer, lines


def _check_empty(settings: Settings, force: bool) -> None:
    # A secret alone is no installation: whoever has a backup without one puts it there first.
    there = [name for name in REPLACED if name not in SECRETS and (settings.data / name).exists()]
    if settings.database_url is not None:
        from pendesk.store.portable.database_copy import has_tables

        there += ["the PostgreSQL database"] if has_tables(settings.database_url) else []
    if there and not force:
        raise Failure(
            f"{settings.data} holds data already ({', '.join(there)}). Choose an empty folder with --data, or put the "
            "backup in its place with --force."
        )


def _check(console: Console, settings: Settings, file: Path, folder: Path) -> dict[str, Any]:
    from pendesk.store.engine import migrate
    from pendesk.store.portable import archive

    try:
        with console.progress("Checking the backup", file.stat().st_size) as progress:
            manifest = archive.unpack(file, folder, progress)
    except archive.BadArchive as error:
        raise Failure(str(error)) from None
    engine = "postgres" if settings.database_url else "sqlite"
    if manifest["engine"] != engine:
        setting = "Set PENDESK_DATABASE_URL" if manifest["engine"] == "postgres" else "Unset PENDESK_DATABASE_URL"
        raise Failure(f"This backup is of {manifest['engine']}. {setting} and run this again.")
    if manifest["schema"] > max(each.version for each in migrate.all_migrations(engine)):
        raise Failure(f"This backup was made by pendesk {manifest['pendesk']}, which is newer. Install that one first.")
    if manifest["database"] and engine == "sqlite":
        _check_database(folder / "pendesk.sqlite3")
    return manifest


def _check_database(copy: Path) -> None:
    import apsw

    from pendesk.store.engine import migrate
    from pendesk.store.portable import database_copy

    connection = apsw.Connection(str(copy))
    try:
        database_copy.check_sqlite(connection, copy)
        migrate.pending(copy, None)
    except (database_copy.CopyFailed, migrate.NewerDatabase) as error:
        raise Failure(str(error)) from None
    finally:
        connection.close()


def _move_aside(settings: Settings, kept: tuple[str, ...]) -> str | None:
    """Nothing is deleted; a log that belongs to the old database must not be read into the new one."""
    there = [settings.data / name for name in REPLACED if name not in kept and (settings.data / name).exists()]
    if not there:
        return None
    stamp = clock.to_iso(clock.now())[:19].replace("-", "").replace(":", "").replace("T", "-")
    aside = settings.data / f"before-restore-{stamp}"
    aside.mkdir(mode=0o700)
    for place in there:
        place.rename(aside / place.name)
    return str(aside)


def _load(console: Console, settings: Settings, folder: Path, manifest: dict[str, Any]) -> None:
    from pendesk.store.portable import archive, database_copy

    if not manifest["database"] or settings.database_url is None:
        return
    try:
        with console.progress("Loading the database") as progress:
            database_copy.load_postgres(settings.database_url, folder / archive.DATABASES["postgres"], progress)
    except database_copy.CopyFailed as error:
        raise Failure(str(error)) from None


def _put(settings: Settings, folder: Path, left: tuple[str, ...]) -> None:
    # The database last: a folder without one is not taken for a whole installation.
    for name in ("attachments", "pendesk.toml", "secret.key", "pendesk.sqlite3"):
        if name not in left and (folder / name).exists():
            shutil.move(folder / name, settings.data / name)
