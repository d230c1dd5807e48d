"""pendesk workspace: what everything is in. Its members are at `pendesk user`."""

from collections import Counter
from typing import Any

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console
from pendesk.cli.parts.local import Local, at_desk


@click.group()
@everywhere
def workspace() -> None:
    """Show the workspace, rename it."""


@workspace.command()
@acting_as
@everywhere
@pass_console
def show(console: Console) -> None:
    """Say what it is called and what is in it."""
    told = at_desk(console, _show)
    roles = ", ".join(f"{count} {role}" for role, count in told["members"].items())
    lines = [f"{told['name']} ({told['workspaceId']})", f"  members   {roles}"]
    lines += [f"  invited   {told['invited']}"] if told["invited"] else []
    lines += [f"  projects  {', '.join(told['projects']) or 'none yet; `pendesk demo` loads a sample'}"]
    console.answer(told, "\n".join(lines))


async def _show(local: Local) -> dict[str, Any]:
    context = await local.call("get_context")
    members = (await local.call_all("list_members", "members"))["members"]
    projects = (await local.call_all("list_projects", "projects"))["projects"]
    # Who may not invite is not told who is invited.
    may_invite = context["role"] in ("owner", "admin")
    invited = len((await local.call("list_invites"))["invites"]) if may_invite else None
    return {
        "workspaceId": local.actor.workspace_id,
        "name": context["workspace"],
        "members": dict(Counter(each["role"] for each in members)),
        "invited": invited,
        "projects": [each["key"] for each in projects],
    }


@workspace.command()
@click.argument("name")
@acting_as
@everywhere
@pass_console
def rename(console: Console, name: str) -> None:
    """Give it another name."""
    done = at_desk(console, lambda local: local.call("rename_workspace", name=name))
    console.answer(done, f"The workspace is called {done['name']!r} now.")
