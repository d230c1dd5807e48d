"""Which server a command means, and whether it is there."""

import os
import re

from pendesk.cli.parts.console import Console, Failure
from pendesk.cli.parts.local import running_server
from pendesk.cli.parts.remote import LOOPBACK, Refused, Remote, Unreachable

_URL = re.compile(r"(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def read_url(text: str) -> str:
    """The server's origin, also from the address of its MCP endpoint."""
    origin = text.strip().removesuffix("/").removesuffix("/mcp").removesuffix("/")
    if not _URL.fullmatch(origin):
        raise Failure(f"{text!r} is not a server's address. Give it as https://pendesk.example.com.")
    return origin


def choose_url(console: Console, given: str | None, bound: str | None, agreed: str | None) -> str:
    """The one that was given, the one that is bound and answers, the one that runs on this machine.

    `bound` came with the repository, `agreed` is what this person connected to before.
    """
    named = given or os.environ.get("PENDESK_URL")
    if named:
        return read_url(named)
    running = running_server(console.settings().data)
    here = str(running["url"]) if running else None
    if bound and bound in (agreed, here) and answers(bound):
        return bound
    if bound and bound != agreed and not is_local(bound):
        raise Failure(f"This repository names the server {bound}. If you trust it, say so: --url {bound}")
    chosen = here or bound
    if chosen is None:
        raise Failure("No server runs here. Start one with `pendesk serve`, or name yours with --url.")
    return chosen


def is_local(url: str) -> bool:
    match = _URL.fullmatch(url)
    return match is not None and match[2].strip("[]") in LOOPBACK


def answers(url: str) -> bool:
    try:
        return bool(Remote(url, timeout_s=3).get("/api/v1/health").get("ok"))
    except (Unreachable, Refused):
        return False


def is_plain(url: str) -> bool:
    """Whether a token would go over a network in the clear."""
    return url.startswith("http://") and not is_local(url)
