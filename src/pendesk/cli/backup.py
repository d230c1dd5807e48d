"""pendesk backup: database, attachments and keys as one file, while the server runs."""

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pendesk import __version__, clock
from pendesk.cli.console import Console, Failure, everywhere, pass_console
from pendesk.settings import Settings

if TYPE_CHECKING:
    from pendesk.store import archive

FOLDER = "backups"
NOTE = "last-backup.json"


@click.command()
@click.option("--out", metavar="FILE", help="Where to write it [DATA/backups/pendesk-TIME.tar.gz].")
@click.option("--files-only", is_flag=True, help="Leave a PostgreSQL database out: you copy it yourself.")
@everywhere
@pass_console
def backup(console: Console, out: str | None, files_only: bool) -> None:
    """Write a consistent backup as one file. It holds secrets: keep it as safe as the data folder."""
    settings = console.settings()
    if settings.database_file is not None and not settings.database_file.exists():
        raise Failure(f"There is nothing in {settings.data} yet. Run `pendesk init` or `pendesk serve` first.")
    now = clock.to_iso(clock.now())
    stamp = now[:19].replace("-", "").replace(":", "").replace("T", "-")
    path = Path(out).absolute() if out else settings.data / FOLDER / f"pendesk-{stamp}.tar.gz"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    manifest = _write(console, settings, path, now, files_only)
    size = path.stat().st_size
    note = {"path": str(path), "at": now, "bytes": size}
    (settings.data / NOTE).write_text(json.dumps(note), "utf-8")
    told = {**note, "files": len(manifest["files"]), "engine": manifest["engine"], "database": manifest["database"]}
    files = sum(name.startswith("attachments/") for name in manifest["files"])
    what = f"database and {files} attachments" if manifest["database"] else f"{files} attachments, NO database"
    console.answer(told, f"Wrote {path} ({size // 1000 + 1} KB): {what}.\nRestore with: pendesk restore {path}")


def _write(console: Console, settings: Settings, path: Path, now: str, files_only: bool) -> dict[str, Any]:
    from pendesk.store import archive, migrate
    from pendesk.store.secret import FILE_NAME

    engine = "postgres" if settings.database_url else "sqlite"
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:
        copy = None if files_only and settings.database_url else Path(folder) / archive.DATABASES[engine]
        # Files after the database: what it refers to was written before it.
        attachments = _attachments(settings, None if copy is None else _copy_database(console, settings, copy))
        places = {copy.name: copy} if copy else {}
        own = {name: settings.data / name for name in (FILE_NAME, "pendesk.toml")}
        places |= {name: place for name, place in own.items() if place.is_file()}
        places |= {f"attachments/{key}": settings.data / "attachments" / key for key in sorted(attachments)}
        with archive.written(path) as writer:
            _add(console, writer, places)
            return writer.finish(
                {
                    "createdAt": now,
                    "pendesk": __version__,
                    "engine": engine,
                    "database": copy is not None,
                    "schema": max(each.version for each in migrate.known(engine)),
                }
            )


def _add(console: Console, writer: "archive.Writer", places: dict[str, Path]) -> None:
    done, whole = 0, sum(place.stat().st_size for place in places.values())
    with console.progress("Writing the backup", whole) as progress:
        for name, place in places.items():
            writer.add(name, place)
            done += place.stat().st_size
            progress(done)


def _copy_database(console: Console, settings: Settings, copy: Path) -> set[str]:
    """The attachments that the copy refers to."""
    from pendesk.store import copies

    try:
        with console.progress("Copying the database") as progress:
            if settings.database_url is not None:
                return copies.copy_postgres(settings.database_url, copy, progress)
            assert settings.database_file is not None
            return copies.copy_sqlite(settings.database_file, copy, progress)
    except copies.CopyFailed as error:
        raise Failure(str(error)) from None


def _attachments(settings: Settings, kept: set[str] | None) -> set[str]:
    """Nothing that the database refers to may be missing; without a database all that is there is taken."""
    from pendesk.store.files import Files

    present = Files(settings.data / "attachments").keys()
    if kept is None:
        return present
    missing = kept - present
    if missing:
        raise Failure(
            f"{len(missing)} attachments are in the database but not in {settings.data / 'attachments'}. If one was "
            "removed just now, run this again; otherwise put the files back from an older backup."
        )
    return kept


def last_backup(data: Path) -> dict[str, Any] | None:
    try:
        told: dict[str, Any] = json.loads((data / NOTE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and "at" in told else None
