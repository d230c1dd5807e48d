"""Submissions and their reviews: the records and the rules. What changes them is in review_transitions.py."""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.action import Action, ActionState
from pendesk.domain.errors import BadField, Conflict, RuleBroken
from pendesk.domain.evidence import EvidenceState


class Verdict(StrEnum):
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


class CriterionVerdict(StrEnum):
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


class Disposition(StrEnum):
    FIXED = "fixed"
    DECLINED = "declined"
    DEFERRED = "deferred"


class Submission(NamedTuple):
    id: str
    action_id: str
    claim_id: str
    build_id: str | None
    number: int
    pr_url: str | None
    summary: str
    head_sha: str | None
    submitted_by: str
    submitted_at: int
    branch: str | None


class Review(NamedTuple):
    id: str
    action_id: str
    submission_id: str
    verdict: Verdict
    summary: str
    head_sha: str | None
    reviewed_by: str
    reviewed_at: int


class ReviewItem(NamedTuple):
    id: str
    action_id: str
    review_id: str
    criterion_id: str | None
    text: str
    disposition: Disposition | None
    disposition_note: str | None


class SubmittedCode(NamedTuple):
    """Where a reviewer finds the work: a pull request, or a branch and its head."""

    pr_url: str | None
    branch: str | None
    head_sha: str | None


def check_reviewer_can_find_code(code: SubmittedCode, project_key: str, repository_url: str | None) -> None:
    """A pull request where the project has a repository; elsewhere that, or both a branch and its head."""
    if code.pr_url is not None:
        return
    if repository_url is not None:
        raise BadField(
            "pr_url",
            f"is missing. The project {project_key} has a repository, so its reviewer reads the pull request: push the "
            "branch, open one, and send its URL.",
        )
    if code.branch is None and code.head_sha is None:
        raise BadField(
            "pr_url",
            "is missing, and so are branch and head_sha. Send one of the two, so that the reviewer finds the work: "
            "the URL of a pull request, or the branch and its head's full SHA.",
        )
    if code.branch is None:
        raise BadField("branch", "is missing beside head_sha: without a pull request the reviewer needs both.")
    if code.head_sha is None:
        raise BadField(
            "head_sha",
            "is missing beside branch: without a pull request the reviewer needs both. `git rev-parse HEAD` prints it.",
        )


def require_reviewable_submission(
    ref: str,
    action: Action,
    submission: Submission | None,
    is_reviewed: bool,
    seen_sha_and_submission_number: tuple[str | None, int | None],
) -> Submission:
    """The newest submission, if it waits for a verdict.

    `seen_sha_and_submission_number` is what the reviewer saw, where they say so: the same code may be submitted
    again with other words, so the number counts beside the SHA.
    """
    if action.state != ActionState.IN_REVIEW or submission is None:
        raise RuleBroken(f"{ref} has not been submitted, so there is nothing to review.", code="not_in_review")
    head_sha, number = seen_sha_and_submission_number
    if head_sha not in (None, submission.head_sha) or number not in (None, submission.number):
        raise Conflict(
            f"{ref} was submitted again while you looked. Read the newest submission, then review it.",
            code="submission_moved",
            headSha=submission.head_sha,
            submissionNumber=submission.number,
        )
    if is_reviewed:
        raise RuleBroken(
            f"The latest submission of {ref} was reviewed already. Wait until it is submitted again.",
            code="already_reviewed",
        )
    return submission


def check_verdict_fits_criteria(
    verdict: Verdict, verdict_by_criterion: dict[str, CriterionVerdict], state_by_criterion: dict[str, EvidenceState]
) -> None:
    """`state_by_criterion` has every criterion of the action. Approving needs a confirmation of each, now or earlier;
    what failed or went stale since it was confirmed needs another.
    """
    unknown = [criterion_id for criterion_id in verdict_by_criterion if criterion_id not in state_by_criterion]
    if unknown:
        raise RuleBroken(
            f"Not a criterion of this action: {', '.join(unknown)}. Use the ids of its acceptance criteria.",
            code="unknown_criterion",
            criteria=unknown,
        )
    if verdict == Verdict.CHANGES_REQUESTED:
        return
    rejected = [
        criterion_id for criterion_id, word in verdict_by_criterion.items() if word == CriterionVerdict.REJECTED
    ]
    missing = [
        criterion_id
        for criterion_id, state in state_by_criterion.items()
        if criterion_id not in verdict_by_criterion and state != EvidenceState.CONFIRMED
    ]
    if rejected or missing:
        raise RuleBroken(
            "Approving needs every criterion confirmed. "
            f"Rejected: {len(rejected)}; without a verdict: {len(missing)}. Confirm them, or request changes.",
            code="criteria_not_confirmed",
            rejected=rejected,
            missing=missing,
        )


def check_review_items_all_answered(open_items: list[ReviewItem], answered_ids: list[str]) -> None:
    """`answered_ids` are the ids of items that the caller answers: all that are open, and no others."""
    known = {item.id for item in open_items}
    unknown = [item_id for item_id in answered_ids if item_id not in known]
    if unknown:
        raise RuleBroken(
            f"Not an open item of the last review: {', '.join(unknown)}. Use the ids in get_action_brief's review.",
            code="unknown_review_item",
            items=unknown,
        )
    missing = [item for item in open_items if item.id not in answered_ids]
    if missing:
        raise RuleBroken(
            f"Changes that the review requested: {len(open_items)}; without a disposition: {len(missing)}. "
            "Give each item of get_action_brief's review one: fixed (in which commit), declined or deferred (why).",
            code="dispositions_missing",
            items=[{"id": item.id, "text": item.text} for item in missing],
        )
