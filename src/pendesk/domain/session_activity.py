"""What an agent session does, as the hooks of its client report it: steps, and the state that follows from them.

A client sends the whole input of some tools, so what is saved is decided here: the name of the tool, the path of a file
and the first words of a command. Never contents.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.limits import HOUR_US, STEP_COMMAND_WORDS, STEP_DETAIL_CHARS, STEP_NAME_CHARS


class HookEvent(StrEnum):
    """Names as clients spell them."""

    SESSION_START = "SessionStart"
    USER_PROMPT = "UserPromptSubmit"
    BEFORE_TOOL = "PreToolUse"
    AFTER_TOOL = "PostToolUse"
    AFTER_TOOL_FAILURE = "PostToolUseFailure"
    AFTER_TOOLS = "PostToolBatch"
    PERMISSION = "PermissionRequest"
    NOTIFICATION = "Notification"
    SUBAGENT_START = "SubagentStart"
    SUBAGENT_STOP = "SubagentStop"
    STOP = "Stop"
    SESSION_END = "SessionEnd"


class ActivityState(StrEnum):
    WORKING = "working"
    WAITING_PERMISSION = "waiting_permission"
    IDLE = "idle"  # its turn is over: it waits for its person
    ENDED = "ended"


_STATES = {
    HookEvent.PERMISSION: ActivityState.WAITING_PERMISSION,
    HookEvent.STOP: ActivityState.IDLE,
    HookEvent.SESSION_START: ActivityState.IDLE,
    HookEvent.SESSION_END: ActivityState.ENDED,
}
ENDS_TURN = frozenset({HookEvent.STOP, HookEvent.SUBAGENT_STOP})
# They end what began with BEFORE_TOOL.
ENDS_TOOLS = frozenset({HookEvent.AFTER_TOOL, HookEvent.AFTER_TOOL_FAILURE, HookEvent.AFTER_TOOLS})
# A reminder for the person at the terminal: it says nothing about what the agent does.
_SAYS_NOTHING = frozenset({HookEvent.NOTIFICATION})


class Step(NamedTuple):
    """One report of a hook. `thread` is the sub-agent, empty for the root; `at` is in microseconds."""

    workspace_id: str
    session_id: str
    event: HookEvent
    at: int
    thread: str = ""
    thread_kind: str = ""
    tool: str = ""
    detail: str = ""
    tool_use_id: str = ""
    project_id: str | None = None


class ShownState(StrEnum):
    """A state as people read it. Silent: it should be working, and nothing was heard of it for a while."""

    WORKING = "working"
    WAITING_PERMISSION = "waiting_permission"
    IDLE = "idle"
    SILENT = "silent"
    ENDED = "ended"


class Activity(NamedTuple):
    """What a session does now; `thread`, `tool` and `detail` are of its newest step, as long as that lasts."""

    session_id: str
    state: ActivityState
    state_since: int
    last_step_at: int
    thread: str
    tool: str
    detail: str
    project_id: str | None


def state_after(event: HookEvent, thread: str = "") -> ActivityState:
    """The end of a sub-agent's turn is not the end of its root's."""
    if thread and event == HookEvent.STOP:
        return ActivityState.WORKING
    return _STATES.get(event, ActivityState.WORKING)


def activity_after(before: Activity | None, steps: Sequence[Step]) -> Activity | None:
    """After the steps of one session, in their order. Those that another process has overtaken change nothing."""
    for step in steps:
        if before is None or step.at >= before.last_step_at:
            before = _activity_after_step(before, step)
    return before


def _activity_after_step(before: Activity | None, step: Step) -> Activity:
    state = state_after(step.event, step.thread)
    if step.event in _SAYS_NOTHING:
        state = before.state if before else ActivityState.IDLE
    # What has ended is not what it does: between two tools there is none, and a reminder changes nothing.
    shown = before if before and step.event in _SAYS_NOTHING else step
    has_tool = step.event not in ENDS_TOOLS
    return Activity(
        session_id=step.session_id,
        state=state,
        state_since=before.state_since if before and before.state == state else step.at,
        last_step_at=step.at,
        thread=shown.thread,
        tool=shown.tool if has_tool else "",
        detail=shown.detail if has_tool else "",
        project_id=step.project_id or (before.project_id if before else None),
    )


def describe_activity(
    activity: Activity, ended_at: int | None, now: int, silent_after_us: int
) -> tuple[ShownState, int]:
    """The state, and since when. `ended_at` is of the session, which may have ended without a hook."""
    if ended_at is not None:
        return ShownState.ENDED, ended_at
    if activity.state == ActivityState.WORKING and now - activity.last_step_at >= silent_after_us:
        return ShownState.SILENT, activity.last_step_at
    return ShownState(activity.state), activity.state_since


def has_working_hooks(hooks_at: int | None, last_seen_at: int) -> bool:
    """A session that calls for long without a hook has lost them."""
    return hooks_at is not None and last_seen_at - hooks_at < HOUR_US


def step_detail(file: str, command: str) -> str:
    return _one_line(file)[:STEP_DETAIL_CHARS] if file else short_command(command)


def step_name(text: str) -> str:
    """Of a tool or a kind of sub-agent."""
    return _one_line(text)[:STEP_NAME_CHARS]


# A word with any of these may carry a secret or a text: an option, an assignment, a quotation, an address, a variable.
_NOT_PLAIN = re.compile(r"^-|[^\w./:,+%@-]|://|@")
_ASSIGNMENT = re.compile(r"^\w+=")


def short_command(command: str) -> str:
    """Its first words, up to the first that may carry a secret: `git commit` of `git commit -m "..."`."""
    words = _one_line(command[: 4 * STEP_DETAIL_CHARS]).split()
    while words and _ASSIGNMENT.match(words[0]):  # variables set for the command
        words.pop(0)
    plain = []
    for word in words[:STEP_COMMAND_WORDS]:
        if _NOT_PLAIN.search(word) or len(word) > STEP_NAME_CHARS:
            break
        plain.append(word)
    return " ".join(plain)[:STEP_DETAIL_CHARS]


def _one_line(text: str) -> str:
    first_line = text.strip().split("\n", 1)[0]
    return "".join(char for char in first_line if char.isprintable()).strip()
