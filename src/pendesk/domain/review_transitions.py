"""Submitting, resubmitting and reviewing, each once: the records as they are afterwards, and the event."""

from typing import NamedTuple

from pendesk.domain.action import Action, ActionState, action_event
from pendesk.domain.claim import Claim, is_held_even_if_expired
from pendesk.domain.claim_transitions import mark_claim_done, mark_claim_submitted
from pendesk.domain.event import Event
from pendesk.domain.event_data import ActionResubmittedData, ActionReviewedData, ActionSubmittedData
from pendesk.domain.evidence import AddedEvidence
from pendesk.domain.review import CriterionVerdict, Review, Submission, Verdict


class SubmittedAction(NamedTuple):
    action: Action
    claim: Claim
    event: Event


class Reviewed(NamedTuple):
    """`claim` is None where there was none to end."""

    action: Action
    claim: Claim | None
    event: Event


def submit_action(
    action: Action, claim: Claim, submission: Submission, unmet_ids: list[str], evidence: AddedEvidence, now: int
) -> SubmittedAction:
    """The action is locked for the agent, and its claim slot is free again."""
    submitted = _move_to_review(action, now)
    event_data = ActionSubmittedData(
        before=action.state,
        after=submitted.state,
        pr_url=submission.pr_url,
        summary=submission.summary,
        number=submission.number,
        claim_id=claim.id,
        evidence_added=evidence.event_data(),
        branch=submission.branch,
        head_sha=submission.head_sha,
        unmet=unmet_ids or None,
    )
    event = action_event(action, "action.submitted", event_data, submission.id)
    return SubmittedAction(submitted, mark_claim_submitted(claim, now), event)


def resubmit_action(
    action: Action, claim: Claim, submission: Submission, unmet_ids: list[str], evidence: AddedEvidence, now: int
) -> SubmittedAction:
    """It waits for the next review; the claim of the rework ends, where there was one."""
    resubmitted = _move_to_review(action, now)
    held = is_held_even_if_expired(claim)
    event_data = ActionResubmittedData(
        before=action.state,
        after=resubmitted.state,
        claim_id=claim.id if held else None,
        pr_url=submission.pr_url,
        summary=submission.summary,
        number=submission.number,
        evidence_added=evidence.event_data(),
        branch=submission.branch,
        head_sha=submission.head_sha,
        unmet=unmet_ids or None,
    )
    event = action_event(action, "action.resubmitted", event_data, submission.id)
    return SubmittedAction(resubmitted, mark_claim_submitted(claim, now) if held else claim, event)


def apply_review(
    action: Action,
    claim: Claim | None,
    new_review: Review,
    verdict_by_criterion: dict[str, CriterionVerdict],
    evidence: AddedEvidence,
    now: int,
) -> Reviewed:
    """Approved work is done; otherwise it is for whoever submitted it to work on."""
    approved = new_review.verdict == Verdict.APPROVED
    reviewed = action._replace(
        state=ActionState.DONE if approved else ActionState.CHANGES_REQUESTED,
        state_reason=None,
        updated_at=now,
    )
    event_data = ActionReviewedData(
        before=action.state,
        after=reviewed.state,
        verdict=new_review.verdict,
        verdicts=[
            {"criterionId": criterion_id, "verdict": word} for criterion_id, word in verdict_by_criterion.items()
        ],
        news=f"{new_review.verdict}: {new_review.summary}",
        submission_id=new_review.submission_id,
        evidence_added=evidence.event_data(),
    )
    ended = mark_claim_done(claim, now) if approved and claim is not None else claim
    return Reviewed(reviewed, ended, action_event(action, "action.reviewed", event_data, new_review.id))


def _move_to_review(action: Action, now: int) -> Action:
    return action._replace(state=ActionState.IN_REVIEW, state_reason=None, updated_at=now)
