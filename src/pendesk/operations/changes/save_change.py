"""A stored change becomes that of an action: pending, or that of the submission whose head it has."""

from pendesk.domain.action import action_event
from pendesk.domain.change import Change, ChangeSource
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.event_data import ChangePushedData
from pendesk.domain.review import Submission
from pendesk.ids import new_id
from pendesk.operations.changes.deviations import record_deviations
from pendesk.operations.changes.stored_change import StoredChange
from pendesk.operations.operation import Call
from pendesk.store import changes, reviews


def save_change(
    call: Call, facts: ActionFacts, claim: Claim | None, stored: StoredChange, source: ChangeSource
) -> Change:
    """The action is locked. What a later push replaces is deleted; each submission keeps its own."""
    action = facts.action
    submission = _submission_of_head(call, action.id, stored.manifest.head_sha)
    change = stored.of_action(new_id(), action.project_id, action.id, source)._replace(
        submission_id=submission.id if submission else None,
        pushed_by=call.actor.user_id,
        claim_id=claim.id if claim else None,
        pushed_at=call.now,
    )
    replaced = changes.of_submission(call.tx, submission.id) if submission else None
    for old in (replaced, changes.pending_of(call.tx, action.id)):
        if old is not None:
            changes.delete(call.tx, old.id)
    changes.add(call.tx, change, [file._replace(change_id=change.id) for file in stored.files])
    data = ChangePushedData(
        head_sha=change.head_sha,
        files=change.files,
        added=change.added,
        removed=change.removed,
        source=change.source,
        number=submission.number if submission else None,
    )
    call.record(action_event(action, "change.pushed", data, change.id), claim.agent_model if claim else None)
    if submission is not None:
        record_deviations(call, facts, submission, change)
    return change


def _submission_of_head(call: Call, action_id: str, head_sha: str) -> Submission | None:
    """The newest, while it waits for its verdict: what was judged stays as it was."""
    submission = reviews.newest_submission(call.tx, action_id)
    if submission is None or submission.head_sha != head_sha:
        return None
    return submission if reviews.of_submission(call.tx, submission.id) is None else None


def bind_pending_change(call: Call, submission: Submission) -> Change | None:
    """On submitting: the pending change, where it is of the submitted head. One of another head stays pending."""
    pending = changes.pending_of(call.tx, submission.action_id)
    if pending is None or pending.head_sha != submission.head_sha:
        return None
    changes.bind_to_submission(call.tx, pending.id, submission.id)
    return pending._replace(submission_id=submission.id)
