"""The hooks by which a client reports what its sessions do: calls of the hidden tool `session_event`.

A client makes them over the MCP connection that it has already, with that connection's own credentials: no process is
started, and no file holds a token. The client fills in the placeholders. Only names, ids, a file's path and a shell
command are sent, never contents: `${tool_calls}`, `${tool_response}` and the input of Codex's apply_patch have them.
"""

from typing import Any, NamedTuple

from pendesk.cli.binding.json_edit import parse_node_value, remove_member_or_array_item
from pendesk.cli.binding.jsonc import NotJson, find_node, parse_jsonc

TOOL = "session_event"
SESSION_END = "SessionEnd"
# A server that does not answer holds up the agent for this long at most.
TIMEOUT_S = 2
PLACEHOLDERS = {
    "session": "${session_id}",
    "agent": "${agent_id}",
    "agent_type": "${agent_type}",
    "tool": "${tool_name}",
    "tool_use_id": "${tool_use_id}",
    "file": "${tool_input.file_path}",
    "command": "${tool_input.command}",
    "background": "${background_tasks.0.status}",
}


class SessionHook(NamedTuple):
    """An event of a client, and the arguments that are sent with it."""

    event: str
    arguments: tuple[str, ...]
    matcher: str | None = None  # the tools, or the reasons for an end; None for all


_THREAD = ("session", "agent", "agent_type")
# A placeholder without a value is an empty text. Where the client has no connection it shows an error instead: at
# SessionStart, and at the end of a terminal, which a command reports for the reasons below.
CLAUDE_CODE_HOOKS = (
    SessionHook("UserPromptSubmit", ("session",)),
    SessionHook("PreToolUse", (*_THREAD, "tool", "tool_use_id", "file", "command")),
    SessionHook("PermissionRequest", (*_THREAD, "tool", "file", "command")),
    SessionHook("PostToolBatch", _THREAD),
    SessionHook("SubagentStart", _THREAD),
    SessionHook("SubagentStop", _THREAD),
    SessionHook("Stop", ("session", "background")),
    SessionHook(SESSION_END, ("session",), "other"),
)
TERMINAL_END_REASONS = "logout|prompt_input_exit|bypass_permissions_disabled"  # after /clear and /resume it goes on
# With a placeholder that has no value the hook is skipped, so the thread comes from the `_meta` of the call. Regular
# expressions have no look-around here: the second matcher is every name but Bash.
CODEX_HOOKS = (
    SessionHook("SessionStart", ("session",)),
    SessionHook("UserPromptSubmit", ("session",)),
    SessionHook("PreToolUse", ("session", "tool", "tool_use_id", "command"), "^Bash$"),
    SessionHook("PreToolUse", ("session", "tool", "tool_use_id"), "^([^B]|B([^a]|$)|Ba([^s]|$)|Bas([^h]|$)|Bash.)"),
    SessionHook("PermissionRequest", ("session", "tool")),
    SessionHook("PostToolUse", ("session", "tool", "tool_use_id")),
    SessionHook("SubagentStart", _THREAD),
    SessionHook("SubagentStop", _THREAD),
    SessionHook("Stop", ("session",)),
)


def hook_entry(hook: SessionHook, server: str, project: str | None) -> dict[str, Any]:
    """The hook as both clients read it, as an item of the array of its event."""
    constants = {"event": hook.event, **({"project": project} if project else {})}
    arguments = {name: PLACEHOLDERS[name] for name in hook.arguments}
    call = {"type": "mcp_tool", "server": server, "tool": TOOL, "timeout": TIMEOUT_S, "input": constants | arguments}
    return {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": [call]}


def remove_session_hooks(settings_text: str) -> str:
    """The text of a client's settings without these hooks, whatever server and project they are for."""
    try:
        events = find_node(parse_jsonc(settings_text), "hooks")
    except NotJson:
        return settings_text
    entries = [
        (event.key, parse_node_value(settings_text, item.value))
        for event in (events.members if events else ())
        for item in event.value.members
    ]
    for event_name, entry in entries:
        if _is_session_hook(entry):
            settings_text = remove_member_or_array_item(settings_text, ["hooks", event_name, "[]"], entry)
    return settings_text


def _is_session_hook(entry: Any) -> bool:
    calls = entry.get("hooks") if isinstance(entry, dict) else None
    return isinstance(calls, list) and any(isinstance(call, dict) and call.get("tool") == TOOL for call in calls)
