"""pendesk headers: the HTTP headers with which a client connects. Few imports: clients run it often."""

import json
import os
from pathlib import Path

import click

from pendesk.cli.binding import record
from pendesk.cli.parts.agent_marks import find_agent_marks
from pendesk.cli.parts.console import CommandError, common_options


@click.command()
@click.option("--repo", metavar="DIR", help="The repository [the nearest connected folder].")
@common_options
def headers(repo: str | None) -> None:
    """Print the headers for a client's connection, as JSON: the token, and what tells this client from others."""
    root = record.find_connected_repo(Path(repo or os.environ.get("CLAUDE_PROJECT_DIR") or "."))
    binding = record.read_binding(root) if root else None
    if root is None or binding is None:
        raise CommandError("This folder is not connected. Run `pendesk connect` in the repository.")
    _require_trusted_server(root, binding)
    token = record.read_token_from_env_or_file(root) or _access_token_from_saved_login(binding.url)
    if token is None:
        raise CommandError("There is no token in this repository. Run `pendesk connect` in the repository.")
    click.echo(json.dumps({"Authorization": f"Bearer {token}", **find_agent_marks().of_connection().headers()}))


def _require_trusted_server(root: Path, binding: record.RepoBinding) -> None:
    """A commit can change the server of a repository. The token is sent only to the one its owner connected to."""
    confirmed = record.read_user_confirmed_server_url(root)
    requested_url = os.environ.get("CLAUDE_CODE_MCP_SERVER_URL")
    if confirmed is not None and (
        binding.url != confirmed or (requested_url and requested_url.rstrip("/") != f"{confirmed}/mcp")
    ):
        raise CommandError(
            f"This repository now names {requested_url or binding.url}, but its token belongs to {confirmed}. "
            "If that is right, run `pendesk connect`."
        )


def _access_token_from_saved_login(url: str) -> str | None:
    from pendesk.cli.parts.credentials import read_or_refresh_access_token

    return read_or_refresh_access_token(url)
