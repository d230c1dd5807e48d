"""The server that a command without a data folder calls: the repository's, or the one that is named."""

import os
from pathlib import Path
from typing import NamedTuple

import click

from pendesk.cli.binding import record
from pendesk.cli.parts.agent_marks import AgentMarks
from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.remote import TIMEOUT_S, RemoteClient
from pendesk.cli.parts.server_url import is_loopback_url, parse_server_url

repo_option = click.option("--repo", metavar="DIR", help="The repository [the nearest connected folder].")


class TargetServer(NamedTuple):
    remote: RemoteClient
    url: str
    project: str | None
    root: Path | None


def find_target_server(
    repo: str | None,
    timeout_s: float = TIMEOUT_S,
    url_option: str | None = None,
    marks: AgentMarks | None = None,
) -> TargetServer:
    """The server of the option, of PENDESK_URL, of the repository, or the only one with a login."""
    root = record.find_connected_repo(Path(repo or os.environ.get("CLAUDE_PROJECT_DIR") or "."))
    binding = record.read_binding(root) if root else None
    url = find_server_url(url_option, binding)
    if url is None:
        raise CommandError("This folder is not connected. Run `pendesk connect` in the repository, or set PENDESK_URL.")
    token = find_server_access_token(root, url)
    if token is None:
        raise CommandError(f"There is no token for {url}. Run `pendesk connect`, or `pendesk login --url {url}`.")
    project = binding.project if binding and binding.url == url else None
    return TargetServer(RemoteClient(url, token, timeout_s, marks), url, project, root)


def find_server_url(url_option: str | None, binding: record.RepoBinding | None) -> str | None:
    url = url_option or os.environ.get("PENDESK_URL")
    if url:
        return parse_server_url(url)
    if binding is not None:
        return binding.url
    from pendesk.cli.parts.credentials import list_server_urls_in_credentials_file

    urls_with_login = list_server_urls_in_credentials_file()
    return urls_with_login[0] if len(urls_with_login) == 1 else None


def find_server_access_token(repo_root: Path | None, server_url: str) -> str | None:
    """From the environment, the repository or a login: never one for a server that only a commit named."""
    is_chosen = bool(os.environ.get("PENDESK_URL")) or is_loopback_url(server_url)
    if is_chosen or (repo_root is not None and record.read_user_confirmed_server_url(repo_root) == server_url):
        token = record.read_token_from_env_or_file(repo_root)
        if token is not None:
            return token
    from pendesk.cli.parts.credentials import read_or_refresh_access_token

    return read_or_refresh_access_token(server_url)
