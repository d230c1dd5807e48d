"""list_agents: who can call, when they last did, what they hold, and the newest runs."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.claim import lease_liveness
from pendesk.domain.limits import AGENTS_SHOWN
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.runs.run_results import RunResult, agent_runs_to_output
from pendesk.store import agents
from pendesk.store.agents import HeldAction


class ListAgents(Input):
    pass


class Held(Output):
    """pulse: how the lease is doing. waiting: open questions."""

    claim_id: str
    action_pid: str
    ref_code: str
    label: str
    agent_model: str | None
    taken_at: str
    renewed_at: str
    expires_at: str
    pulse: str
    waiting: int
    message: str | None = None


class Agent(Output):
    """A member with a working token, or with a claim. tokens counts those that work."""

    user_id: str
    name: str
    kind: str
    tokens: int
    last_call_at: str | None
    held: list[Held]


class Agents(Output):
    agents: list[Agent]
    runs: list[RunResult]


def run(call: Call, args: ListAgents) -> Agents:
    held: dict[str, list[Held]] = {}
    for row in agents.held_actions(call.tx, AGENTS_SHOWN):
        held.setdefault(row.user_id, []).append(_held_action_row(row, call.now))
    members = agents.members_with_token_or_claim(call.tx, AGENTS_SHOWN)
    return Agents(
        agents=[
            Agent(
                user_id=member.user_id,
                name=member.user_name,
                kind=member.user_kind,
                tokens=member.tokens,
                last_call_at=to_iso_or_none(member.last_used_at),
                held=held.get(member.user_id, []),
            )
            for member in members
        ],
        runs=agent_runs_to_output(call, agents.newest_runs(call.tx, AGENTS_SHOWN)),
    )


def _held_action_row(held_action: HeldAction, now: int) -> Held:
    return Held(
        claim_id=held_action.claim_id,
        action_pid=held_action.action_id,
        ref_code=ref_code(held_action.project_key, held_action.ref_number),
        label=held_action.label,
        agent_model=held_action.agent_model,
        taken_at=to_iso(held_action.taken_at),
        renewed_at=to_iso(held_action.renewed_at),
        expires_at=to_iso(held_action.expires_at),
        pulse=lease_liveness(held_action.renewed_at, held_action.expires_at, now),
        waiting=held_action.waiting,
        message=held_action.last_message,
    )


OPERATION = Operation(
    name="list_agents",
    title="Who is at work",
    description=(
        "Members with a working token or a claim, the last to call first: what each holds, how the "
        "lease is doing, open questions; and the newest agent runs with model, tokens and cost."
    ),
    input=ListAgents,
    output=Agents,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
