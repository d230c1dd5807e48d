"""pendesk headers: the HTTP headers with which a client connects, for its helper. Few imports: it runs often."""

import json
import os
from pathlib import Path

import click

from pendesk.cli.binding import record
from pendesk.cli.parts.console import Failure, everywhere


@click.command()
@click.option("--repo", metavar="DIR", help="The repository [the nearest connected folder].")
@everywhere
def headers(repo: str | None) -> None:
    """Print the headers for a client's helper, as JSON."""
    root = record.find_root(Path(repo or os.environ.get("CLAUDE_PROJECT_DIR") or "."))
    binding = record.read_binding(root) if root else None
    if root is None or binding is None:
        raise Failure("This folder is not connected. Run `pendesk connect` in the repository.")
    _check_address(root, binding)
    token = record.read_token(root) or _of_login(binding.url)
    if token is None:
        raise Failure("There is no token here. Run `pendesk connect` in the repository.")
    click.echo(json.dumps({"Authorization": f"Bearer {token}"}))


def _check_address(root: Path, binding: record.Binding) -> None:
    """A commit can change where the files point. The token goes only where its owner connected to."""
    agreed = record.agreed_url(root)
    asked = os.environ.get("CLAUDE_CODE_MCP_SERVER_URL")
    if agreed is not None and (binding.url != agreed or (asked and asked.rstrip("/") != f"{agreed}/mcp")):
        raise Failure(
            f"This repository now points at {asked or binding.url}, but its token was made for {agreed}. "
            "If that is right, run `pendesk connect`."
        )


def _of_login(url: str) -> str | None:
    from pendesk.cli.parts.credentials import read_access_token

    return read_access_token(url)
