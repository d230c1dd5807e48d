"""What a session does and did, as people read it."""

from pendesk.clock import to_iso
from pendesk.domain.claim import Claim, is_held_even_if_expired
from pendesk.domain.limits import STEPS_OF_HOLDER_SHOWN
from pendesk.domain.session_activity import describe_activity, has_working_hooks
from pendesk.domain.session_steps import StepRecord
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import session_activity, session_steps
from pendesk.store.session_activity import ReportedSession


class ActivityResult(Output):
    """state: working, waiting_permission, idle (it waits for its person), silent (it should be working, and nothing was
    heard of it for a while) or ended. tool, detail, subagent: of its newest step."""

    state: str
    since: str
    last_step_at: str
    tool: str | None = None
    detail: str | None = None
    subagent: str | None = None


class StepResult(Output):
    """event: as the client calls it; PreToolUse is the run of a tool, PostToolUseFailure one that failed. Without an
    endedAt it still runs. subagent: whose step it is, unless it is the session's own."""

    event: str
    started_at: str
    tool: str | None = None
    detail: str | None = None
    subagent: str | None = None
    subagent_kind: str | None = None
    ended_at: str | None = None
    duration_ms: int | None = None


def activity_to_output(call: Call, session: ReportedSession | None) -> ActivityResult | None:
    """None where no hook has reported of it."""
    if session is None or session.activity is None:
        return None
    activity = session.activity
    state, since = describe_activity(activity, session.ended_at, call.now, call.limits.take_over_after_us)
    return ActivityResult(
        state=state,
        since=to_iso(since),
        last_step_at=to_iso(activity.last_step_at),
        tool=activity.tool or None,
        detail=activity.detail or None,
        subagent=activity.thread or None,
    )


def reports_by_hooks(session: ReportedSession | None) -> bool:
    return session is not None and has_working_hooks(session.hooks_at, session.last_seen_at)


class HolderActivity(Output):
    """Of the session that holds an action, since it took it; steps: the newest first."""

    session_pid: str
    hooks: bool
    steps: list[StepResult]
    state: ActivityResult | None = None


def holder_activity(call: Call, claim: Claim | None) -> HolderActivity | None:
    """None where no session holds it."""
    if claim is None or claim.session_id is None or not is_held_even_if_expired(claim):
        return None
    reported = next(iter(session_activity.of_sessions(call.tx, [claim.session_id])), None)
    steps = session_steps.page(call.tx, claim.session_id, since=claim.taken_at, limit=STEPS_OF_HOLDER_SHOWN)
    return HolderActivity(
        session_pid=claim.session_id,
        hooks=reports_by_hooks(reported),
        state=activity_to_output(call, reported),
        steps=[step_to_output(step) for step in steps],
    )


def step_to_output(step: StepRecord) -> StepResult:
    return StepResult(
        event=step.event,
        tool=step.tool or None,
        detail=step.detail or None,
        subagent=step.thread or None,
        subagent_kind=step.thread_kind or None,
        started_at=to_iso(step.started_at),
        ended_at=to_iso_or_none(step.ended_at),
        duration_ms=None if step.ended_at is None else max(0, step.ended_at - step.started_at) // 1000,
    )
