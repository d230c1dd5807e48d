"""record_agent_progress: a sign of life of a run, with a word about how far it is."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import RunProgressedData
from pendesk.domain.run import check_may_report_progress
from pendesk.operations.fields import IdempotencyKey, Message, RunId
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.runs.find import find_and_lock_agent_run, renew_hold_of_run
from pendesk.operations.runs.run_results import RunResult, agent_run_to_output
from pendesk.store import runs


class RecordAgentProgress(Input):
    run_id: RunId
    message: Annotated[Message, Meta(description="One sentence, past tense.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RecordAgentProgress) -> RunResult:
    current = find_and_lock_agent_run(call, args.run_id)
    check_may_report_progress(current, call.actor.user_id)
    acknowledge_messages(call, args.message)
    runs.set_last_activity_to_now(call.tx, current.id)
    renew_hold_of_run(call, current)
    event_data = RunProgressedData(message=args.message)
    event = Event("run.progressed", current.id, current.project_id, action_id=current.action_id, data=event_data)
    call.record(event, current.model)
    return agent_run_to_output(current._replace(last_at=call.now), call.actor.user_name, call.now)


OPERATION = Operation(
    name="record_agent_progress",
    title="Report a run's progress",
    description=(
        "Say what just happened in your run: at each milestone and every 20 minutes; silent for 30, it is shown "
        "as stale. Refused: 403 another user's run; 422 it has ended."
    ),
    input=RecordAgentProgress,
    output=RunResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
