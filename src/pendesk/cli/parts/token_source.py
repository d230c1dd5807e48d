"""The token with which a repository's agents come in: given, kept from before, of a login, or made here."""

import json
import os
import socket
from pathlib import Path
from typing import NamedTuple

from pendesk.cli.binding import record
from pendesk.cli.parts.console import Console, Failure
from pendesk.cli.parts.local import at_desk, running_server
from pendesk.cli.parts.remote import Refused, Remote
from pendesk.domain.token import is_token


class Access(NamedTuple):
    token: str | None
    told: str
    token_id: str | None = None
    data: str | None = None  # the data folder, where the server is on this machine
    in_file: bool = True

    def keep(self, root: Path, url: str) -> None:
        if self.token is not None and self.in_file:
            record.write_private(root / record.TOKEN, self.token + "\n")
        else:  # one from before is another server's, and would be sent to this one
            (root / record.TOKEN).unlink(missing_ok=True)
        local = {"url": url, "tokenId": self.token_id, "data": self.data}
        record.write_private(root / record.LOCAL, json.dumps(local, indent=2) + "\n")


def obtain(console: Console, root: Path, url: str, given: str | None) -> Access:
    """Without a token where one has to be made: that waits until everything else is right."""
    data = _local_data(console, url)
    given = given or os.environ.get("PENDESK_MCP_TOKEN")
    if given is not None:
        return _given(url, given, data)
    kept = _kept(root, url, data)
    if kept is not None:
        return kept
    login = _login(url, data)
    if login is not None:
        return login
    if data is None:
        raise Failure(
            f"{url} is not run from this data folder, so no token can be made here. Run `pendesk login --url {url}` "
            "first, or pipe a token of its settings page in with --token-stdin."
        )
    return Access(None, "a new token", data=data)


def _local_data(console: Console, url: str) -> str | None:
    data = console.settings().data
    running = running_server(data)
    return str(data) if running is not None and running["url"] == url else None


def _given(url: str, token: str, data: str | None) -> Access:
    if not is_token(token):
        raise Failure("That is no Pendesk token: one begins with pendesk_mcp_. Copy it whole.")
    if not works(url, token):
        raise Failure(f"{url} does not take that token: it is revoked, expired, or of another server. Make a new one.")
    return Access(token, "the given token", data=data)


def _kept(root: Path, url: str, data: str | None) -> Access | None:
    """Never a token that was made for another server; the same data folder on another port is the same server."""
    token, local = record.read_token(root), record.read_local(root)
    same = record.agreed_url(root) == url or (data is not None and local.get("data") == data)
    if token is None or not same or not works(url, token):
        return None
    return Access(token, "the token from before", local.get("tokenId"), data)


def _login(url: str, data: str | None) -> Access | None:
    from pendesk.cli.parts.credentials import read_access_token

    token = read_access_token(url)
    return None if token is None else Access(token, "your login", data=data, in_file=False)


def make_token(console: Console, root: Path, access: Access) -> Access:
    name = f"{' '.join(root.name.split())[:60]} on {socket.gethostname()[:30]}"
    made = at_desk(console, lambda local: local.call("create_token", name=name))
    return access._replace(token=made["token"], token_id=made["tokenId"])


def works(url: str, token: str) -> bool:
    try:
        Remote(url, token).list_tools()
    except Refused as refused:
        if refused.status in (401, 403):
            return False
        raise
    return True
