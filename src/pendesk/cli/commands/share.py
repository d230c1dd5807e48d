"""pendesk share: links for guests, and a project's mirror on another server."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import (
    CommandError,
    Console,
    as_option,
    common_options,
    days_option,
    format_table,
    pass_console,
)
from pendesk.cli.parts.local import run_locally


@click.group()
@common_options
def share() -> None:
    """Share a project with guests. Here, or on another server."""


@share.command()
@click.argument("project")
@click.option("--action", metavar="REF", help="Only this action [the whole project].")
@click.option("--takes-items", is_flag=True, help="Guests may send requests.")
@click.option("--with-documents", is_flag=True, help="Guests see the project's documents.")
@days_option("--expires", "Such as 30d [never].")
@as_option
@common_options
@pass_console
def create(
    console: Console, project: str, action: str | None, takes_items: bool, with_documents: bool, days: int | None
) -> None:
    """Create a link. Only the link is printed, and it is not shown again."""
    options = {"action_id": action, "takes_items": takes_items, "with_documents": with_documents}
    share = _call_project_operation(console, "create_share", project, expires_in_days=days, **options)
    console.print_result(share, share["url"])


@share.command("list")
@click.argument("project")
@as_option
@common_options
@pass_console
def list_(console: Console, project: str) -> None:
    """List a project's shares, without their links."""
    result = run_locally(console, lambda local: local.call_all_pages("list_shares", "shares", project_id=project))
    rows = [
        (
            share["shareId"],
            share["state"],
            share.get("serverUrl") or share.get("actionId") or "project",
            share["createdAt"],
            share["ownerName"],
            share["createdByName"],
        )
        for share in result["shares"]
    ]
    text = (
        format_table([("ID", "STATE", "SHOWS", "CREATED", "OWNER", "CREATED BY"), *rows])
        if rows
        else "Nothing is shared."
    )
    console.print_result(result, text)


@share.command()
@click.argument("share_id", metavar="ID")
@as_option
@common_options
@pass_console
def revoke(console: Console, share_id: str) -> None:
    """Revoke a link, or the connection to another server."""
    result = run_locally(console, lambda local: local.call("revoke_share", share_id=share_id))
    console.print_confirmation(result, f"The link no longer works. {result.get('nextStep', '')}".strip())


@share.command()
@click.argument("project")
@click.option("--to", "server", metavar="URL", required=True, help="The other server's URL.")
@as_option
@common_options
@pass_console
def publish(console: Console, project: str, server: str) -> None:
    """Publish a project's mirror on another server. Reads a token of that server, with desk.write, from stdin."""
    share = _call_project_operation(
        console, "publish_project", project, server_url=server, sync_token=_read_other_server_token_from_stdin()
    )
    console.print_result(share, share["url"])


@share.command()
@click.argument("project")
@as_option
@common_options
@pass_console
def push(console: Console, project: str) -> None:
    """Send the changes to the other server."""
    result = _call_project_operation(console, "sync_push", project)
    texts = {
        "sent": "Sent.",
        "unchanged": "No changes to send.",
        "newer_there": "The other server has a newer mirror. Check this machine's clock.",
    }
    console.print_result(result, texts[result["reason"]])


@share.command()
@click.argument("project")
@as_option
@common_options
@pass_console
def pull(console: Console, project: str) -> None:
    """Fetch the requests of guests on the other server."""
    result = _call_project_operation(console, "sync_pull", project)
    more = " There are more: run this again." if result["more"] else ""
    console.print_result(result, f"{result['received']} new guest requests.{more}")


def _call_project_operation(console: Console, operation: str, project: str, **arguments: Any) -> dict[str, Any]:
    return run_locally(console, lambda local: local.call(operation, project_id=project, **arguments))


def _read_other_server_token_from_stdin() -> str:
    """Never as an argument, which other users can read in the list of processes."""
    if sys.stdin.isatty():
        token: str = click.prompt("Token of the other server", hide_input=True)
        return token
    token = sys.stdin.readline().strip()
    if not token:
        raise CommandError(
            "Pipe in the other server's token on stdin. Create one there: pendesk token create --scope desk.write"
        )
    return token
