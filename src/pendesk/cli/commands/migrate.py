"""pendesk migrate: update the database to this version."""

from typing import TYPE_CHECKING

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.cli.parts.local import current_process
from pendesk.settings import Settings

if TYPE_CHECKING:
    from pendesk.store.engine.migrate import Migration


@click.command()
@click.option("--check", is_flag=True, help="Only show what is pending; exit 1 if anything is.")
@common_options
@pass_console
def migrate(console: Console, check: bool) -> None:
    """Update the database to this version. `pendesk serve` does it as well."""
    from pendesk.store.engine import installation_lock

    settings = console.load_settings()
    if check:
        migrations = _pending_migrations(console, settings)
    else:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            console.progress("Migrating the database"),
            installation_lock.migrate_and_hold_shared_lock(settings.data_location, current_process()) as held,
        ):
            migrations = held.applied_migrations
    names = [f"{migration.version:04d}_{migration.name}" for migration in migrations]
    verb = "Pending" if check else "Applied"
    console.print_result({"pending" if check else "applied": names}, f"{verb}: {', '.join(names) or 'nothing'}.")
    if check and names:
        raise SystemExit(1)


def _pending_migrations(console: Console, settings: Settings) -> list["Migration"]:
    from pendesk.store.engine import folder_lock
    from pendesk.store.engine.migrate import all_migrations, pending_migrations

    if settings.sqlite_file is not None and not settings.sqlite_file.exists():
        return all_migrations("sqlite")
    with console.progress("Checking"), folder_lock.hold_shared_lock(settings.data, current_process()):
        return pending_migrations(settings.sqlite_file, settings.database_url)
