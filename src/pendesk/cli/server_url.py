"""Which server a command means, and whether it is there."""

import os
import re

from pendesk.cli.console import Console, Failure
from pendesk.cli.local import running_server
from pendesk.cli.remote import LOOPBACK, Refused, Remote, Unreachable

_URL = re.compile(r"(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def read_url(text: str) -> str:
    """The server's origin, also from the address of its MCP endpoint."""
    origin = text.strip().removesuffix("/").removesuffix("/mcp").removesuffix("/")
    if not _URL.fullmatch(origin):
        raise Failure(f"{text!r} is not a server's address. Give it as https://pendesk.example.com.")
    return origin


def choose_url(console: Console, given: str | None, bound: str | None) -> str:
    """The one that was given, the one that is bound and answers, the one that runs on this machine."""
    named = given or os.environ.get("PENDESK_URL")
    if named:
        return read_url(named)
    if bound and answers(bound):
        return bound
    running = running_server(console.settings().data)
    if running is not None:
        return str(running["url"])
    if bound:
        return bound
    raise Failure("No server runs here. Start one with `pendesk serve`, or name yours with --url.")


def answers(url: str) -> bool:
    try:
        return bool(Remote(url, timeout_s=3).get("/api/v1/health").get("ok"))
    except (Unreachable, Refused):
        return False


def is_plain(url: str) -> bool:
    """Whether a token would go over a network in the clear."""
    match = _URL.fullmatch(url)
    return match is not None and match[1] == "http" and match[2].strip("[]") not in LOOPBACK
