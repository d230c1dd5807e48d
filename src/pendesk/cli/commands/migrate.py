"""pendesk migrate: update the database to this version."""

from typing import TYPE_CHECKING

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.cli.parts.local import this_command
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

    settings = console.settings()
    if check:
        migrations = _pending(console, settings)
    else:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            console.progress("Migrating the database"),
            installation_lock.hold_shared(settings.place, this_command()) as held,
        ):
            migrations = held.applied
    names = [f"{migration.version:04d}_{migration.name}" for migration in migrations]
    verb = "Pending" if check else "Applied"
    console.output({"pending" if check else "applied": names}, f"{verb}: {', '.join(names) or 'nothing'}.")
    if check and names:
        raise SystemExit(1)


def _pending(console: Console, settings: Settings) -> list["Migration"]:
    from pendesk.store.engine import folder_lock
    from pendesk.store.engine.migrate import all_migrations, pending

    if settings.database_file is not None and not settings.database_file.exists():
        return all_migrations("sqlite")
    with console.progress("Checking"), folder_lock.shared(settings.data, this_command()):
        return pending(settings.database_file, settings.database_url)
