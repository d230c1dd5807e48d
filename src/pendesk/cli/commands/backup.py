"""pendesk backup: database, attachments and keys as one file, while the server runs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pendesk import __version__, clock
from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.local import check_sqlite_file_exists, current_process
from pendesk.cli.parts.working_folder import working_folder
from pendesk.domain.signature import is_fingerprint_of
from pendesk.settings import CONFIG_NAME, Settings, read_secret_key
from pendesk.store import secret
from pendesk.store.engine import folder_lock

if TYPE_CHECKING:
    from pendesk.store.portable import archive, database_copy

FOLDER = "backups"
NOTE = "last-backup.json"
WORKING_PREFIX = ".backup-"


@click.command()
@click.option("--out", metavar="FILE", help="The file to write [DATA/backups/pendesk-TIME.tar.gz].")
@click.option("--files-only", is_flag=True, help="Leave out a PostgreSQL database, which you back up yourself.")
@click.option("--without-secret", is_flag=True, help="Leave out the secret, which you store yourself.")
@common_options
@pass_console
def backup(console: Console, out: str | None, files_only: bool, without_secret: bool) -> None:
    """Create a consistent backup as one file. It holds secrets: protect it like the data folder."""
    settings = console.load_settings()
    check_sqlite_file_exists(settings)
    now = clock.to_iso(clock.now_us())
    stamp = now[:19].replace("-", "").replace(":", "").replace("T", "-")
    path = Path(out).absolute() if out else settings.data / FOLDER / f"pendesk-{stamp}.tar.gz"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with folder_lock.hold_shared_lock(settings.data, current_process()):
        manifest = _write_backup_and_get_manifest(console, settings, path, now, files_only, without_secret)
    size = path.stat().st_size
    note = {"path": str(path), "at": now, "bytes": size, "secret": secret.FILE_NAME in manifest["files"]}
    _note_last_backup(console, settings, note)
    result = {**note, "files": len(manifest["files"]), "engine": manifest["engine"], "database": manifest["database"]}
    files = sum(name.startswith("attachments/") for name in manifest["files"])
    content = f"database and {files} attachments" if manifest["database"] else f"{files} attachments, NO database"
    warning = "" if note["secret"] else "\nThe secret is not in it, and a restore needs it. Store it elsewhere."
    text = f"Created {path} ({size // 1000 + 1} KB): {content}.{warning}"
    console.print_result(result, text, [f"Restore it with: pendesk restore {path}"])


def _note_last_backup(console: Console, settings: Settings, note: dict[str, Any]) -> None:
    """For doctor. The backup is good without it, and most needed when the disk of the data is full."""
    try:
        (settings.data / NOTE).write_text(json.dumps(note), "utf-8")
    except OSError as error:
        console.warn(
            f"{settings.data / NOTE} cannot be written ({error.strerror}): doctor will not know of this backup."
        )


def _write_backup_and_get_manifest(
    console: Console, settings: Settings, path: Path, now_iso: str, files_only: bool, without_secret: bool
) -> dict[str, Any]:
    from pendesk.store.engine import migrate
    from pendesk.store.portable import archive

    engine = "postgres" if settings.database_url else "sqlite"
    with working_folder(path.parent, WORKING_PREFIX) as folder:
        copy = None if files_only and settings.database_url else folder / archive.DATABASES[engine]
        # Files after the database: they exist before the database refers to them.
        copied = _copy_database_unless_files_only(console, settings, copy)
        attachments = _attachment_keys_to_back_up(settings, None if copy is None else copied.files)
        paths = {copy.name: copy} if copy else {}
        paths |= _write_secret_and_get_path_by_name(settings, copied.fingerprint, folder, without_secret)
        if (settings.data / CONFIG_NAME).is_file():
            paths[CONFIG_NAME] = settings.data / CONFIG_NAME
        paths |= {f"attachments/{key}": settings.data / "attachments" / key for key in sorted(attachments)}
        with archive.open_writer(path, folder) as writer:
            _add_files_to_archive(console, writer, paths)
            return writer.write_manifest(
                {
                    "createdAt": now_iso,
                    "pendesk": __version__,
                    "engine": engine,
                    "database": copy is not None,
                    "schema": max(migration.version for migration in migrate.all_migrations(engine)),
                    "secretFingerprint": copied.fingerprint,
                }
            )


def _add_files_to_archive(console: Console, writer: "archive.ArchiveWriter", paths_by_name: dict[str, Path]) -> None:
    written_bytes, total_bytes = 0, sum(path.stat().st_size for path in paths_by_name.values())
    with console.progress("Writing the backup", total_bytes) as progress:
        for name, path in paths_by_name.items():
            writer.add_file(name, path)
            written_bytes += path.stat().st_size
            progress(written_bytes)


def _copy_database_unless_files_only(
    console: Console, settings: Settings, target: Path | None
) -> "database_copy.CopyInfo":
    from pendesk.store.portable import database_copy

    if target is None:
        assert settings.database_url is not None
        return database_copy.CopyInfo(set(), database_copy.postgres_secret_fingerprint(settings.database_url))
    try:
        with console.progress("Copying the database") as progress:
            if settings.database_url is not None:
                return database_copy.copy_postgres(settings.database_url, target, progress)
            assert settings.sqlite_file is not None
            return database_copy.copy_sqlite(settings.sqlite_file, target, progress)
    except database_copy.CopyFailed as error:
        raise CommandError(str(error)) from None


def _write_secret_and_get_path_by_name(
    settings: Settings, expected_fingerprint: str | None, folder: Path, without_secret: bool
) -> dict[str, Path]:
    """The secret in use, wherever it comes from, and only if it is the one of the database."""
    key = secret.resolve_current_secret(settings.data, settings.secret_key, expected_fingerprint)
    if key is not None and expected_fingerprint is not None and not is_fingerprint_of(expected_fingerprint, key):
        raise CommandError(
            "The secret here is not the one of this database, so the backup would be useless. Set PENDESK_SECRET_KEY "
            f"to the right one, or write it to {settings.data / secret.FILE_NAME}."
        )
    if without_secret:
        _check_no_secret_in_settings_file(settings)
        return {}
    if key is None and expected_fingerprint is not None:
        raise CommandError(
            f"The secret of this database is missing: PENDESK_SECRET_KEY is not set and {settings.data} has no "
            f"{secret.FILE_NAME}. Set it, or store it elsewhere and use --without-secret."
        )
    if key is None:
        return {}
    secret.write(folder, key)
    if secret.read(folder) != key:
        raise CommandError("The secret starts or ends with a space, which its file cannot hold. Use --without-secret.")
    return {secret.FILE_NAME: folder / secret.FILE_NAME}


def _check_no_secret_in_settings_file(settings: Settings) -> None:
    if read_secret_key(settings.data / CONFIG_NAME) is not None:
        raise CommandError(
            f"The secret is in {settings.data / CONFIG_NAME}, which is part of the backup. Move it to "
            "PENDESK_SECRET_KEY first, or do not use --without-secret."
        )


def _attachment_keys_to_back_up(settings: Settings, keys_in_database: set[str] | None) -> set[str]:
    """Nothing that the database refers to may be missing; without a database, every file is included."""
    from pendesk.store.files import Files

    present = Files(settings.data / "attachments").keys()
    if keys_in_database is None:
        return present
    missing = keys_in_database - present
    if missing:
        raise CommandError(
            f"{len(missing)} attachments are in the database but not in {settings.data / 'attachments'}. If one was "
            "removed just now, run this again; otherwise restore the files from an older backup."
        )
    return keys_in_database


def read_last_backup_info(data_folder: Path) -> dict[str, Any] | None:
    try:
        note: dict[str, Any] = json.loads((data_folder / NOTE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) and "at" in note else None
