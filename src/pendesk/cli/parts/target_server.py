"""The server that a command without a data folder works with: the repository's, or the one that is named."""

import os
from pathlib import Path
from typing import NamedTuple

import click

from pendesk.cli.binding import record
from pendesk.cli.parts.console import Failure
from pendesk.cli.parts.remote import TIMEOUT_S, Remote
from pendesk.cli.parts.server_url import is_local, read_url

repo_option = click.option("--repo", metavar="DIR", help="The repository [the nearest connected folder].")


class Bound(NamedTuple):
    remote: Remote
    url: str
    project: str | None
    root: Path | None


def bound_server(repo: str | None, timeout_s: float = TIMEOUT_S, named: str | None = None) -> Bound:
    """The server that is named, that of PENDESK_URL, the repository's, or the only one with a login."""
    root = record.find_root(Path(repo or os.environ.get("CLAUDE_PROJECT_DIR") or "."))
    binding = record.read_binding(root) if root else None
    url = find_url(named, binding)
    if url is None:
        raise Failure("This folder is not connected. Run `pendesk connect` in the repository, or set PENDESK_URL.")
    token = find_token(root, url)
    if token is None:
        raise Failure(f"There is no token for {url}. Run `pendesk connect`, or `pendesk login --url {url}`.")
    project = binding.project if binding and binding.url == url else None
    return Bound(Remote(url, token, timeout_s), url, project, root)


def find_url(named: str | None, binding: record.Binding | None) -> str | None:
    given = named or os.environ.get("PENDESK_URL")
    if given:
        return read_url(given)
    if binding is not None:
        return binding.url
    from pendesk.cli.parts.credentials import urls

    known = urls()
    return known[0] if len(known) == 1 else None


def find_token(root: Path | None, url: str) -> str | None:
    """The environment's, the repository's, or that of a login: never one for a server that only a commit named."""
    chosen = bool(os.environ.get("PENDESK_URL")) or is_local(url)
    if chosen or (root is not None and record.agreed_url(root) == url):
        kept = record.read_token(root)
        if kept is not None:
            return kept
    from pendesk.cli.parts.credentials import read_access_token

    return read_access_token(url)
