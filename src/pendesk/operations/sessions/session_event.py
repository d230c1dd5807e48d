"""session_event: a hook of an agent's client reports a step. A look at what waits for the session.

On the path of every step of every agent, so it only reads; what there is to deliver is answer_session_event's. The step
itself is kept in memory and saved with others (save_steps).
"""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import KEY_CHARS
from pendesk.domain.session_activity import HookEvent
from pendesk.operations.caller_session import find_session
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import projects, session_controls


class SessionEvent(Input):
    event: Annotated[HookEvent, Meta(description="The event, as the client calls it.")]
    project: Annotated[str, Meta(max_length=KEY_CHARS, description="The key of the project it works in.")] = ""
    has_background_work: Annotated[bool, Meta(description="At a Stop: its sub-agents or commands still run.")] = False


class SessionStanding(Output):
    """has_answer: answer_session_event may have something to say, or a session to record."""

    session_id: str | None
    project_id: str | None
    has_answer: bool


def run(call: Call, args: SessionEvent) -> SessionStanding:
    session = find_session(call.tx, call.actor)
    project = projects.by_key(call.tx, args.project.upper()) if args.project else None
    has_answer = (
        session is None
        or session.has_news
        or args.event == HookEvent.STOP
        or session_controls.of_session(call.tx, session.id) is not None
    )
    return SessionStanding(
        session_id=session.id if session else None, project_id=project.id if project else None, has_answer=has_answer
    )


OPERATION = Operation(
    name="session_event",
    title="Report a session event",
    description="For hooks of agents' clients: what a session does, and whether something waits for it.",
    input=SessionEvent,
    output=SessionStanding,
    scope=Scope.ANY,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
