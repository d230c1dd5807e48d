"""pendesk project: the projects of the workspace."""

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console, table
from pendesk.cli.parts.local import at_desk


@click.group()
@everywhere
def project() -> None:
    """List, activate and archive projects."""


@project.command("list")
@acting_as
@everywhere
@pass_console
def list_(console: Console) -> None:
    """Show every project."""
    told = at_desk(console, lambda local: local.call_all("list_projects", "projects"))
    rows = [(each["key"], each["state"], each["name"]) for each in told["projects"]]
    console.answer(told, table([("KEY", "STATE", "NAME"), *rows]))


def _set_state(console: Console, key: str, state: str) -> None:
    done = at_desk(console, lambda local: local.call("update_project", project_id=key, state=state))
    console.answer(done, f"{done['key']} is {done['state']}.")


@project.command()
@click.argument("key")
@acting_as
@everywhere
@pass_console
def activate(console: Console, key: str) -> None:
    """Let agents claim its actions."""
    _set_state(console, key, "active")


@project.command()
@click.argument("key")
@acting_as
@everywhere
@pass_console
def archive(console: Console, key: str) -> None:
    """Keep it, but let nobody claim anything in it."""
    _set_state(console, key, "archived")
