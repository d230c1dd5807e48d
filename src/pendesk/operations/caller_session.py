"""The agent session that a call comes from: found by its marks, made with its first write, or with marks to be joined.

The dispatcher resolves it before a write locks anything else: making a session locks its agent.
"""

import time
from collections.abc import Callable

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Actor
from pendesk.domain.agent import Agent, agent_identity, default_agent_name, unique_agent_name
from pendesk.domain.agent_session import (
    AgentSession,
    CallOrigin,
    Relation,
    bearer_mark,
    first_free_number,
    marks_tell_apart,
    relation_to_session,
)
from pendesk.domain.claim import ActionFacts
from pendesk.domain.limits import SESSION_LIVE_US, SESSION_SEEN_GRAIN_US
from pendesk.ids import new_id
from pendesk.store import agent_sessions, agents, grants, mentions, session_news, tokens
from pendesk.store.engine.tx import Tx

SESSIONS_REMEMBERED = 10_000


class SessionOutdated(Exception):
    """The caller's session has to be made or saved, and that comes before everything else: begin again with it."""


def has_marks_to_record(tx: Tx, actor: Actor) -> bool:
    """Whether the marks of a call are not yet known to be those of one session."""
    known = agent_sessions.with_marks(tx, actor.user_id, actor.origin.marks)
    is_known = len(known) == len(actor.origin.marks) and len({session.id for _mark, session in known}) == 1
    return actor.token_id is not None and not is_known


def find_session(tx: Tx, actor: Actor) -> AgentSession | None:
    """For a read, which makes none and joins none."""
    if actor.token_id is None:
        return None
    known = agent_sessions.with_marks(tx, actor.user_id, _marks(actor, actor.token_id))
    return known[0][1] if known else None


def find_or_create_session(tx: Tx, actor: Actor) -> AgentSession | None:
    """None where a person calls. A new mark is added to the session; two that turn out to be one are merged."""
    token_id = actor.token_id
    if token_id is None:
        return None
    marks = _marks(actor, token_id)
    known = agent_sessions.with_marks(tx, actor.user_id, marks)
    if _is_up_to_date(tx, actor, marks, known):
        return known[0][1]
    if not known:
        agent, is_new = agent_of_caller(tx, actor, token_id)
        if is_new:
            agents.add(tx, agent)
        # Two first calls of one terminal: the second has waited for the agent, and finds the first one's session.
        agents.lock(tx, agent.id)
        known = agent_sessions.with_marks(tx, actor.user_id, marks)
        if not known:
            return _create_session(tx, actor, agent, token_id, marks)
    session = known[0][1]._replace(
        has_news=any(session.has_news for _mark, session in known),
        has_unacknowledged=any(session.has_unacknowledged for _mark, session in known),
    )
    if not session.name:
        session = _with_name_if_given(tx, session, [*(other.name for _mark, other in known), actor.origin.session_name])
    for other in {other.id for _mark, other in known} - {session.id}:
        agent_sessions.merge(tx, other, session.id)
    for mark in marks - {mark for mark, _session in known}:
        agent_sessions.add_mark(tx, actor.user_id, mark, session.id)
    if tx.now - session.last_seen_at >= SESSION_SEEN_GRAIN_US or session.ended_at is not None:
        agent_sessions.record_sign_of_life(tx, session.id, actor.origin.model)
    return session


class SeenSessions:
    """Of whom this process expects that nothing is to be saved of their session. Who is wrong about it begins again."""

    def __init__(self) -> None:
        self._until: dict[tuple[str, str, str | None, frozenset[str]], float] = {}

    def is_expected_up_to_date(self, actor: Actor) -> bool:
        return actor.token_id is None or self._until.get(self._key(actor), 0.0) > time.monotonic()

    def remember(self, actor: Actor, session: AgentSession | None, now: int) -> None:
        if session is None:
            return
        passed_us = now - session.last_seen_at
        left_us = SESSION_SEEN_GRAIN_US - (passed_us if passed_us < SESSION_SEEN_GRAIN_US else 0)
        if len(self._until) >= SESSIONS_REMEMBERED:
            self._until.clear()
        self._until[self._key(actor)] = time.monotonic() + left_us / MICROSECONDS

    def _key(self, actor: Actor) -> tuple[str, str, str | None, frozenset[str]]:
        return (actor.workspace_id, actor.user_id, actor.token_id, actor.origin.marks)


def read_session_ahead(tx: Tx, actor: Actor) -> None:
    if actor.token_id is not None:
        agent_sessions.read_ahead_with_marks(tx, actor.user_id, _marks(actor, actor.token_id))


