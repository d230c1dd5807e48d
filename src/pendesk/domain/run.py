"""Agent runs: one stretch of an agent's work, with what it cost."""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.errors import Advice, HeldByAnother, RuleBroken
from pendesk.domain.limits import RUN_STALE_US
from pendesk.domain.status_words import StatusWord

MICROS = 1_000_000
START_ANOTHER = (Advice("Start one of your own with start_agent_run.", ("start_agent_run",)),)


class RunStatus(StrEnum):
    """`STALE` is never stored: it follows from the time of the last sign of life."""

    RUNNING = "running"
    STALE = "stale"
    COMPLETED = "completed"
    FAILED = "failed"


class RunOutcome(StatusWord):
    """How a run ends, in its agent's words."""

    COMPLETED = "completed"
    FAILED = "failed"


class AgentRun(NamedTuple):
    id: str
    project_id: str
    action_id: str | None
    user_id: str
    label: str
    model: str | None
    status: RunStatus
    tokens: int | None
    cost_micros: int | None
    result: str | None
    started_at: int
    last_at: int
    ended_at: int | None


def run_status_or_stale(run: AgentRun, now: int) -> RunStatus:
    """As it is shown: a run that gave no sign for too long is stale. Nothing has to sweep for it."""
    silent = now - run.last_at >= RUN_STALE_US
    return RunStatus.STALE if run.status == RunStatus.RUNNING and silent else run.status


def cost_to_micros(cost: float | None) -> int | None:
    return None if cost is None else round(cost * MICROS)


def cost_from_micros(micros: int | None) -> float | None:
    return None if micros is None else micros / MICROS


def check_may_report_progress(run: AgentRun, user_id: str) -> None:
    _check_running(run)
    if run.user_id != user_id:
        raise HeldByAnother("This run is another user's.", advice=START_ANOTHER)


def check_user_may_complete_run(run: AgentRun, user_id: str, now: int) -> None:
    """Whoever began it ends it; one that went silent may be ended by anyone, so that none hangs for ever."""
    _check_running(run)
    if run.user_id != user_id and run_status_or_stale(run, now) != RunStatus.STALE:
        raise HeldByAnother("This run is another user's and under way. Leave it to them.")


def _check_running(run: AgentRun) -> None:
    if run.status != RunStatus.RUNNING:
        raise RuleBroken(f"This run has {run.status} already; a run ends once.", code="run_ended", advice=START_ANOTHER)
