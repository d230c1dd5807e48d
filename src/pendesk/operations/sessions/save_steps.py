"""save_steps: what the hooks of agent sessions reported lately, with the signs of life that they are."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from pendesk.domain.claim import expiry_kept_by_steps
from pendesk.domain.limits import SESSION_SEEN_GRAIN_US
from pendesk.domain.session_activity import ActivityState, Step, activity_after, state_after
from pendesk.domain.session_steps import StepEnds, step_records
from pendesk.ids import new_id
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import agent_sessions, claims, projects, session_activity, session_steps
from pendesk.store.claims import KeptLease
from pendesk.store.session_activity import ReportedSession


class StepBatch(NamedTuple):
    """Of one workspace, in their order. `recent_ends` were saved before; what they end may have been saved since."""

    workspace_id: str
    steps: list[Step]
    recent_ends: list[Step]


async def run(transactions: Transactions, batch: StepBatch) -> bool:
    def save(call: PrivilegedCall) -> bool:
        return _save_batch(call, batch)

    return await transactions.write(batch.workspace_id, save)


def _save_batch(call: PrivilegedCall, batch: StepBatch) -> bool:
    steps_of = _steps_by_session(batch.steps)
    known = _lock_and_read_sessions(call, steps_of)
    sessions = {session.id: session for session in known if _is_newer(steps_of[session.id][-1], session)}
    steps = [step for step in batch.steps if step.session_id in sessions]
    private = _private_steps(call, steps)
    _save_activity(call, sessions, steps_of, private)
    _save_signs_of_life(call, sessions, steps_of)
    has_ended_some = _save_records(call, [step for step in steps if step not in private], [*batch.recent_ends, *steps])
    return bool(steps) or has_ended_some


def _steps_by_session(steps: Iterable[Step]) -> dict[str, list[Step]]:
    steps_of: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        steps_of[step.session_id].append(step)
    return steps_of


def _lock_and_read_sessions(call: PrivilegedCall, session_ids: Iterable[str]) -> list[ReportedSession]:
    ids = sorted(session_ids)
    return session_activity.lock_and_read(call.tx, ids) if ids else []


def _is_newer(step: Step, session: ReportedSession) -> bool:
    """A step that was reported before its session was ended, or merged into another, does not bring it back."""
    return session.ended_at is None or step.at > session.ended_at


def _private_steps(call: PrivilegedCall, steps: list[Step]) -> set[Step]:
    """Of these nothing is saved but that there was a step: their project, or the installation, wants it so."""
    if not call.limits.activity_days:
        return set(steps)
    private_projects = projects.ids_without_activity(call.tx) if steps else set()
    if not private_projects:
        return set()
    session_ids = sorted({step.session_id for step in steps})
    private_sessions = claims.sessions_that_hold_in_projects(call.tx, session_ids, sorted(private_projects))
    return {step for step in steps if step.project_id in private_projects or step.session_id in private_sessions}


def _save_activity(
    call: PrivilegedCall,
    sessions: dict[str, ReportedSession],
    steps_of: dict[str, list[Step]],
    private: set[Step],
) -> None:
    saved = []
    for session in sessions.values():
        before, steps = session.activity, steps_of[session.id]
        if not private.isdisjoint(steps):
            before = before._replace(tool="", detail="") if before else None
            steps = [step._replace(tool="", detail="") for step in steps]
        activity = activity_after(before, steps)
        if activity is not None and activity != session.activity:
            saved.append(activity)
    if saved:
        session_activity.save(call.tx, saved)


def _save_signs_of_life(
    call: PrivilegedCall, sessions: dict[str, ReportedSession], steps_of: dict[str, list[Step]]
) -> None:
    ended = [session.id for session in sessions.values() if _has_ended(steps_of[session.id])]
    seen = [session.id for session in sessions.values() if session.id not in ended and _is_sign_due(call, session)]
    if ended:
        agent_sessions.end_reported_by_hooks(call.tx, ended)
    if seen:
        agent_sessions.record_signs_of_life_by_hooks(call.tx, seen)
    if sessions:
        _keep_leases(call, sorted(sessions.keys() - ended))


def _has_ended(steps: list[Step]) -> bool:
    return state_after(steps[-1].event, steps[-1].thread) == ActivityState.ENDED


def _is_sign_due(call: PrivilegedCall, session: ReportedSession) -> bool:
    """No finer than a call's: most batches then write nothing about the session itself."""
    last_sign_at = min(session.last_seen_at, session.hooks_at or 0)
    return session.ended_at is not None or call.now - last_sign_at >= SESSION_SEEN_GRAIN_US


def _keep_leases(call: PrivilegedCall, session_ids: list[str]) -> None:
    kept = []
    for lease in claims.live_leases_of_sessions(call.tx, session_ids):
        expires_at = expiry_kept_by_steps(lease, call.now, call.limits)
        if expires_at is not None:
            kept.append(KeptLease(lease.id, lease.renewed_at, expires_at))
    if kept:
        claims.save_leases_kept_by_steps(call.tx, kept)


def _save_records(call: PrivilegedCall, steps: list[Step], ending_steps: list[Step]) -> bool:
    """Whether something that had been saved before has ended."""
    ends = StepEnds(ending_steps)
    records = step_records(steps, ends, new_id)
    if records:
        session_steps.save(call.tx, records)
    open_steps = session_steps.open_of_sessions(call.tx, ends.session_ids) if ends.session_ids else []
    ended = [
        (step.session_id, step.id, ended_at)
        for step in open_steps
        if (ended_at := ends.first_after(step.session_id, step.thread, step.started_at)) is not None
    ]
    if ended:
        session_steps.save_ends(call.tx, ended)
    return bool(ended)


OPERATION = ServerOperation(
    name="save_steps",
    title="Save steps",
    description=(
        "Save what hooks reported of agent sessions: their steps, what each does now, and that they are alive, which "
        "keeps their leases for some hours. Whether anything changed."
    ),
    input=StepBatch,
    output=bool,
    run=run,
)
