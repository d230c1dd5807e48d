"""Pause and Stop: a person ends the run of an agent session, at its next step.

A pause can be resumed: the claims stay. A stop releases them, for another agent to go on. Either is in force until
somebody prompts the session or it is taken back.
"""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.iso_time import to_iso


class ControlKind(StrEnum):
    PAUSE = "pause"
    STOP = "stop"


class SessionControl(NamedTuple):
    """`author` is the name of the person; `event_id` is the event that is news to the session."""

    session_id: str
    kind: ControlKind
    reason: str
    author_id: str
    requested_at: int
    event_id: int
    applied_at: int | None
    author: str


def control_text(kind: ControlKind, author: str, at: int, reason: str) -> str:
    """What the agent reads: as news, as the reason why its run ends, or why a tool is denied."""
    act = "paused" if kind == ControlKind.PAUSE else "stopped"
    after = (
        "End your turn now and wait for your user. What you hold stays yours."
        if kind == ControlKind.PAUSE
        else "End your turn now. What you held was released for another agent."
    )
    because = f" Reason: {reason}{'' if reason.endswith(('.', '!', '?')) else '.'}" if reason else ""
    return f"{author} (person) {act} this session in Pendesk, {to_iso(at)[11:16]} UTC.{because} {after}"