def find_up_to_date_session(tx: Tx, actor: Actor) -> AgentSession | None:
    """As find_or_create_session, where something else may be locked by now: nothing is written."""
    if actor.token_id is None:
        return None
    marks = _marks(actor, actor.token_id)
    known = agent_sessions.with_marks(tx, actor.user_id, marks)
    if not _is_up_to_date(tx, actor, marks, known):
        raise SessionOutdated
    return known[0][1]


def _is_up_to_date(tx: Tx, actor: Actor, marks: frozenset[str], known: list[tuple[str, AgentSession]]) -> bool:
    """Whether all marks are those of one session, of which nothing is to be saved: so it is with nearly every call."""
    if len(known) != len(marks):
        return False
    session = known[0][1]
    return (
        session.ended_at is None
        and tx.now - session.last_seen_at < SESSION_SEEN_GRAIN_US
        and all(other.id == session.id for _mark, other in known)
        and (bool(session.name) or not actor.origin.session_name)
    )


def relate_caller_to_claim(tx: Tx, actor: Actor, session: AgentSession | None, facts: ActionFacts) -> Relation | None:
    """How the caller is related to who took the newest claim; None where nobody has."""
    claim, holder = facts.claim, facts.holder_session
    if claim is None:
        return None
    return relate_caller_to_holder(
        actor, session, claim.user_id, holder, lambda session_id: agent_sessions.marks_of(tx, session_id)
    )


def relate_caller_to_holder(
    actor: Actor,
    session: AgentSession | None,
    holder_user_id: str,
    holder: AgentSession | None,
    marks_of: Callable[[str], frozenset[str]],
) -> Relation:
    """`holder` is the session that took it, None where a person did."""
    if holder_user_id != actor.user_id:
        return Relation.OTHER_USER
    if actor.token_id is None or holder is None:
        # A person, or what a person took: theirs only if both are.
        return Relation.SAME if actor.token_id is None and holder is None else Relation.OTHER_SESSION
    if actor.origin.marks and session is not None and session.id == holder.id:
        return Relation.SAME
    # A call without marks has none that could be equal or differ.
    marks = marks_of(holder.id) if actor.origin.marks else frozenset()
    return relation_to_session(actor.origin, actor.token_id, holder, marks)


def is_told_apart(tx: Tx, actor: Actor, session_id: str) -> bool:
    """Whether the marks say that the caller is another than this session."""
    return bool(actor.origin.marks) and marks_tell_apart(actor.origin.marks, agent_sessions.marks_of(tx, session_id))


def _marks(actor: Actor, token_id: str) -> frozenset[str]:
    return actor.origin.marks or frozenset({bearer_mark(token_id, actor.origin)})


def _with_name_if_given(tx: Tx, session: AgentSession, names: list[str]) -> AgentSession:
    """The first one stays: what the log calls a session should not change from call to call."""
    name = next(filter(None, names), "")
    if name:
        agent_sessions.set_name(tx, session.id, name)
    return session._replace(name=name)


def _create_session(tx: Tx, actor: Actor, agent: Agent, token_id: str, marks: frozenset[str]) -> AgentSession:
    number = first_free_number(agent_sessions.numbers_in_use(tx, agent.id, tx.now - SESSION_LIVE_US))
    origin: CallOrigin = actor.origin
    session = AgentSession(
        id=new_id(),
        agent_id=agent.id,
        token_id=token_id,
        number=number,
        model=origin.model,
        started_at=tx.now,
        last_seen_at=tx.now,
        ended_at=None,
        agent_name=agent.name,
        client=agent.client,
        name=origin.session_name,
    )
    agent_sessions.add(tx, session)
    for mark in sorted(marks):
        agent_sessions.add_mark(tx, actor.user_id, mark, session.id)
    untold = mentions.untold_event_ids(tx, agent.id)
    for event_id in untold:
        session_news.add(tx, session.id, event_id)
    return session._replace(has_news=bool(untold))


def agent_of_caller(tx: Tx, actor: Actor, token_id: str) -> tuple[Agent, bool]:
    """With whether it is new, and yet to be saved."""
    token = tokens.by_id(tx, token_id)
    grant = grants.by_id(tx, token_id) if token is None else None
    identity = agent_identity(actor.origin.client, actor.origin.machine, token.id if token else None)
    agent = agents.by_identity(tx, actor.user_id, identity)
    if agent is not None:
        return agent, False
    name = token.name if token else grant.client_name if grant else ""
    name = default_agent_name(identity.client, identity.machine, name)
    unsaved = Agent(
        id=new_id(),
        user_id=actor.user_id,
        name=unique_agent_name(name, agents.names_of_user(tx, actor.user_id)),
        client=identity.client,
        machine=identity.machine,
        token_id=identity.token_id,
        created_at=tx.now,
    )
    return unsaved, True
