"""Agent sessions by their id: every member sees those of the workspace."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.agent_session import AgentSession
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.domain.limits import ID_CHARS
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import agent_sessions

AgentSessionId = Annotated[
    str, Meta(max_length=ID_CHARS, description="The agent session, by its pid from list_agents.")
]


def find_agent_session(call: Call, session_id: str) -> AgentSession:
    pid = parse_id(session_id)
    session = agent_sessions.by_id(call.tx, pid) if pid else None
    if session is None:
        raise NotFound("agent session", session_id)
    return session


def find_and_lock_live_session(call: Call, session_id: str) -> AgentSession:
    """For what is said to a session: one that has ended hears nothing any more."""
    agent_sessions.lock(call.tx, find_agent_session(call, session_id).id)
    session = find_agent_session(call, session_id)
    check_session_live(session)
    return session


def check_session_live(session: AgentSession) -> None:
    if session.ended_at is not None:
        raise RuleBroken(
            f"{session.label} has ended. Release what it holds on the action's page, or speak to another session.",
            code="session_ended",
        )
