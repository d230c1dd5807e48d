"""pendesk workspace: show and rename it, choose who takes part in specs. `pendesk user` manages its members."""

from collections import Counter
from typing import Any

import click

from pendesk.cli.parts.console import Console, as_option, common_options, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally
from pendesk.cli.parts.storage_use import format_use

TAKE_PART = {
    "everyone": "everyone takes part",
    "invitation": "whoever is invited to one takes part",
}


@click.group()
@common_options
def workspace() -> None:
    """Show the workspace, rename it, choose who takes part in specs."""


@workspace.command()
@as_option
@common_options
@pass_console
def show(console: Console) -> None:
    """Show its name, members and projects."""
    result = run_locally(console, _load_workspace_summary)
    roles = ", ".join(f"{count} {role}" for role, count in result["members"].items())
    lines = [f"{result['name']} ({result['workspaceId']})", f"  members   {roles}"]
    lines += [f"  specs     {TAKE_PART[result['participation']]}"]
    lines += [f"  invited   {result['invited']}"] if result["invited"] else []
    lines += [f"  files     {format_use(result['files'])}", f"  texts     {format_use(result['texts'])}"]
    lines += [f"  projects  {', '.join(result['projects']) or 'none yet; `pendesk demo` loads a sample'}"]
    console.print_result(result, "\n".join(lines))


async def _load_workspace_summary(local: LocalClient) -> dict[str, Any]:
    context = await local.call("get_context")
    settings = await local.call("get_workspace")
    usage = await local.call("get_usage")
    members = (await local.call_all_pages("list_members", "members"))["members"]
    projects = (await local.call_all_pages("list_projects", "projects"))["projects"]
    # Only those who may invite see the invites.
    may_invite = context["role"] in ("owner", "admin")
    invited = len((await local.call("list_invites"))["invites"]) if may_invite else None
    return {
        "workspaceId": local.actor.workspace_id,
        "name": context["workspace"],
        "participation": settings["participation"],
        "files": usage["workspaceFiles"],
        "texts": usage["workspaceText"],
        "members": dict(Counter(member["role"] for member in members)),
        "invited": invited,
        "projects": [project["key"] for project in projects],
    }


@workspace.command()
@click.argument("name")
@as_option
@common_options
@pass_console
def rename(console: Console, name: str) -> None:
    """Rename the workspace."""
    workspace = run_locally(console, lambda local: local.call("rename_workspace", name=name))
    console.print_confirmation(workspace, f"Renamed the workspace to {workspace['name']!r}.")


@workspace.command()
@click.argument("who", type=click.Choice(list(TAKE_PART)))
@as_option
@common_options
@pass_console
def participation(console: Console, who: str) -> None:
    """Choose who sees and claims published specs: everyone, or by invitation."""
    workspace = run_locally(console, lambda local: local.call("set_participation", participation=who))
    console.print_confirmation(workspace, f"Specs: {TAKE_PART[workspace['participation']]}.")
