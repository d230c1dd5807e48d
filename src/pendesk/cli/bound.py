"""The server that a command without a data folder works with: the repository's, or the one that is named."""

import os
from pathlib import Path
from typing import NamedTuple

import click

from pendesk.cli.binding import record
from pendesk.cli.console import Failure
from pendesk.cli.remote import TIMEOUT_S, Remote

repo_option = click.option("--repo", metavar="DIR", help="The repository [the nearest connected folder].")


class Bound(NamedTuple):
    remote: Remote
    url: str
    project: str | None
    root: Path | None


def bound_server(repo: str | None, timeout_s: float = TIMEOUT_S) -> Bound:
    """PENDESK_URL with PENDESK_MCP_TOKEN or a login, else what the repository is connected to."""
    root = record.find_root(Path(repo or os.environ.get("CLAUDE_PROJECT_DIR") or "."))
    binding = record.read_binding(root) if root else None
    url = os.environ.get("PENDESK_URL", "").rstrip("/").removesuffix("/mcp") or (binding.url if binding else None)
    if url is None:
        raise Failure("This folder is not connected. Run `pendesk connect` in the repository, or set PENDESK_URL.")
    token = find_token(root, url)
    if token is None:
        raise Failure(f"There is no token for {url}. Run `pendesk connect`, or `pendesk login --url {url}`.")
    project = binding.project if binding and binding.url == url else None
    return Bound(Remote(url, token, timeout_s), url, project, root)


def find_token(root: Path | None, url: str) -> str | None:
    """The environment's; the repository's, if it was made for this server; that of a login."""
    given = os.environ.get("PENDESK_MCP_TOKEN")
    if given:
        return given
    if root is not None and record.read_local(root).get("url", url) == url:
        kept = record.read_token(root)
        if kept is not None:
            return kept
    from pendesk.cli.credentials import read_access_token

    return read_access_token(url)
