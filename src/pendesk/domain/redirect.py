"""Where an authorization may be sent back to: a program on the person's own machine, and nowhere else.

Judged on the raw text by one strict pattern, never on a parsed URL. Parsers disagree with each other and with
browsers about backslashes, several `@`, other digits and other ways to write an address; what this pattern accepts,
all of them read alike.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

LONGEST_CHARS = 500
_PORT = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
# A part of a path begins with no dot, so there are no `..` for anyone to resolve; `%` and queries are not needed.
_PART = "[A-Za-z0-9_~-][A-Za-z0-9._~-]*"
_LOOPBACK = re.compile(rf"http://(127\.0\.0\.1|localhost|\[::1\])(?::({_PORT}))?((?:/{_PART})*/?)\Z")
# What clients that are given an id instead of registering listen on; Codex adds an id of its own.
_BUILT_IN_PATH = re.compile(r"/callback(?:/[A-Za-z0-9_-]{1,100})?\Z|/oauth/callback\Z")


class LoopbackUri(NamedTuple):
    host: str
    port: str | None
    path: str

    @property
    def origin(self) -> str:
        return f"http://{self.host}:{self.port}" if self.port else f"http://{self.host}"

    def equals_ignoring_port(self, other: "LoopbackUri") -> bool:
        return (self.host, self.path) == (other.host, other.path)


def parse_loopback_uri(uri: str) -> LoopbackUri | None:
    """The parts of an address on this machine, or None where it is anything else."""
    match = _LOOPBACK.match(uri) if len(uri) <= LONGEST_CHARS else None
    return LoopbackUri(*match.groups()) if match else None


def is_registered_redirect_uri(uri: str, registered: Iterable[str]) -> bool:
    """Whether the client named this address before. Programs take the port that is free, so only it may differ."""
    requested = parse_loopback_uri(uri)
    if requested is None:
        return False
    candidates = (parse_loopback_uri(candidate) for candidate in registered)
    return any(candidate is not None and requested.equals_ignoring_port(candidate) for candidate in candidates)


def is_built_in_client_redirect_uri(uri: str) -> bool:
    """Whether the built-in client may be called back there."""
    requested = parse_loopback_uri(uri)
    return requested is not None and _BUILT_IN_PATH.match(requested.path) is not None
