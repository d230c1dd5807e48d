"""Agent runs, as the planning operations show them."""

from pendesk.clock import to_iso
from pendesk.domain.run import AgentRun, cost_from_micros, run_status_or_stale
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.operations.session_news import NewsItem
from pendesk.store import people


class RunResult(Output):
    """status stale: it is still open, but gave no sign for 30 minutes. cost is in units of currency."""

    pid: str
    project_id: str
    task_id: str | None
    label: str
    user: str
    model: str | None
    status: str
    started_at: str
    last_sign_at: str
    ended_at: str | None = None
    tokens: int | None = None
    cost: float | None = None
    result: str | None = None
    news: list[NewsItem] = []


def agent_runs_to_output(call: Call, runs: list[AgentRun]) -> list[RunResult]:
    names = people.names_by_user_id(call.tx, sorted({run.user_id for run in runs}))
    return [agent_run_to_output(run, names.get(run.user_id, ""), call.now) for run in runs]


def agent_run_to_output(run: AgentRun, user_name: str, now: int) -> RunResult:
    return RunResult(
        pid=run.id,
        project_id=run.project_id,
        task_id=run.action_id,
        label=run.label,
        user=user_name,
        model=run.model,
        status=run_status_or_stale(run, now),
        started_at=to_iso(run.started_at),
        last_sign_at=to_iso(run.last_at),
        ended_at=to_iso_or_none(run.ended_at),
        tokens=run.tokens,
        cost=cost_from_micros(run.cost_micros),
        result=run.result,
    )
