"""What a step of an agent session is in plain words: "Editing src/app.py" while it runs, "Edited src/app.py" after it.

Clients name their tools differently; what is not known here is shown by its own name.
"""

from typing import NamedTuple

from pendesk.domain.session_activity import HookEvent


class Phrase(NamedTuple):
    """`icon` is a symbol of icons.svg."""

    running: str
    ended: str
    icon: str = "terminal"


THINKING = Phrase("Thinking", "Thought", "sparkles")
_EDIT = Phrase("Editing", "Edited", "pencil")
_READ = Phrase("Reading", "Read", "file-text")
_RUN = Phrase("Running", "Ran")
_SEARCH = Phrase("Searching", "Searched", "search")
_DELEGATE = Phrase("Starting a sub-agent", "Started a sub-agent", "bot")
_PLAN = Phrase("Updating its list of steps", "Updated its list of steps", "list-checks")

_TOOLS = {
    "edit": _EDIT,
    "multiedit": _EDIT,
    "notebookedit": _EDIT,
    "apply_patch": _EDIT,
    "write": Phrase("Writing", "Wrote", "pencil"),
    "read": _READ,
    "view_image": _READ,
    "bash": _RUN,
    "shell": _RUN,
    "exec_command": _RUN,
    "bashoutput": Phrase("Reading the output of a command", "Read the output of a command"),
    "killshell": Phrase("Ending a command", "Ended a command"),
    "grep": _SEARCH,
    "glob": _SEARCH,
    "ls": Phrase("Listing files", "Listed files", "folder"),
    "webfetch": Phrase("Reading a web page", "Read a web page", "external-link"),
    "websearch": Phrase("Searching the web", "Searched the web", "search"),
    "web_search": Phrase("Searching the web", "Searched the web", "search"),
    "task": _DELEGATE,
    "agent": _DELEGATE,
    "spawn_agent": _DELEGATE,
    "todowrite": _PLAN,
    "update_plan": _PLAN,
    "skill": Phrase("Using a skill", "Used a skill", "book-open"),
}
_EVENTS = {
    HookEvent.SESSION_START: Phrase("Session started", "Session started", "play"),
    HookEvent.USER_PROMPT: Phrase("Got a prompt", "Got a prompt", "message-square"),
    HookEvent.PERMISSION: Phrase("Waiting for permission", "Waited for permission", "hand"),
    HookEvent.NOTIFICATION: Phrase("Notified its person", "Notified its person", "bell"),
    HookEvent.SUBAGENT_START: Phrase("Sub-agent started", "Sub-agent started", "bot"),
    HookEvent.SUBAGENT_STOP: Phrase("Sub-agent ended", "Sub-agent ended", "bot"),
    HookEvent.STOP: Phrase("Ended its turn", "Ended its turn", "circle-check"),
    HookEvent.SESSION_END: Phrase("Session ended", "Session ended", "circle-slash"),
}
_MCP_PREFIX = "mcp__"


def tool_phrase(tool: str | None) -> Phrase:
    """Of what a tool does; without one the model thinks."""
    if not tool:
        return THINKING
    server, separator, name = tool.removeprefix(_MCP_PREFIX).partition("__")
    if tool.startswith(_MCP_PREFIX) and separator:
        return Phrase(f"Calling {name} ({server})", f"Called {name} ({server})", "plug")
    return _TOOLS.get(tool.lower()) or Phrase(f"Using {tool}", f"Used {tool}", "zap")


def step_phrase(event: str, tool: str | None) -> Phrase:
    """Of a step: by its tool, or by what happened where it is no tool's."""
    if tool and event != HookEvent.PERMISSION:
        return tool_phrase(tool)
    return _EVENTS[HookEvent(event)] if event in _EVENTS else tool_phrase(tool)
