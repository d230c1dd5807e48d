"""An agent: a program that works for a user, with a name that people know it by.

What tells two agents of a user apart is their client and their machine; where the machine is not known, their personal
token. A client that signs in by OAuth gets a new grant each time, so a grant tells nothing apart.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from pendesk.domain.limits import NAME_CHARS


class Agent(NamedTuple):
    """`client` and `machine` are empty where they are not known, `token_id` where it is not what tells it apart."""

    id: str
    user_id: str
    name: str
    client: str
    machine: str
    token_id: str
    created_at: int


class AgentIdentity(NamedTuple):
    client: str
    machine: str
    token_id: str


CLIENT_NAMES = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "cursor": "Cursor",
    "gemini-cli": "Gemini CLI",
    "copilot": "Copilot",
    "windsurf": "Windsurf",
    "zed": "Zed",
    "opencode": "OpenCode",
}

# A client calls itself differently in its user agent, in MCP and in our headers.
_CLIENT_PATTERNS = (
    (re.compile(r"claude[-_ ]?code"), "claude-code"),
    (re.compile(r"codex"), "codex"),
    (re.compile(r"cursor"), "cursor"),
    (re.compile(r"gemini[-_ ]?cli"), "gemini-cli"),
    (re.compile(r"copilot"), "copilot"),
    (re.compile(r"windsurf"), "windsurf"),
    (re.compile(r"\bzed\b"), "zed"),
    (re.compile(r"opencode"), "opencode"),
)


@lru_cache(maxsize=1_000)  # on the path of every call, and few are different
def known_client(text: str) -> str:
    """The client that calls itself so; empty for one we do not know, and for our own command line."""
    lowered = text.lower()
    return next((client for pattern, client in _CLIENT_PATTERNS if pattern.search(lowered)), "")


def agent_identity(client: str, machine: str, personal_token_id: str | None) -> AgentIdentity:
    return AgentIdentity(client, machine, "" if machine and client else personal_token_id or "")


def default_agent_name(client: str, machine: str, token_or_grant_name: str) -> str:
    """The token's or client's name, and the machine, which tells it apart; a token may be named after it already."""
    name = CLIENT_NAMES.get(client) or token_or_grant_name or "Agent"
    if machine and machine not in name:
        return f"{name} on {machine}"[:NAME_CHARS]
    return name[:NAME_CHARS]


def unique_agent_name(name: str, names_in_use: set[str]) -> str:
    """`Codex`, `Codex 2`, `Codex 3`."""
    number, candidate = 1, name
    while candidate in names_in_use:
        number += 1
        candidate = f"{name[: NAME_CHARS - 6]} {number}"
    return candidate
