"""pause_session: a person ends the run of an agent session, which keeps what it holds."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionPausedData
from pendesk.domain.session_control import ControlKind
from pendesk.operations.fields import Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.sessions.control_results import ControlledSession, controlled_session
from pendesk.operations.sessions.find import AgentSessionId, find_and_lock_live_session
from pendesk.operations.sessions.paused_leases import extend_leases_for_pause
from pendesk.store import session_controls, session_news

Reason = Annotated[Message, Meta(description="Why; the agent reads it.")]


class PauseSession(Input):
    agent_session_id: AgentSessionId
    reason: Reason | None = None


def run(call: Call, args: PauseSession) -> ControlledSession:
    session = find_and_lock_live_session(call, args.agent_session_id)
    before = session_controls.of_session(call.tx, session.id)
    if before is not None and before.kind == ControlKind.STOP:
        raise RuleBroken(f"{session.label} was stopped already, by {before.author}.", code="already_stopped")
    if before is not None:
        session_news.take(call.tx, session.id, [before.event_id])
    reason = (args.reason or "").strip()
    data = SessionPausedData(session=session.label, reason=reason or None)
    event_id = call.record_returning_id(Event("agent_session.paused", session.id, data=data))
    session_news.add(call.tx, session.id, event_id)
    session_controls.save(call.tx, session.id, ControlKind.PAUSE, reason, call.actor.user_id, event_id)
    extend_leases_for_pause(call.tx, session.id, call.limits)
    return controlled_session(call, session)


OPERATION = Operation(
    name="pause_session",
    title="Pause an agent session",
    description=(
        "End the run of an agent session at its next step; it keeps what it holds. Claude Code with hooks ends its "
        "turn; Codex has its next tools denied and is told to end its turn; without hooks an agent is told with its "
        "next call. It goes on when somebody prompts it, or after resume_session. Refused: 404 no such session, 422 "
        "it has ended or was stopped."
    ),
    input=PauseSession,
    output=ControlledSession,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
