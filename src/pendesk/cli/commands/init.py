"""pendesk init: the data folder, the database, the first workspace and its owner."""

import getpass
import sys
from typing import Any

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.settings import Settings


@click.command()
@click.option("--email", help="The first owner's email.")
@click.option("--name", help="The first owner's name.")
@click.option("--workspace", default="My workspace", show_default=True, help="The workspace's name.")
@click.option("--password-stdin", is_flag=True, help="Read the owner's password from stdin.")
@common_options
@pass_console
def init(console: Console, email: str | None, name: str | None, workspace: str, password_stdin: bool) -> None:
    """Create the data folder, database, first workspace and owner. Safe to run twice."""
    import asyncio

    password = sys.stdin.read().rstrip("\r\n") if password_stdin else None
    settings = console.load_settings()
    result = asyncio.run(
        _create_first_workspace_and_owner(settings, email, name or default_owner_name(email), workspace, password)
    )
    workspace = f"workspace {result['workspace']!r} in {settings.data}"
    text = f"Created the {workspace}." if result["new"] else f"The {workspace} already exists."
    next_steps = [f"Next: {result['next']}"]
    if result["signIn"]:
        next_steps.append(f"Then sign in with this link, which works once, within 15 minutes: {result['signIn']}")
    elif password is None:
        next_steps.append("Then sign in as before; `pendesk user link` creates a link that works once.")
    console.print_result(result, text, next_steps)


async def _create_first_workspace_and_owner(
    settings: Settings, email: str | None, name: str, workspace: str, password: str | None
) -> dict[str, Any]:
    from pendesk.cli.parts.local import LocalClient, create_first_sign_in_link, current_process, public_url
    from pendesk.main import open_service
    from pendesk.operations.access import create_first_workspace, find_local_actor
    from pendesk.operations.access.create_first_workspace import CreateFirstWorkspace

    async with open_service(settings, public_url(settings), process=current_process()) as service:
        first = await service.dispatcher.call_as_server(
            create_first_workspace.OPERATION, CreateFirstWorkspace(workspace=workspace, name=name, email=email)
        )
        local = LocalClient(service, await service.dispatcher.call_as_server(find_local_actor.OPERATION, ""))
        if password is not None:
            await local.call("set_password", password=password)
        link = await create_first_sign_in_link(local) if password is None else None
        return {
            "new": first.new,
            "workspace": first.name,
            "workspaceId": first.id,
            "owner": local.actor.user_name,
            "data": str(settings.data),
            "signIn": link,
            "next": "pendesk serve",
        }


def default_owner_name(email: str | None) -> str:
    if email:
        return email.partition("@")[0][:100]
    try:
        return getpass.getuser()[:100]
    except (OSError, KeyError):  # a user in a container may have no name
        return "Owner"
