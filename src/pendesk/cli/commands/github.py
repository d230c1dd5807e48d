"""pendesk github: receive a repository's pushes, pull requests and checks, and read them with a token."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console, as_option, common_options, format_table, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally


@click.group()
@common_options
def github() -> None:
    """Receive GitHub's webhook of a project. It sends pushes, pull requests and check runs."""


@github.command("set")
@click.argument("project")
@click.option("--repository", metavar="URL", help="The project's repository, if it has none yet.")
@as_option
@common_options
@pass_console
def set_(console: Console, project: str, repository: str | None) -> None:
    """Create or replace the webhook's secret. It is shown once."""
    webhook = run_locally(console, lambda local: _set_repository_and_webhook(local, project, repository))
    text = (
        "Enter this under Settings -> Webhooks of the repository:\n\n"
        f"  Payload URL   {webhook['payloadUrl']}\n"
        f"  Content type  {webhook['contentType']}\n"
        f"  Secret        {webhook['secret']}\n"
        f"  Events        {', '.join(webhook['events'])}\n\n"
        "The secret is not shown again. An earlier one no longer works."
    )
    console.print_result(webhook, text)


async def _set_repository_and_webhook(local: LocalClient, project: str, repository: str | None) -> dict[str, Any]:
    if repository is not None:
        await local.call("update_project", project_id=project, repository_url=repository)
    return await local.call("set_github_webhook", project_id=project)


@github.command()
@click.argument("project")
@as_option
@common_options
@pass_console
def show(console: Console, project: str) -> None:
    """Show whether it is set, and the latest deliveries."""
    webhook = run_locally(console, lambda local: local.call("get_github_webhook", project_id=project))
    state = "set" if webhook["isSet"] else f"not set; run `pendesk github set {project}`"
    rows = [(delivery["receivedAt"], delivery["event"], delivery["outcome"]) for delivery in webhook["deliveries"]]
    listed = format_table([("RECEIVED", "EVENT", "OUTCOME"), *rows]) if rows else "No deliveries yet."
    text = f"Repository: {webhook['repositoryUrl'] or 'none'}\nWebhook: {state}\n\n{listed}"
    console.print_result(webhook, text)


@github.command()
@click.argument("project")
@as_option
@common_options
@pass_console
def remove(console: Console, project: str) -> None:
    """Remove the webhook: its secret no longer works."""
    result = run_locally(console, lambda local: local.call("remove_github_webhook", project_id=project))
    console.print_confirmation(result, "Removed the webhook. Delete it in the repository's settings as well.")


@github.command()
@click.argument("project")
@click.option("--remove", is_flag=True, help="Delete the token instead.")
@as_option
@common_options
@pass_console
def token(console: Console, project: str, remove: bool) -> None:
    """Set the token with which the server reads the repository. It is read from stdin, tried, and never shown."""
    if remove:
        result = run_locally(console, lambda local: local.call("remove_github_token", project_id=project))
        console.print_confirmation(result, "Removed the token. Revoke it at GitHub as well.")
        return
    text = sys.stdin.read().strip()  # never from the command line, which other users of the machine can read
    if not text:
        raise CommandError(f"There is no token on stdin. Run `pendesk github token {project} < FILE`.")
    result = run_locally(console, lambda local: local.call("set_github_token", project_id=project, token=text))
    console.print_confirmation(result, f"Saved the token for {result['repository']}. GitHub accepted it.")
