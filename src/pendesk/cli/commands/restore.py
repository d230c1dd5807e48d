"""pendesk restore: restore a backup into the data folder."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pendesk import clock
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.local import current_process, read_running_server_info
from pendesk.cli.parts.restored_secret import choose_secret_after_restore
from pendesk.cli.parts.working_folder import working_folder
from pendesk.settings import Settings
from pendesk.store import secret
from pendesk.store.engine import installation_lock

if TYPE_CHECKING:
    from pendesk.store.portable import after_restore

DATABASE_FILES = ("pendesk.sqlite3", "pendesk.sqlite3-wal", "pendesk.sqlite3-shm")
SECRETS = (secret.FILE_NAME, secret.NEXT_NAME)
REPLACED = (*DATABASE_FILES, *SECRETS, "pendesk.toml", "attachments", "last-backup.json")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace existing data, which is moved to a folder beside it.")
@click.option(
    "--end-access/--keep-access",
    default=None,
    help="End all tokens, OAuth grants, sign-ins and invites of the backup [yes]: some may have been revoked since.",
)
@common_options
@pass_console
def restore(console: Console, file: Path, force: bool, end_access: bool | None) -> None:
    """Restore a backup. Stop the server first; nothing is changed before all of the backup is checked."""
    settings = console.load_settings()
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with installation_lock.hold_exclusive_lock_if_supported(settings.data_location, current_process()) as locked:
        if not locked:
            _check_server_stopped(console, settings)
        result, lines = _restore_and_report_json_and_text(console, settings, file, force, end_access)
    console.print_result(result, "\n".join(lines), [f"Next: {console.append_data_and_config_options('pendesk serve')}"])


def _check_server_stopped(console: Console, settings: Settings) -> None:
    """Without locks, only the server that was started last is known."""
    running = read_running_server_info(settings.data)
    if running is not None:
        raise CommandError(f"The server at {running['url']} is running (process {running['pid']}). Stop it first.")
    console.warn(f"{settings.data} has no file locks, so a server that still runs cannot be detected. Stop it first.")


def _restore_and_report_json_and_text(
    console: Console, settings: Settings, file: Path, force: bool, end_access: bool | None
) -> tuple[dict[str, Any], list[str]]:
    _check_data_folder_empty(settings, force)
    with working_folder(settings.data, ".restore-") as folder:
        manifest = _unpack_backup_and_check_manifest(console, settings, file, folder)
        decision = choose_secret_after_restore(settings, folder, manifest)
        if end_access is None:
            end_access = _ask_whether_to_end_access(console, manifest)
        # PostgreSQL first: it loads all or nothing, and no file is moved while it may still refuse.
        _restore_postgres(console, settings, folder, manifest)
        ended = _prepare_restored_database(settings, folder, manifest, end_access=end_access)
        aside = _move_old_files_to_new_folder(settings, SECRETS if decision.keep_existing else ())
        _move_restored_files_to_data_folder(settings, folder, () if decision.write_from_backup else SECRETS)
    result = {"restored": str(file), "createdAt": manifest["createdAt"], "data": str(settings.data), "aside": aside}
    result["ended"] = ended._asdict() if ended is not None and end_access else None
    lines = [f"Restored {file}, created {manifest['createdAt'][:16]}Z, into {settings.data}."]
    lines += [f"The previous data is in {aside}."] if aside else []
    lines += _lines_about_access(console, ended if end_access else None)
    return result, lines


def _ask_whether_to_end_access(console: Console, manifest: dict[str, Any]) -> bool:
    if not manifest["database"] or not sys.stdin.isatty() or console.as_json:
        return True
    return click.confirm(
        "Tokens and sign-ins that were revoked since the backup would work again. End all of the backup's now?",
        default=True,
        err=True,
    )


def _prepare_restored_database(
    settings: Settings, unpacked_backup: Path, manifest: dict[str, Any], *, end_access: bool
) -> "after_restore.EndedAccess | None":
    """A SQLite file before it gets its place, so that nobody ever opens it as it was."""
    from pendesk.store.portable import after_restore, archive

    now = clock.now_us()
    if not manifest["database"]:
        return None
    if settings.database_url is not None:
        return after_restore.prepare_restored_postgres(settings.database_url, now, end_access=end_access)
    file = unpacked_backup / archive.DATABASES["sqlite"]
    return after_restore.prepare_restored_sqlite(file, now, end_access=end_access)


def _lines_about_access(console: Console, ended: "after_restore.EndedAccess | None") -> list[str]:
    users, link = map(console.append_data_and_config_options, ("pendesk user list", "pendesk user link"))
    if ended is None:
        tokens = console.append_data_and_config_options("pendesk token list")
        return [f"Tokens revoked and members removed since then are active again: check `{tokens}` and `{users}`."]
    return [
        f"Ended: {ended.tokens} tokens, {ended.oauth_grants} OAuth grants, {ended.sessions} sign-ins and "
        f"{ended.invites} invites of the backup. Sign in with `{link}` and connect agents again.",
        f"Members removed since then are members again: check `{users}`.",
    ]


def _check_data_folder_empty(settings: Settings, force: bool) -> None:
    # A secret alone is not an installation: a backup without one needs it there first.
    present = [name for name in REPLACED if name not in SECRETS and (settings.data / name).exists()]
    if settings.database_url is not None:
        from pendesk.store.portable.database_copy import is_postgres_initialized

        present += ["the PostgreSQL database"] if is_postgres_initialized(settings.database_url) else []
    if present and not force:
        raise CommandError(
            f"{settings.data} already has data ({', '.join(present)}). Choose an empty folder with --data, or use "
            "--force to replace it."
        )


def _unpack_backup_and_check_manifest(
    console: Console, settings: Settings, backup_file: Path, target_folder: Path
) -> dict[str, Any]:
    from pendesk.store.engine import migrate
    from pendesk.store.portable import archive

    try:
        with console.progress("Checking the backup", backup_file.stat().st_size) as progress:
            manifest = archive.unpack_and_verify_manifest(backup_file, target_folder, progress)
    except archive.BadArchive as error:
        raise CommandError(str(error)) from None
    engine = "postgres" if settings.database_url else "sqlite"
    if manifest["engine"] != engine:
        setting = "Set PENDESK_DATABASE_URL" if manifest["engine"] == "postgres" else "Unset PENDESK_DATABASE_URL"
        raise CommandError(f"This backup is of a {manifest['engine']} database. {setting} and run this again.")
    if manifest["schema"] > max(migration.version for migration in migrate.all_migrations(engine)):
        raise CommandError(
            f"This backup was created by pendesk {manifest['pendesk']}, which is newer. Install that version first."
        )
    if manifest["database"] and engine == "sqlite":
        _check_sqlite_integrity_and_version(target_folder / "pendesk.sqlite3")
    return manifest


def _check_sqlite_integrity_and_version(database_file: Path) -> None:
    import apsw

    from pendesk.store.engine import migrate
    from pendesk.store.portable import database_copy

    connection = apsw.Connection(str(database_file))
    try:
        database_copy.check_sqlite_integrity(connection, database_file)
        migrate.pending_migrations(database_file, None)
    except (database_copy.CopyFailed, migrate.NewerDatabase) as error:
        raise CommandError(str(error)) from None
    finally:
        connection.close()


def _move_old_files_to_new_folder(settings: Settings, names_left_in_place: tuple[str, ...]) -> str | None:
    """Nothing is deleted; a write-ahead log of the old database must not be read into the new one."""
    paths = [
        settings.data / name for name in REPLACED if name not in names_left_in_place and (settings.data / name).exists()
    ]
    if not paths:
        return None
    stamp = clock.to_iso(clock.now_us())[:19].replace("-", "").replace(":", "").replace("T", "-")
    aside = settings.data / f"before-restore-{stamp}"
    aside.mkdir(mode=0o700)
    for path in paths:
        path.rename(aside / path.name)
    return str(aside)


def _restore_postgres(console: Console, settings: Settings, unpacked_backup: Path, manifest: dict[str, Any]) -> None:
    from pendesk.store.portable import archive, database_copy

    if not manifest["database"] or settings.database_url is None:
        return
    try:
        with console.progress("Loading the database") as progress:
            database_copy.restore_postgres(
                settings.database_url, unpacked_backup / archive.DATABASES["postgres"], progress
            )
    except database_copy.CopyFailed as error:
        raise CommandError(str(error)) from None


def _move_restored_files_to_data_folder(
    settings: Settings, source_folder: Path, skipped_names: tuple[str, ...]
) -> None:
    # The database last: a folder without one does not look like an installation.
    for name in ("attachments", "pendesk.toml", "secret.key", "pendesk.sqlite3"):
        if name not in skipped_names and (source_folder / name).exists():
            shutil.move(source_folder / name, settings.data / name)
