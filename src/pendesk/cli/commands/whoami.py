"""pendesk whoami: the user that a repository's agents, or you with your login, are at the server."""

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.cli.parts.storage_use import format_use
from pendesk.cli.parts.target_server import find_target_server, repo_option


@click.command()
@click.option("--url", metavar="URL", help="The server [the repository's, or the only one with a login].")
@repo_option
@common_options
@pass_console
def whoami(console: Console, url: str | None, repo: str | None) -> None:
    """Show who you are at the server, your scopes, and what you have stored there."""
    target = find_target_server(repo, url_option=url)
    context = target.remote.get("/api/v1/context")
    usage = target.remote.get("/api/v1/usage")
    result = {
        "url": target.url,
        "userId": context["userId"],
        "user": context["userName"],
        "workspace": context["workspace"],
        "role": context["role"],
        "scopes": context["scopes"],
        "expiresAt": context["expiresAt"],
        "project": target.project,
        "usage": usage,
    }
    scopes = " ".join(context["scopes"])
    text = f"{context['userName']} ({context['role']}) in {context['workspace']} at {target.url}: {scopes}"
    uses = {name: format_use(use) for name, use in usage.items()}
    lines = [
        text,
        f"  your account   files {uses['accountFiles']}, long texts by its tokens today {uses['accountText']}",
        f"  the workspace  files {uses['workspaceFiles']}, long texts {uses['workspaceText']}",
    ]
    console.print_result(result, "\n".join(lines))
