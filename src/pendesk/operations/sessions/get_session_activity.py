"""get_session_activity: what one agent session does now, and its last steps."""

import re

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.limits import AGENTS_SHOWN, PAGE_ROWS
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor
from pendesk.operations.sessions.activity_results import (
    ActivityResult,
    StepResult,
    activity_to_output,
    reports_by_hooks,
    step_to_output,
)
from pendesk.operations.sessions.control_results import Control, control_to_output
from pendesk.operations.sessions.find import AgentSessionId, find_agent_session
from pendesk.operations.sessions.held_results import Held, held_action_row
from pendesk.store import agents, people, session_activity, session_controls, session_steps
from pendesk.store.session_steps import NEWEST

_CURSOR = re.compile(r"([0-9]{1,16})\.([0-9a-f-]{1,36})")


class GetSessionActivity(Input):
    agent_session_id: AgentSessionId
    cursor: PageCursor | None = None


class SessionActivity(Output):
    """name: what it is called, after its agent. hooks: whether its client reports its steps. state: left out where none
    was reported. control: a person paused or stopped it. steps: the newest first."""

    pid: str
    name: str
    agent: str
    user: str
    client: str
    model: str | None
    started_at: str
    last_sign_at: str
    ended: bool
    held: list[Held]
    hooks: bool
    steps: list[StepResult]
    state: ActivityResult | None = None
    control: Control | None = None
    next_cursor: str | None = None


def run(call: Call, args: GetSessionActivity) -> SessionActivity:
    session = find_agent_session(call, args.agent_session_id)
    agent = agents.by_id(call.tx, session.agent_id)
    user = people.user(call.tx, agent.user_id) if agent else None
    reported = next(iter(session_activity.of_sessions(call.tx, [session.id])), None)
    control = session_controls.of_session(call.tx, session.id)
    held = agents.held_actions_of_session(call.tx, session.id, AGENTS_SHOWN)
    rows = session_steps.page(call.tx, session.id, _parse_cursor(args.cursor), limit=PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda step: f"{step.started_at}.{step.id}")
    return SessionActivity(
        pid=session.id,
        name=session.label,
        agent=session.agent_name,
        user=user.name if user else "",
        client=session.client,
        model=session.model,
        started_at=to_iso(session.started_at),
        last_sign_at=to_iso(session.last_seen_at),
        ended=session.ended_at is not None,
        held=[held_action_row(call, row) for row in held],
        hooks=reports_by_hooks(reported),
        state=activity_to_output(call, reported),
        control=control_to_output(control) if control else None,
        steps=[step_to_output(step) for step in page],
        next_cursor=next_cursor,
    )


def _parse_cursor(cursor: str | None) -> tuple[int, str]:
    if cursor is None:
        return NEWEST
    match = _CURSOR.fullmatch(cursor)
    if match is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return int(match[1]), match[2]


OPERATION = Operation(
    name="get_session_activity",
    title="Read what an agent session does",
    description=(
        "One agent session: what it does now and since when, as the hooks of its client report it, and its steps, the "
        "newest first: tool, file or first words of a command, how long, and by which sub-agent. Steps are deleted "
        "after some days; a project may have none saved. Refused: 404 no such session."
    ),
    input=GetSessionActivity,
    output=SessionActivity,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
