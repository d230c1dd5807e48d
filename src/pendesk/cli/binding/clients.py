"""What each client needs in the repository to find the server."""

import json
import shutil
from typing import Any

from pendesk.cli.binding.helper import CONTEXT, HELPER
from pendesk.cli.binding.parts import HASH, HTML, Part
from pendesk.cli.binding.record import SKILL, Binding

AGENTS = ("claude", "codex", "cursor", "vscode")
ASKED_FOR = "pendesk-token"
POINTER = (
    "The work in this repository is planned in Pendesk{project}. Before you build, read `{skill}` and keep to it:\n"
    "pick an action, claim it, read its brief, ask before guessing, report commits and tests, submit with evidence."
)


def found_agents() -> tuple[str, ...]:
    """Those whose program is on this machine; Claude Code if none is."""
    return tuple(name for name in ("claude", "codex") if shutil.which(name)) or ("claude",)


def parts(binding: Binding) -> list[Part]:
    made = [part for agent in AGENTS if agent in binding.agents for part in _PARTS[agent](binding)]
    # AGENTS.md is for several clients, and needs the block once.
    return [part for index, part in enumerate(made) if part not in made[:index]]


def links(binding: Binding) -> list[tuple[str, str]]:
    folders = []
    if "claude" in binding.agents:
        folders.append(".claude/skills")
    if set(binding.agents) - {"claude"}:
        folders.append(".agents/skills")
    return [(f"{folder}/{binding.name}/SKILL.md", f"../../../{SKILL}") for folder in folders]


def _claude(binding: Binding) -> list[Part]:
    server = {"type": "http", "url": binding.mcp, "headersHelper": HELPER}
    made = [
        Part(".mcp.json", ("mcpServers", binding.name), server, strict=True),
        _pointer("CLAUDE.md", binding),
    ]
    settings = ".claude/settings.local.json"
    if "hooks" in binding.options:
        hook = {"matcher": "startup|resume|clear|compact", "hooks": [_command(CONTEXT)]}
        made.append(Part(settings, ("hooks", "SessionStart", "[]"), hook, strict=True))
    if "unattended" in binding.options:
        made.append(Part(settings, ("enabledMcpjsonServers", "[]"), binding.name, strict=True))
    return made


def _command(command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": 5}


def _codex(binding: Binding) -> list[Part]:
    lines = [
        f"[mcp_servers.{binding.name}]",
        f"url = {json.dumps(binding.mcp)}",
        f"http_headers_helper = {json.dumps(HELPER)}",
    ]
    return [Part(".codex/config.toml", value="\n".join(lines), comment=HASH), _pointer("AGENTS.md", binding)]


def _cursor(binding: Binding) -> list[Part]:
    server = {"url": binding.mcp, "headers": {"Authorization": "Bearer ${env:PENDESK_MCP_TOKEN}"}}
    return [Part(".cursor/mcp.json", ("mcpServers", binding.name), server), _pointer("AGENTS.md", binding)]


def _vscode(binding: Binding) -> list[Part]:
    asked = {
        "type": "promptString",
        "id": ASKED_FOR,
        "description": "The token in .pendesk/token",
        "password": True,
    }
    headers = {"Authorization": f"Bearer ${{input:{ASKED_FOR}}}"}
    server = {"type": "http", "url": binding.mcp, "headers": headers}
    return [
        Part(".vscode/mcp.json", ("inputs", "[]"), asked),
        Part(".vscode/mcp.json", ("servers", binding.name), server),
        _pointer("AGENTS.md", binding),
    ]


def _pointer(path: str, binding: Binding) -> Part:
    project = f", project {binding.project}" if binding.project else ""
    return Part(path, value=POINTER.format(project=project, skill=SKILL), comment=HTML)


_PARTS = {"claude": _claude, "codex": _codex, "cursor": _cursor, "vscode": _vscode}
