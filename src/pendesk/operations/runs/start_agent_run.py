"""start_agent_run: an agent begins a stretch of work that people can follow."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import RunStartedData
from pendesk.domain.run import AgentRun, RunStatus
from pendesk.ids import new_id
from pendesk.operations.actions.find import find_task_of_project
from pendesk.operations.fields import IdempotencyKey, Label, Model, ProjectId, TaskId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.runs.find import renew_hold_of_run
from pendesk.operations.runs.run_results import RunResult, agent_run_to_output
from pendesk.store import runs


class StartAgentRun(Input):
    project_id: ProjectId
    label: Annotated[Label, Meta(description="What you set out to do.")] | None = None
    task_id: Annotated[TaskId, Meta(description="The task you work on.")] | None = None
    model: Annotated[Model, Meta(description="Your model's name.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: StartAgentRun) -> RunResult:
    project = find_project(call, args.project_id)
    task = find_task_of_project(call, project, args.task_id, "task_id") if args.task_id is not None else None
    started = AgentRun(
        id=new_id(),
        project_id=project.id,
        action_id=task.id if task else None,
        user_id=call.actor.user_id,
        label=args.label or (task.label if task else "Agent run"),
        model=args.model,
        status=RunStatus.RUNNING,
        tokens=None,
        cost_micros=None,
        result=None,
        started_at=call.now,
        last_at=call.now,
        ended_at=None,
    )
    runs.add(call.tx, started)
    renew_hold_of_run(call, started)
    data = RunStartedData(label=started.label)
    spec_id = task.spec_id if task else None
    call.record(Event("run.started", started.id, project.id, spec_id, started.action_id, data), args.model)
    return agent_run_to_output(started, call.actor.user_name, call.now)


OPERATION = Operation(
    name="start_agent_run",
    title="Start an agent run",
    description=(
        "Tell people that you begin work in a project or on a task; then record_agent_progress, at the end "
        "complete_agent_run. It takes no task for you."
    ),
    input=StartAgentRun,
    output=RunResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
