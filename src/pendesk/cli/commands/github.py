"""pendesk github: let a repository tell the server about pushes, pull requests and checks."""

from typing import Any

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console, table
from pendesk.cli.parts.local import Local, at_desk


@click.group()
@everywhere
def github() -> None:
    """Take in a project's GitHub webhook: pushes, pull requests, CI."""


@github.command("set")
@click.argument("project")
@click.option("--repository", metavar="URL", help="The project's repository, where it has none yet.")
@acting_as
@everywhere
@pass_console
def set_(console: Console, project: str, repository: str | None) -> None:
    """Make the webhook's secret, or replace it. It is printed once."""
    made = at_desk(console, lambda local: _set(local, project, repository))
    text = (
        "Enter this under Settings -> Webhooks of the repository:\n\n"
        f"  Payload URL   {made['payloadUrl']}\n"
        f"  Content type  {made['contentType']}\n"
        f"  Secret        {made['secret']}\n"
        f"  Events        {', '.join(made['events'])}\n\n"
        "The secret is not shown again; an earlier one no longer works."
    )
    console.answer(made, text)


async def _set(local: Local, project: str, repository: str | None) -> dict[str, Any]:
    if repository is not None:
        await local.call("update_project", project_id=project, repository_url=repository)
    return await local.call("set_github_webhook", project_id=project)


@github.command()
@click.argument("project")
@acting_as
@everywhere
@pass_console
def show(console: Console, project: str) -> None:
    """Show whether it is set, and what was delivered lately."""
    told = at_desk(console, lambda local: local.call("get_github_webhook", project_id=project))
    state = "set" if told["isSet"] else f"not set; `pendesk github set {project}` sets it"
    rows = [(each["receivedAt"], each["event"], each["outcome"]) for each in told["deliveries"]]
    listed = table([("RECEIVED", "EVENT", "OUTCOME"), *rows]) if rows else "Nothing was delivered yet."
    console.answer(told, f"The webhook of {told['repositoryUrl'] or 'no repository'} is {state}.\n\n{listed}")


@github.command()
@click.argument("project")
@acting_as
@everywhere
@pass_console
def remove(console: Console, project: str) -> None:
    """Take nothing in any more; the secret no longer works."""
    done = at_desk(console, lambda local: local.call("remove_github_webhook", project_id=project))
    console.answer(done, "Removed. Delete the webhook in the repository's settings too.")
