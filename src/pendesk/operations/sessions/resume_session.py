"""resume_session: a person takes back that they paused or stopped an agent session."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionResumedData
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.sessions.control_results import ControlledSession, controlled_session
from pendesk.operations.sessions.find import AgentSessionId, find_agent_session
from pendesk.operations.sessions.paused_leases import restart_leases_after_pause
from pendesk.store import agent_sessions, session_controls, session_news


class ResumeSession(Input):
    agent_session_id: AgentSessionId


def run(call: Call, args: ResumeSession) -> ControlledSession:
    session = find_agent_session(call, args.agent_session_id)
    agent_sessions.lock(call.tx, session.id)
    control = session_controls.of_session(call.tx, session.id)
    if control is None:
        raise RuleBroken(f"{session.label} is not paused, so there is nothing to resume.", code="not_paused")
    session_controls.remove(call.tx, session.id)
    restart_leases_after_pause(call.tx, session.id, call.limits)
    session_news.take(call.tx, session.id, [control.event_id])
    call.record(Event("agent_session.resumed", session.id, data=SessionResumedData(session=session.label)))
    return controlled_session(call, session)


OPERATION = Operation(
    name="resume_session",
    title="Resume an agent session",
    description=(
        "Take back a pause or stop. An agent whose run has not ended yet goes on as if nothing had been; one whose run "
        "has ended goes on when somebody prompts it in its terminal. What a stop released stays released. Refused: 404 "
        "no such session, 422 it is not paused."
    ),
    input=ResumeSession,
    output=ControlledSession,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
