"""complete_agent_run: a run ends, once, and says what it cost."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import RunEndedData
from pendesk.domain.limits import RUN_COST, RUN_TOKENS
from pendesk.domain.run import RunOutcome, RunStatus, check_user_may_complete_run, cost_to_micros
from pendesk.operations.fields import IdempotencyKey, Message, RunId
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.runs.find import find_and_lock_agent_run
from pendesk.operations.runs.run_results import RunResult, agent_runs_to_output
from pendesk.store import runs


class CompleteAgentRun(Input):
    run_id: RunId
    status: Annotated[RunOutcome, Meta(description="How it ended.")]
    tokens: Annotated[int, Meta(ge=0, le=RUN_TOKENS, description="In and out.")] | None = None
    cost: Annotated[float, Meta(ge=0, le=RUN_COST, description="In your currency, e.g. 0.42.")] | None = None
    result: Annotated[Message, Meta(description="What came of it, briefly.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CompleteAgentRun) -> RunResult:
    current = find_and_lock_agent_run(call, args.run_id)
    check_user_may_complete_run(current, call.actor.user_id, call.now)
    acknowledge_messages(call, args.result or f"Ended its run: {args.status}.")
    ended = current._replace(
        status=RunStatus(args.status),
        tokens=args.tokens,
        cost_micros=cost_to_micros(args.cost),
        result=args.result,
        last_at=call.now,
        ended_at=call.now,
    )
    runs.end(call.tx, ended)
    data = RunEndedData(status=ended.status, tokens=ended.tokens, cost_micros=ended.cost_micros)
    call.record(Event("run.ended", ended.id, ended.project_id, action_id=ended.action_id, data=data), ended.model)
    return agent_runs_to_output(call, [ended])[0]


OPERATION = Operation(
    name="complete_agent_run",
    title="End an agent run",
    description=(
        "End your run, with what it cost if you know. The task keeps its status: update_task sets it. Refused: "
        "403 another user's run that is not stale; 422 it has ended."
    ),
    input=CompleteAgentRun,
    output=RunResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
