"""pendesk init: the data folder, the database, the first workspace and its owner."""

import getpass
import sys
from typing import Any

import click

from pendesk.cli.parts.console import Console, everywhere, pass_console
from pendesk.settings import Settings


@click.command()
@click.option("--email", help="The first owner's email.")
@click.option("--name", help="The first owner's name.")
@click.option("--workspace", default="My workspace", show_default=True, help="The workspace's name.")
@click.option("--password-stdin", is_flag=True, help="Read the owner's password from stdin.")
@everywhere
@pass_console
def init(console: Console, email: str | None, name: str | None, workspace: str, password_stdin: bool) -> None:
    """Make the data folder, database, first workspace and owner. Safe to run twice."""
    import asyncio

    password = sys.stdin.read().rstrip("\r\n") if password_stdin else None
    settings = console.settings()
    done = asyncio.run(_init(settings, email, name or owner_name(email), workspace, password))
    begun = "Made" if done["new"] else "Found"
    lines = [f"{begun} the workspace {done['workspace']!r} in {settings.data}.", f"Next: {done['next']}"]
    if done["signIn"]:
        lines.append(f"Then sign in, once and within 15 minutes: {done['signIn']}")
    elif password is None:
        lines.append("Then sign in as before; `pendesk user link` makes a link that works once.")
    console.answer(done, "\n".join(lines))


async def _init(
    settings: Settings, email: str | None, name: str, workspace: str, password: str | None
) -> dict[str, Any]:
    from pendesk.cli.parts.local import Local, first_sign_in_link, public_url, this_command
    from pendesk.main import opened
    from pendesk.operations.access import create_first_workspace, find_local_actor
    from pendesk.operations.access.create_first_workspace import CreateFirstWorkspace

    async with opened(settings, public_url(settings), process=this_command()) as service:
        first = await service.dispatcher.call_as_server(
            create_first_workspace.OPERATION, CreateFirstWorkspace(workspace=workspace, name=name, email=email)
        )
        local = Local(service, await service.dispatcher.call_as_server(find_local_actor.OPERATION, ""))
        if password is not None:
            await local.call("set_password", password=password)
        link = await first_sign_in_link(local) if password is None else None
        return {
            "new": first.new,
            "workspace": first.name,
            "workspaceId": first.id,
            "owner": local.actor.user_name,
            "data": str(settings.data),
            "signIn": link,
            "next": "pendesk serve",
        }


def owner_name(email: str | None) -> str:
    if email:
        return email.partition("@")[0][:100]
    try:
        return getpass.getuser()[:100]
    except (OSError, KeyError):  # a container's user may have no name
        return "Owner"
