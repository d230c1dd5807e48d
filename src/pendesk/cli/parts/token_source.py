"""The token that a repository's agents use: passed in, already in the repository, from a login, or created here."""

import json
import os
import socket
from pathlib import Path
from typing import NamedTuple

from pendesk.cli.binding import record
from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import run_locally, running_server
from pendesk.cli.parts.remote import Refused, Remote
from pendesk.domain.token import is_token


class TokenSource(NamedTuple):
    token: str | None
    origin: str
    token_id: str | None = None
    data: str | None = None  # the data folder, if the server runs on this machine
    in_file: bool = True

    def save(self, root: Path, url: str) -> None:
        if self.token is not None and self.in_file:
            record.write_private(root / record.TOKEN, self.token + "\n")
        else:  # an older one belongs to another server, and would be sent to this one
            (root / record.TOKEN).unlink(missing_ok=True)
        local = {"url": url, "tokenId": self.token_id, "data": self.data}
        record.write_private(root / record.LOCAL, json.dumps(local, indent=2) + "\n")


def find_token_source(console: Console, root: Path, url: str, option: str | None) -> TokenSource:
    """Without a token if one has to be created: that waits until everything else is checked."""
    data = _local_data(console, url)
    passed = option or os.environ.get("PENDESK_MCP_TOKEN")
    if passed is not None:
        return _from_option(url, passed, data)
    source = _from_repository(root, url, data) or _from_login(url, data)
    if source is not None:
        return source
    if data is None:
        raise CommandError(
            f"{url} does not run from this data folder, so no token is created. Run `pendesk login --url {url}` first, "
            "or pipe in a token from its settings page with --token-stdin."
        )
    return TokenSource(None, "a new token", data=data)


def _local_data(console: Console, url: str) -> str | None:
    data = console.settings().data
    running = running_server(data)
    return str(data) if running is not None and running["url"] == url else None


def _from_option(url: str, token: str, data: str | None) -> TokenSource:
    if not is_token(token):
        raise CommandError("This is not a Pendesk token: it must start with pendesk_mcp_. Copy all of it.")
    if not is_token_accepted(url, token):
        raise CommandError(
            f"{url} does not accept this token: it is revoked, expired, or from another server. Create a new one."
        )
    return TokenSource(token, "the token you passed", data=data)


def _from_repository(root: Path, url: str, data: str | None) -> TokenSource | None:
    """Never a token of another server; the same data folder on another port is the same server."""
    token, local = record.read_token(root), record.read_local(root)
    same_server = record.confirmed_url(root) == url or (data is not None and local.get("data") == data)
    if token is None or not same_server or not is_token_accepted(url, token):
        return None
    return TokenSource(token, "the existing token", local.get("tokenId"), data)


def _from_login(url: str, data: str | None) -> TokenSource | None:
    from pendesk.cli.parts.credentials import read_access_token

    token = read_access_token(url)
    return None if token is None else TokenSource(token, "your login", data=data, in_file=False)


def create_agent_token(console: Console, root: Path, source: TokenSource) -> TokenSource:
    name = f"{' '.join(root.name.split())[:60]} on {socket.gethostname()[:30]}"
    token = run_locally(console, lambda local: local.call("create_token", name=name))
    return source._replace(token=token["token"], token_id=token["tokenId"])


def is_token_accepted(url: str, token: str) -> bool:
    try:
        Remote(url, token).list_tools()
    except Refused as refused:
        if refused.status in (401, 403):
            return False
        raise
    return True
