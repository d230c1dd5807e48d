"""What tells the agent session that this program runs in from others of the same token; sent as headers.

A mark that is wrong joins two sessions, which is worse than none: what is not certain is left out. The client is the
nearest process above that is one; variables of another client, or of one further up, are inherited and not its own.
Few imports: clients run `pendesk headers` often.
"""

import hashlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pendesk.cli.parts.ci_job import ci_job_name
from pendesk.cli.parts.process_ancestry import Process, list_ancestors, process_mark

MAX_CHARS = 200
CLAUDE, CODEX = "claude-code", "codex"
SHELLS = {"sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"}
CLAUDE_PROGRAMS = {"claude", "claude.exe"}
# The native installation names its program after the version; the one from npm may be a script.
CLAUDE_PATHS = ("/claude/versions/", "/@anthropic-ai/claude-code/")
_CODEX_PROGRAM = re.compile(r"codex(-.*|\.exe)?")  # codex-linux-sandbox is a part of it
# Set for the commands of an agent, and not for a person's terminal in the same program.
OTHER_CLIENT_VARIABLES = {"CURSOR_AGENT": "cursor", "GEMINI_CLI": "gemini-cli"}


class AgentMarks(NamedTuple):
    """Each is a header, `X-Pendesk-` and its name."""

    session: str | None = None
    process: str | None = None
    client_session: str | None = None
    thread: str | None = None
    client: str | None = None
    machine: str | None = None

    def headers(self) -> dict[str, str]:
        texts = {name: _header_text(value) for name, value in self._asdict().items() if value}
        return {f"X-Pendesk-{name.replace('_', '-').title()}": text for name, text in texts.items() if text}

    def of_connection(self) -> "AgentMarks":
        """Without what may change while a connection stays open: `/clear` begins another session of the client."""
        return self._replace(client_session=None, thread=None)


def find_agent_marks(hook_input: Mapping[str, Any] | None = None) -> AgentMarks:
    """Of this process; `hook_input` is what a client passes to its hooks."""
    return agent_marks_in(os.environ, list_ancestors(), _is_terminal(), hook_input or {})


def agent_marks_in(
    environ: Mapping[str, str], ancestors: Sequence[Process], is_terminal: bool, hook_input: Mapping[str, Any]
) -> AgentMarks:
    process = next((process for process in ancestors if _client_of_process(process, environ)), None)
    client = _client_of_process(process, environ) if process else _client_in_environment(environ, is_terminal)
    session, thread = _client_session_and_thread(environ, client, process, hook_input)
    return AgentMarks(
        session=environ.get("PENDESK_SESSION") or ci_job_name(environ),
        # A process of Codex may serve several sessions at once; each of its calls names its own.
        process=process_mark(process) if process and client == CLAUDE else None,
        client_session=f"{client}:{session}" if session else None,
        thread=thread,
        client=client,
        machine=_machine_name(environ),
    )


def _client_of_process(process: Process, environ: Mapping[str, str]) -> str | None:
    program = os.path.basename(process.executable)
    if program in SHELLS:  # a script around a client has the client's name
        return None
    is_named_by_client = str(process.pid) == environ.get("CLAUDE_PID")
    if is_named_by_client or {program, process.name} & CLAUDE_PROGRAMS or _is_claude_path(process):
        return CLAUDE
    return CODEX if any(_CODEX_PROGRAM.fullmatch(name) for name in (program, process.name)) else None


def _is_claude_path(process: Process) -> bool:
    script = process.arguments[1] if process.name in ("node", "bun") and len(process.arguments) > 1 else ""
    return any(path in process.executable or path in script for path in CLAUDE_PATHS)


def _client_in_environment(environ: Mapping[str, str], is_terminal: bool) -> str | None:
    """For a command in a sandbox that hides the client's process. On a terminal the variables may be inherited."""
    clients = {CLAUDE: "CLAUDE_CODE_SESSION_ID" in environ, CODEX: "CODEX_SESSION_ID" in environ}
    if any(clients.values()):
        return None if is_terminal or all(clients.values()) else max(clients, key=clients.__getitem__)
    agent_name = environ.get("AI_AGENT", "").partition("@")[0].partition("_")[0]
    return next((client for name, client in OTHER_CLIENT_VARIABLES.items() if environ.get(name)), agent_name or None)


def _client_session_and_thread(
    environ: Mapping[str, str], client: str | None, process: Process | None, hook_input: Mapping[str, Any]
) -> tuple[str | None, str | None]:
    session_of_hook = hook_input.get("session_id")
    if client in (CLAUDE, CODEX) and isinstance(session_of_hook, str) and session_of_hook:
        return session_of_hook, None
    if client == CODEX:
        session, thread = environ.get("CODEX_SESSION_ID"), environ.get("CODEX_THREAD_ID")
        return session, thread if session and thread != session else None
    is_own = process is None or environ.get("CLAUDE_PID") in (None, str(process.pid))
    return (environ.get("CLAUDE_CODE_SESSION_ID") if client == CLAUDE and is_own else None), None


def _machine_name(environ: Mapping[str, str]) -> str:
    name = os.uname().nodename if hasattr(os, "uname") else environ.get("COMPUTERNAME", "")
    return name.partition(".")[0]


def _is_terminal() -> bool:
    try:
        return sys.stdin.isatty()
    except (AttributeError, ValueError):  # there is no stdin, or it is closed
        return False


def _header_text(text: str) -> str:
    """Printable ASCII. What is longer stays different from others with the same beginning."""
    plain = "".join(char for char in text if char.isprintable()).strip().encode("ascii", "backslashreplace").decode()
    if len(plain) <= MAX_CHARS:
        return plain
    digest = hashlib.sha256(plain.encode()).hexdigest()[:32]
    return f"{plain[: MAX_CHARS - len(digest) - 1]}-{digest}"
