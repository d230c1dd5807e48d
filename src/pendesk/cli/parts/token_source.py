"""The token that a repository's agents use: passed in, already in the repository, from a login, or created here."""

import json
import os
import socket
from pathlib import Path
from typing import NamedTuple

from pendesk.cli.binding import record
from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import read_running_server_info, run_locally
from pendesk.cli.parts.remote import CallRefused, RemoteClient
from pendesk.domain.access import ToolSet
from pendesk.domain.token import has_token_format

EXISTING = "the existing token"


class TokenSource(NamedTuple):
    token: str | None
    origin: str
    token_id: str | None = None
    data_folder: str | None = None  # the data folder, if the server runs on this machine
    in_file: bool = True
    replaced_token_id: str | None = None  # revoked once the new token is saved

    def save_token_and_url_to_repo(self, repo_root: Path, server_url: str) -> None:
        if self.token is not None and self.in_file:
            record.write_private_file(repo_root / record.TOKEN, self.token + "\n")
        else:  # an older one belongs to another server, and would be sent to this one
            (repo_root / record.TOKEN).unlink(missing_ok=True)
        local = {"url": server_url, "tokenId": self.token_id, "data": self.data_folder}
        record.write_private_file(repo_root / record.LOCAL, json.dumps(local, indent=2) + "\n")


def find_token_source(console: Console, repo_root: Path, url: str, token_option: str | None) -> TokenSource:
    """Without a token if one has to be created: that waits until everything else is checked."""
    data = _data_folder_if_local_server(console, url)
    passed = token_option or os.environ.get("PENDESK_MCP_TOKEN")
    if passed is not None:
        return _token_source_from_option(url, passed, data)
    source = _token_source_from_repository(repo_root, url, data) or _token_source_from_saved_login(url, data)
    if source is not None:
        return source
    if data is None:
        raise CommandError(
            f"{url} does not run from this data folder, so no token is created. Run `pendesk login --url {url}` first, "
            "or pipe in a token from its settings page with --token-stdin."
        )
    return TokenSource(None, "a new token", data_folder=data)


def _data_folder_if_local_server(console: Console, url: str) -> str | None:
    data = console.load_settings().data
    running = read_running_server_info(data)
    return str(data) if running is not None and running["url"] == url else None


def _token_source_from_option(url: str, token: str, data_folder: str | None) -> TokenSource:
    if not has_token_format(token):
        raise CommandError("This is not a Pendesk token: it must start with pendesk_mcp_. Copy all of it.")
    if not is_token_accepted(url, token):
        raise CommandError(
            f"{url} does not accept this token: it is revoked, expired, or from another server. Create a new one."
        )
    return TokenSource(token, "the token you passed", data_folder=data_folder)


def _token_source_from_repository(repo_root: Path, url: str, data_folder: str | None) -> TokenSource | None:
    """Never a token of another server; the same data folder on another port is the same server."""
    token, local = record.read_token_from_env_or_file(repo_root), record.read_local_connection_record(repo_root)
    same_server = record.read_user_confirmed_server_url(repo_root) == url or (
        data_folder is not None and local.get("data") == data_folder
    )
    if token is None or not same_server or not is_token_accepted(url, token):
        return None
    return TokenSource(token, EXISTING, local.get("tokenId"), data_folder)


def _token_source_from_saved_login(url: str, data_folder: str | None) -> TokenSource | None:
    from pendesk.cli.parts.credentials import read_or_refresh_access_token

    token = read_or_refresh_access_token(url)
    return None if token is None else TokenSource(token, "your login", data_folder=data_folder, in_file=False)


def create_agent_token_for_source(
    console: Console, repo_root: Path, source: TokenSource, tool_set: ToolSet
) -> TokenSource:
    name = f"{' '.join(repo_root.name.split())[:60]} on {socket.gethostname()[:30]}"
    token = run_locally(console, lambda local: local.call("create_token", name=name, tools=tool_set.name))
    return source._replace(token=token["token"], token_id=token["tokenId"])


def revoke_replaced_token(console: Console, source: TokenSource) -> None:
    token_id = source.replaced_token_id
    if token_id is not None:
        run_locally(console, lambda local: local.call("revoke_token", token_id=token_id))


def is_token_accepted(url: str, token: str) -> bool:
    try:
        RemoteClient(url, token).list_tools()
    except CallRefused as refused:
        if refused.http_status in (401, 403):
            return False
        raise
    return True
