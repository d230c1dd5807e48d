"""pendesk project: the projects of the workspace."""

import click

from pendesk.cli.parts.console import Console, as_option, common_options, format_table, pass_console
from pendesk.cli.parts.local import run_locally


@click.group()
@common_options
def project() -> None:
    """List, activate and archive projects."""


@project.command("list")
@as_option
@common_options
@pass_console
def list_(console: Console) -> None:
    """List the projects."""
    result = run_locally(console, lambda local: local.call_all_pages("list_projects", "projects"))
    rows = [(project["key"], project["state"], project["name"]) for project in result["projects"]]
    console.print_result(result, format_table([("KEY", "STATE", "NAME"), *rows]))


def _set_project_state(console: Console, project_key: str, state: str) -> None:
    project = run_locally(console, lambda local: local.call("update_project", project_id=project_key, state=state))
    console.print_confirmation(project, f"{project['key']} is {project['state']} now.")


@project.command()
@click.argument("key")
@as_option
@common_options
@pass_console
def activate(console: Console, key: str) -> None:
    """Activate a project: agents can claim its actions."""
    _set_project_state(console, key, "active")


@project.command()
@click.argument("key")
@as_option
@common_options
@pass_console
def archive(console: Console, key: str) -> None:
    """Archive a project: nothing in it can be claimed."""
    _set_project_state(console, key, "archived")
