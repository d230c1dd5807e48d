"""Submitting, resubmitting and reviewing: the states afterwards, and who keeps the action."""

import pytest

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.criterion import EvidenceLevel
from pendesk.domain.errors import Conflict, RuleBroken
from pendesk.domain.event_data import event_data_to_wire
from pendesk.domain.evidence import AddedEvidence
from pendesk.domain.review import CriterionVerdict, Review, Submission, Verdict, require_reviewable_submission
from pendesk.domain.review_transitions import apply_review, resubmit_action, submit_action
from tests.domain.nouns import ME, OTHER, a_claim, an_action, some_evidence

SUBMISSION = Submission(
    "submission-1", "action-1", "claim-1", "build-1", 2, "https://x.test/1", "Done.", "sha", ME, 50, "main"
)
WORKING = an_action(state=ActionState.IN_PROGRESS)
IN_REVIEW = an_action(state=ActionState.IN_REVIEW)
NOTHING = AddedEvidence(EvidenceLevel.CLAIMED, [])


def judged(verdict: Verdict) -> Review:
    return Review("review-1", "action-1", SUBMISSION.id, verdict, "Looked at it.", "sha", OTHER, 100)


def test_submitting_locks_the_action_and_frees_the_slot():
    shown = AddedEvidence(
        EvidenceLevel.CLAIMED, [some_evidence(), some_evidence(criterion_id="c2", stale_reason="reworded")]
    )
    submitted = submit_action(WORKING, a_claim(), SUBMISSION, ["c3"], shown, 100)
    assert submitted.action == an_action(state=ActionState.IN_REVIEW, updated_at=100)
    assert (submitted.claim.state, submitted.claim.ended_at) == (ClaimState.SUBMITTED, 100)
    assert (submitted.event.kind, submitted.event.object_id) == ("action.submitted", "submission-1")
    assert event_data_to_wire(submitted.event)["claimId"] == "claim-1"
    added = {"level": "claimed", "criterionIds": ["criterion-1", "c2"], "staleIds": ["c2"]}
    assert event_data_to_wire(submitted.event)["evidenceAdded"] == added
    assert event_data_to_wire(submitted.event)["unmet"] == ["c3"]


def test_resubmitting_requested_changes_ends_their_claim_and_waits_for_the_next_review():
    action = IN_REVIEW._replace(state=ActionState.CHANGES_REQUESTED)
    resubmitted = resubmit_action(action, a_claim(), SUBMISSION, [], NOTHING, 100)
    assert resubmitted.action.state == ActionState.IN_REVIEW
    assert (resubmitted.claim.state, resubmitted.claim.ended_at) == (ClaimState.SUBMITTED, 100)
    wire = event_data_to_wire(resubmitted.event)
    assert (wire["before"], wire["after"], wire["claimId"]) == ("changes_requested", "in_review", "claim-1")
    assert "evidenceAdded" not in wire


def test_resubmitting_what_waits_for_its_review_leaves_the_claim():
    claim = a_claim(state=ClaimState.SUBMITTED, ended_at=50)
    resubmitted = resubmit_action(IN_REVIEW, claim, SUBMISSION, [], NOTHING, 100)
    assert resubmitted.claim == claim
    assert "claimId" not in event_data_to_wire(resubmitted.event)


def test_approving_ends_both_the_action_and_its_claim():
    claim = a_claim(state=ClaimState.SUBMITTED)
    reviewed = apply_review(
        IN_REVIEW, claim, judged(Verdict.APPROVED), {"c1": CriterionVerdict.CONFIRMED}, NOTHING, 100
    )
    assert (reviewed.action.state, reviewed.action.state_reason) == (ActionState.DONE, None)
    assert reviewed.claim is not None
    assert reviewed.claim.state == ClaimState.DONE
    assert event_data_to_wire(reviewed.event)["submissionId"] == "submission-1"
    assert event_data_to_wire(reviewed.event)["verdicts"] == [{"criterionId": "c1", "verdict": "confirmed"}]


def test_requesting_changes_leaves_it_with_its_submitter():
    claim = a_claim(state=ClaimState.SUBMITTED)
    reviewed = apply_review(IN_REVIEW, claim, judged(Verdict.CHANGES_REQUESTED), {}, NOTHING, 100)
    assert reviewed.action.state == ActionState.CHANGES_REQUESTED
    assert reviewed.claim == claim


@pytest.mark.parametrize(
    ("looked_at", "fits"), [((None, None), True), (("sha", 2), True), (("other", None), False), ((None, 1), False)]
)
def test_only_the_submission_that_was_looked_at_is_reviewed(looked_at, fits):
    if fits:
        assert require_reviewable_submission("PEN-12", IN_REVIEW, SUBMISSION, False, looked_at) == SUBMISSION
        return
    with pytest.raises(Conflict) as refused:
        require_reviewable_submission("PEN-12", IN_REVIEW, SUBMISSION, False, looked_at)
    assert refused.value.code == "submission_moved"


def test_nothing_is_reviewed_twice_or_before_it_is_submitted():
    with pytest.raises(RuleBroken) as refused:
        require_reviewable_submission("PEN-12", IN_REVIEW, SUBMISSION, True, (None, None))
    assert refused.value.code == "already_reviewed"
    for action, submission in ((WORKING, SUBMISSION), (IN_REVIEW, None)):
        with pytest.raises(RuleBroken) as refused:
            require_reviewable_submission("PEN-12", action, submission, False, (None, None))
        assert refused.value.code == "not_in_review"
