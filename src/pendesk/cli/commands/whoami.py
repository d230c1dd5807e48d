"""pendesk whoami: the user that a repository's agents, or you with your login, are at the server."""

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.cli.parts.target_server import find_target_server, repo_option


@click.command()
@click.option("--url", metavar="URL", help="The server [the repository's, or the only one with a login].")
@repo_option
@common_options
@pass_console
def whoami(console: Console, url: str | None, repo: str | None) -> None:
    """Show who you are at the server, and your scopes."""
    target = find_target_server(repo, url_option=url)
    context = target.remote.get("/api/v1/context")
    result = {
        "url": target.url,
        "userId": context["userId"],
        "user": context["userName"],
        "workspace": context["workspace"],
        "role": context["role"],
        "scopes": context["scopes"],
        "expiresAt": context["expiresAt"],
        "project": target.project,
    }
    scopes = " ".join(context["scopes"])
    text = f"{context['userName']} ({context['role']}) in {context['workspace']} at {target.url}: {scopes}"
    console.print_result(result, text)
