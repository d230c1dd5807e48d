"""stop_session: a person ends the run of an agent session, and what it held goes to another agent with a hand-over."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim_transitions import release_claim_by_person
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionStoppedData
from pendesk.domain.session_control import ControlKind
from pendesk.operations.building.claim_guard import find_and_lock_action_past_scoping, save_claim_end
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.sessions.control_results import ControlledSession, controlled_session
from pendesk.operations.sessions.find import AgentSessionId, find_and_lock_live_session
from pendesk.operations.sessions.pause_session import Reason
from pendesk.store import claims, session_controls, session_news


class StopSession(Input):
    agent_session_id: AgentSessionId
    reason: Reason | None = None


def run(call: Call, args: StopSession) -> ControlledSession:
    session = find_and_lock_live_session(call, args.agent_session_id)
    before = session_controls.of_session(call.tx, session.id)
    if before is not None:
        session_news.take(call.tx, session.id, [before.event_id])
    reason = (args.reason or "").strip()
    released = _release_claims(call, session.id, reason)
    data = SessionStoppedData(session=session.label, released=released, reason=reason or None)
    event_id = call.record_returning_id(Event("agent_session.stopped", session.id, data=data))
    session_news.add(call.tx, session.id, event_id)
    session_controls.save(call.tx, session.id, ControlKind.STOP, reason, call.actor.user_id, event_id)
    return controlled_session(call, session, released)


def _release_claims(call: Call, session_id: str, reason: str) -> list[str]:
    """The news of the stop says it, so no other does."""
    released = []
    for action_id in claims.action_ids_held_by_session(call.tx, session_id):
        facts = find_and_lock_action_past_scoping(call, action_id)
        if facts.claim is not None and facts.claim.session_id == session_id:
            save_claim_end(call, facts, release_claim_by_person(facts, call.now, reason or None))
            released.append(facts.ref)
    return released


OPERATION = Operation(
    name="stop_session",
    title="Stop an agent session",
    description=(
        "End the run of an agent session at its next step, and release what it holds at once: the next agent's brief "
        "has a hand-over. Claude Code with hooks ends its turn; Codex has its next tools denied and is told to end its "
        "turn; without hooks an agent is told with its next call. Refused: 404 no such session, 422 it has ended."
    ),
    input=StopSession,
    output=ControlledSession,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
