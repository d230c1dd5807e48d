"""list_agents: the agents, their sessions, what each does now, and the newest runs."""

from collections.abc import Iterable

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.limits import AGENTS_SHOWN, SESSION_LIVE_US
from pendesk.domain.session_control import SessionControl
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.runs.run_results import RunResult, agent_runs_to_output
from pendesk.operations.sessions.activity_results import ActivityResult, activity_to_output, reports_by_hooks
from pendesk.operations.sessions.control_results import Control, control_to_output
from pendesk.operations.sessions.held_results import Held, held_action_row
from pendesk.store import agent_sessions, agents, session_activity, session_controls
from pendesk.store.agents import ActiveMember, AgentAtWork, AgentToken, HeldAction
from pendesk.store.session_activity import ReportedSession


class ListAgents(Input):
    pass


class Session(Output):
    """One terminal or run of the agent. givenName: what its user calls it. hooks: whether its client reports its steps.
    activity: what it does now, where it does. control: a person paused or stopped it.
    """

    pid: str
    name: str
    number: int
    model: str | None
    started_at: str
    last_sign_at: str
    ended: bool
    held: list[Held]
    given_name: str | None = None
    hooks: bool = False
    activity: ActivityResult | None = None
    control: Control | None = None


class CredentialOfAgent(Output):
    """A token, or a grant of an OAuth client, that works."""

    pid: str
    kind: str
    name: str


class Agent(Output):
    """An agent, and whose it is. Without a pid: a member who has a token that no agent has used yet, or holds something
    in person.

    done: actions approved. reviewed, passedFirst: first submissions that were reviewed, and those approved at once. All
    three of its newest sessions.
    """

    pid: str | None
    user_id: str
    user: str
    name: str
    kind: str
    client: str
    machine: str
    tokens: int
    last_call_at: str | None
    held: list[Held]
    sessions: list[Session]
    credentials: list[CredentialOfAgent]
    done: int = 0
    reviewed: int = 0
    passed_first: int = 0


class Agents(Output):
    agents: list[Agent]
    runs: list[RunResult]


def run(call: Call, args: ListAgents) -> Agents:
    at_work = agents.newest_at_work(call.tx, AGENTS_SHOWN)
    agent_ids = [agent.id for agent in at_work]
    sessions = agent_sessions.live_or_holding_of(call.tx, agent_ids, call.now - SESSION_LIVE_US)
    reported = {row.id: row for row in session_activity.of_sessions(call.tx, [session.id for session in sessions])}
    tokens = agents.working_tokens_of(call.tx, agent_ids)
    held = agents.held_actions(call.tx, AGENTS_SHOWN)
    controls = session_controls.by_session_id(call.tx, [session.id for session in sessions])
    listed = [
        _agent_row(
            agent,
            [
                _session_row(call, session, held, reported.get(session.id), controls.get(session.id))
                for session in sessions
                if session.agent_id == agent.id
            ],
            [token for token in tokens if token.agent_id == agent.id],
        )
        for agent in at_work
    ]
    members = agents.members_with_unused_token_or_own_claim(call.tx, AGENTS_SHOWN)
    listed += [_member_row(call, member, held) for member in members]
    return Agents(agents=listed, runs=agent_runs_to_output(call, agents.newest_runs(call.tx, AGENTS_SHOWN)))


def _agent_row(agent: AgentAtWork, sessions: list[Session], tokens: list[AgentToken]) -> Agent:
    return Agent(
        pid=agent.id,
        user_id=agent.user_id,
        user=agent.user_name,
        name=agent.name,
        kind="agent",
        client=agent.client,
        machine=agent.machine,
        tokens=len(tokens),
        last_call_at=to_iso(agent.last_seen_at),
        held=[held for session in sessions for held in session.held],
        sessions=sessions,
        credentials=[CredentialOfAgent(pid=token.token_id, kind=token.kind, name=token.name) for token in tokens],
        done=agent.done,
        reviewed=agent.reviewed,
        passed_first=agent.passed,
    )


def _member_row(call: Call, member: ActiveMember, held: Iterable[HeldAction]) -> Agent:
    return Agent(
        pid=None,
        user_id=member.user_id,
        user=member.user_name,
        name=member.user_name,
        kind=member.user_kind,
        client="",
        machine="",
        tokens=member.tokens,
        last_call_at=to_iso_or_none(member.last_used_at),
        held=[held_action_row(call, row) for row in held if row.session_id is None and row.user_id == member.user_id],
        sessions=[],
        credentials=[],
    )


def _session_row(
    call: Call,
    session: AgentSession,
    held: Iterable[HeldAction],
    reported: ReportedSession | None,
    control: SessionControl | None,
) -> Session:
    return Session(
        pid=session.id,
        name=session.label,
        number=session.number,
        model=session.model,
        started_at=to_iso(session.started_at),
        last_sign_at=to_iso(session.last_seen_at),
        ended=session.ended_at is not None,
        given_name=session.name or None,
        hooks=reports_by_hooks(reported),
        activity=activity_to_output(call, reported),
        held=[held_action_row(call, row) for row in held if row.session_id == session.id],
        control=control_to_output(control) if control else None,
    )


OPERATION = Operation(
    name="list_agents",
    title="List agents",
    description=(
        "The agents of the workspace, the last to call first: whose each is, its sessions with what they hold and how "
        "the lease is doing, what it has done and how often at first try; and the newest agent runs with model, tokens "
        "and cost. Members with a token that no agent has used yet come after them."
    ),
    input=ListAgents,
    output=Agents,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
