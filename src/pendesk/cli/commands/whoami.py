"""pendesk whoami: as whom a repository's agents, or you by your login, are known at the server."""

import click

from pendesk.cli.parts.console import Console, everywhere, pass_console
from pendesk.cli.parts.target_server import bound_server, repo_option


@click.command()
@click.option("--url", metavar="URL", help="The server [the repository's, or the only one with a login].")
@repo_option
@everywhere
@pass_console
def whoami(console: Console, url: str | None, repo: str | None) -> None:
    """Say who you are at the server, and what you may do."""
    bound = bound_server(repo, named=url)
    told = bound.remote.get("/api/v1/context")
    answer = {
        "url": bound.url,
        "userId": told["userId"],
        "user": told["userName"],
        "workspace": told["workspace"],
        "role": told["role"],
        "scopes": told["scopes"],
        "expiresAt": told["expiresAt"],
        "project": bound.project,
    }
    text = f"{told['userName']} ({told['role']}) in {told['workspace']} at {bound.url}: {' '.join(told['scopes'])}"
    console.answer(answer, text)
