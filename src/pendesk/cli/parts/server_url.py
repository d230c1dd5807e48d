"""Which server a command means, and whether it answers."""

import os
import re

from pendesk.cli.parts.console import CommandError, Console
from pendesk.cli.parts.local import read_running_server_info
from pendesk.cli.parts.remote import LOOPBACK, CallRefused, RemoteClient, ServerUnreachable

_URL = re.compile(r"(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def parse_server_url(text: str) -> str:
    """The server's origin, also from the URL of its MCP endpoint."""
    origin = text.strip().removesuffix("/").removesuffix("/mcp").removesuffix("/")
    if not _URL.fullmatch(origin):
        raise CommandError(f"{text!r} is not the URL of a server. Write it like https://pendesk.example.com.")
    return origin


def choose_server_url(
    console: Console, url_option: str | None, bound_url: str | None, user_confirmed_url: str | None
) -> str:
    """The URL of the option, the bound one if it answers, or that of the server on this machine.

    `bound_url` came with the repository, `user_confirmed_url` is the one that this person connected to.
    """
    requested = url_option or os.environ.get("PENDESK_URL")
    if requested:
        return parse_server_url(requested)
    running = read_running_server_info(console.load_settings().data)
    running_url = str(running["url"]) if running else None
    if bound_url and bound_url in (user_confirmed_url, running_url) and is_reachable(bound_url):
        return bound_url
    if bound_url and bound_url != user_confirmed_url and not is_loopback_url(bound_url):
        raise CommandError(
            f"This repository names the server {bound_url}. If you trust it, confirm it with --url {bound_url}"
        )
    chosen = running_url or bound_url
    if chosen is None:
        raise CommandError("No server runs on this machine. Start one with `pendesk serve`, or name yours with --url.")
    return chosen


def is_loopback_url(url: str) -> bool:
    match = _URL.fullmatch(url)
    return match is not None and match[2].strip("[]") in LOOPBACK


def is_reachable(url: str) -> bool:
    try:
        return bool(RemoteClient(url, timeout_s=3).get("/api/v1/health").get("ok"))
    except (ServerUnreachable, CallRefused):
        return False


def is_unencrypted_remote(url: str) -> bool:
    """Whether a token would cross a network unencrypted."""
    return url.startswith("http://") and not is_loopback_url(url)
