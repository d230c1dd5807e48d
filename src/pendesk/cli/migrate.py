"""pendesk migrate: bring the database to this program's version."""

import click

from pendesk.cli.console import Console, everywhere, pass_console


@click.command()
@click.option("--check", is_flag=True, help="Only tell what is pending; exit 1 if anything is.")
@everywhere
@pass_console
def migrate(console: Console, check: bool) -> None:
    """Bring the database to this version (serve does so too)."""
    from pendesk.store import migrate as store_migrate

    settings = console.settings()
    where = (settings.database_file, settings.database_url)
    if not check:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = settings.database_file is not None and not settings.database_file.exists()
    if check and fresh:
        found = store_migrate.known("sqlite")
    else:
        with console.progress("Looking" if check else "Migrating the database"):
            found = store_migrate.pending(*where) if check else store_migrate.migrate(*where)
    names = [f"{each.version:04d}_{each.name}" for each in found]
    word = "Pending" if check else "Applied"
    console.answer({"pending" if check else "applied": names}, f"{word}: {', '.join(names) or 'nothing'}.")
    if check and names:
        raise SystemExit(1)
