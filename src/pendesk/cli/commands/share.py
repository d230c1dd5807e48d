"""pendesk share: links for people outside, and a project's picture on another server."""

import sys
from typing import Any

import click

from pendesk.cli.parts.console import Console, Failure, acting_as, days_option, everywhere, pass_console, table
from pendesk.cli.parts.local import at_desk


@click.group()
@everywhere
def share() -> None:
    """Show a project to people outside, here or on another server."""


@share.command()
@click.argument("project")
@click.option("--action", metavar="REF", help="Only this action [the whole project].")
@click.option("--takes-items", is_flag=True, help="Guests may leave messages for the inbox.")
@click.option("--with-documents", is_flag=True, help="Guests see the project's documents.")
@days_option("--expires", "Such as 30d [never].")
@acting_as
@everywhere
@pass_console
def create(
    console: Console, project: str, action: str | None, takes_items: bool, with_documents: bool, days: int | None
) -> None:
    """Make a link. It alone is printed, and never again."""
    asked = {"action_id": action, "takes_items": takes_items, "with_documents": with_documents}
    made = _call(console, "create_share", project, expires_in_days=days, **asked)
    console.answer(made, made["url"])


@share.command("list")
@click.argument("project")
@acting_as
@everywhere
@pass_console
def list_(console: Console, project: str) -> None:
    """List a project's shares; links are not shown."""
    told = at_desk(console, lambda local: local.call_all("list_shares", "shares", project_id=project))
    rows = [
        (
            one["shareId"],
            one["state"],
            one.get("serverUrl") or one.get("actionId") or "project",
            one["createdAt"],
            one["ownerName"],
            one["createdByName"],
        )
        for one in told["shares"]
    ]
    shown = table([("ID", "STATE", "SHOWS", "SINCE", "OWNER", "MADE BY"), *rows]) if rows else "Nothing is shared."
    console.answer(told, shown)


@share.command()
@click.argument("share_id", metavar="ID")
@acting_as
@everywhere
@pass_console
def revoke(console: Console, share_id: str) -> None:
    """End a link at once, or the binding to another server."""
    ended = at_desk(console, lambda local: local.call("revoke_share", share_id=share_id))
    console.answer(ended, f"Its link leads nowhere now. {ended.get('nextStep', '')}".strip())


@share.command()
@click.argument("project")
@click.option("--to", "server", metavar="URL", required=True, help="The other server's address.")
@acting_as
@everywhere
@pass_console
def publish(console: Console, project: str, server: str) -> None:
    """Show a project's picture on another server. A token of that server, with desk.write, is read from stdin."""
    made = _call(console, "publish_project", project, server_url=server, sync_token=_token())
    console.answer(made, made["url"])


@share.command()
@click.argument("project")
@acting_as
@everywhere
@pass_console
def push(console: Console, project: str) -> None:
    """Send what changed to the other server."""
    told = _call(console, "sync_push", project)
    said = {
        "sent": "Sent.",
        "unchanged": "Nothing has changed; nothing was sent.",
        "newer_there": "The other server has a picture that was drawn later. Check this machine's clock.",
    }
    console.answer(told, said[told["reason"]])


@share.command()
@click.argument("project")
@acting_as
@everywhere
@pass_console
def pull(console: Console, project: str) -> None:
    """Fetch what guests left on the other server."""
    told = _call(console, "sync_pull", project)
    more = " There are more: pull again." if told["more"] else ""
    console.answer(told, f"{told['received']} new in the inbox.{more}")


def _call(console: Console, operation: str, project: str, **arguments: Any) -> dict[str, Any]:
    return at_desk(console, lambda local: local.call(operation, project_id=project, **arguments))


def _token() -> str:
    """Never an argument: those can be read in the list of processes."""
    if sys.stdin.isatty():
        token: str = click.prompt("Token of the other server", hide_input=True)
        return token
    token = sys.stdin.readline().strip()
    if not token:
        raise Failure("Give the other server's token on stdin. Make one there: pendesk token create --scope desk.write")
    return token
