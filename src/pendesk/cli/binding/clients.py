"""What each client needs in the repository to find the server."""

import json
import shutil
from typing import Any

from pendesk.cli.binding.helper import CONTEXT_COMMAND, HEADERS_COMMAND
from pendesk.cli.binding.record import SKILL, RepoBinding
from pendesk.cli.binding.session_hooks import (
    CLAUDE_CODE_HOOKS,
    CODEX_HOOKS,
    SESSION_END,
    TERMINAL_END_REASONS,
    SessionHook,
    hook_entry,
)
from pendesk.cli.binding.snippets import HASH, HTML, Snippet

AGENTS = ("claude", "codex", "cursor", "vscode")
PROMPT_ID = "pendesk-token"
# Options of `connect`, as the record of the repository holds them.
NO_HOOKS, UNATTENDED = "no-hooks", "unattended"
SESSION_HOOK_FILES = CLAUDE_SETTINGS, CODEX_HOOKS_FILE = ".claude/settings.local.json", ".codex/hooks.json"
POINTER = (
    "The work in this repository is planned in Pendesk{project}. Before you build or plan, read `{skill}` and follow\n"
    "it: take an action, read its brief, ask before guessing, report commits and tests, submit with evidence."
)


_CONTEXT_EVENTS = {"SessionStart": "startup|resume|clear|compact", SESSION_END: TERMINAL_END_REASONS}


def installed_agent_names_or_claude() -> tuple[str, ...]:
    """The agents whose program is on this machine; Claude Code if there is none."""
    return tuple(name for name in ("claude", "codex") if shutil.which(name)) or ("claude",)


def snippets_for_agents(binding: RepoBinding) -> list[Snippet]:
    snippets = [snippet for agent in AGENTS if agent in binding.agents for snippet in _SNIPPETS[agent](binding)]
    # AGENTS.md is for several clients, and needs the block once.
    return [snippet for index, snippet in enumerate(snippets) if snippet not in snippets[:index]]


def skill_symlink_paths_and_targets(binding: RepoBinding) -> list[tuple[str, str]]:
    folders = []
    if "claude" in binding.agents:
        folders.append(".claude/skills")
    if set(binding.agents) - {"claude"}:
        folders.append(".agents/skills")
    return [(f"{folder}/{binding.name}/SKILL.md", f"../../../{SKILL}") for folder in folders]


def _claude_snippets(binding: RepoBinding) -> list[Snippet]:
    server = {"type": "http", "url": binding.mcp_url, "headersHelper": HEADERS_COMMAND}
    snippets = [
        Snippet(".mcp.json", ("mcpServers", binding.name), server, strict=True),
        _skill_reference_snippet("CLAUDE.md", binding),
    ]
    if NO_HOOKS not in binding.options:
        for event, matcher in _CONTEXT_EVENTS.items():
            hook = {"matcher": matcher, "hooks": [_hook_config_for_command(CONTEXT_COMMAND)]}
            snippets.append(Snippet(CLAUDE_SETTINGS, ("hooks", event, "[]"), hook, strict=True))
    snippets += session_hook_snippets(binding, "claude")
    if UNATTENDED in binding.options:
        snippets.append(Snippet(CLAUDE_SETTINGS, ("enabledMcpjsonServers", "[]"), binding.name, strict=True))
    return snippets


def session_hook_snippets(binding: RepoBinding, agent: str) -> list[Snippet]:
    """The hooks by which a client reports its sessions; none for a client that has no such hooks."""
    if NO_HOOKS in binding.options or agent not in binding.agents or agent not in _SESSION_HOOKS:
        return []
    path, hooks = _SESSION_HOOKS[agent]
    return [
        Snippet(path, ("hooks", hook.event, "[]"), hook_entry(hook, binding.name, binding.project), strict=True)
        for hook in hooks
    ]


_SESSION_HOOKS: dict[str, tuple[str, tuple[SessionHook, ...]]] = {
    "claude": (CLAUDE_SETTINGS, CLAUDE_CODE_HOOKS),
    "codex": (CODEX_HOOKS_FILE, CODEX_HOOKS),
}


def _hook_config_for_command(command_line: str) -> dict[str, Any]:
    return {"type": "command", "command": command_line, "timeout": 5}


def _codex_snippets(binding: RepoBinding) -> list[Snippet]:
    lines = [
        f"[mcp_servers.{binding.name}]",
        f"url = {json.dumps(binding.mcp_url)}",
        f"http_headers_helper = {json.dumps(HEADERS_COMMAND)}",
    ]
    return [
        Snippet(".codex/config.toml", value="\n".join(lines), comment=HASH),
        *session_hook_snippets(binding, "codex"),
        _skill_reference_snippet("AGENTS.md", binding),
    ]


def _cursor_editor_snippets(binding: RepoBinding) -> list[Snippet]:
    server = {"url": binding.mcp_url, "headers": {"Authorization": "Bearer ${env:PENDESK_MCP_TOKEN}"}}
    return [
        Snippet(".cursor/mcp.json", ("mcpServers", binding.name), server),
        _skill_reference_snippet("AGENTS.md", binding),
    ]


def _vscode_snippets(binding: RepoBinding) -> list[Snippet]:
    token_input = {
        "type": "promptString",
        "id": PROMPT_ID,
        "description": "The token in .pendesk/token",
        "password": True,
    }
    headers = {"Authorization": f"Bearer ${{input:{PROMPT_ID}}}"}
    server = {"type": "http", "url": binding.mcp_url, "headers": headers}
    return [
        Snippet(".vscode/mcp.json", ("inputs", "[]"), token_input),
        Snippet(".vscode/mcp.json", ("servers", binding.name), server),
        _skill_reference_snippet("AGENTS.md", binding),
    ]


def _skill_reference_snippet(path: str, binding: RepoBinding) -> Snippet:
    project = f", project {binding.project}" if binding.project else ""
    return Snippet(path, value=POINTER.format(project=project, skill=SKILL), comment=HTML)


_SNIPPETS = {
    "claude": _claude_snippets,
    "codex": _codex_snippets,
    "cursor": _cursor_editor_snippets,
    "vscode": _vscode_snippets,
}
