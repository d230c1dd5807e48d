"""A session that was paused, resumed or stopped, as it is answered."""

from pendesk.clock import to_iso
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.session_control import SessionControl
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import session_controls


class Control(Output):
    """kind: pause or stop. applied_at: when its run ended, where a hook of its client did that."""

    kind: str
    by: str
    at: str
    reason: str | None = None
    applied_at: str | None = None


class ControlledSession(Output):
    """released: the refs of what it held."""

    pid: str
    name: str
    control: Control | None = None
    released: list[str] = []


def controlled_session(call: Call, session: AgentSession, released: list[str] | None = None) -> ControlledSession:
    control = session_controls.of_session(call.tx, session.id)
    return ControlledSession(
        pid=session.id,
        name=session.label,
        control=control_to_output(control) if control else None,
        released=released or [],
    )


def control_to_output(control: SessionControl) -> Control:
    return Control(
        kind=control.kind,
        by=control.author,
        at=to_iso(control.requested_at),
        reason=control.reason or None,
        applied_at=to_iso_or_none(control.applied_at),
    )
