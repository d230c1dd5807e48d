"""What a brief says of the last submission and its review, and of those that it builds on."""

from pendesk.clock import to_iso
from pendesk.domain.access import Scope
from pendesk.domain.action import CLOSED, ref_code
from pendesk.domain.claim import ActionFacts
from pendesk.domain.review import ReviewItem, Verdict
from pendesk.operations.actions.history import unmet_rows
from pendesk.operations.building.brief_results import PrerequisiteCode, ReviewBrief, ReviewItemBrief, SubmissionBrief
from pendesk.operations.operation import Call
from pendesk.store import people, reviews


def submission_brief(call: Call, facts: ActionFacts) -> SubmissionBrief | None:
    submission = reviews.newest_submission(call.tx, facts.action.id)
    if submission is None:
        return None
    return SubmissionBrief(
        number=submission.number,
        by=people.names_by_user_id(call.tx, [submission.submitted_by]).get(submission.submitted_by, ""),
        pr_url=submission.pr_url,
        branch=submission.branch,
        head_sha=submission.head_sha,
        unmet=unmet_rows(call, submission.id),
    )


def prerequisite_code(call: Call, facts: ActionFacts) -> list[PrerequisiteCode]:
    """What the action builds on, as it was submitted last; only what the caller may see."""
    user_id = "" if Scope.DESK_READ in call.actor.scopes else call.actor.user_id
    submitted = reviews.newest_submissions_of_prerequisites(call.tx, facts.action.id, user_id)
    name_by_user_id = people.names_by_user_id(call.tx, [submission.submitted_by for _number, submission in submitted])
    return [
        PrerequisiteCode(
            ref_code=ref_code(facts.project_key, number),
            by=name_by_user_id.get(submission.submitted_by, ""),
            pr_url=submission.pr_url,
            branch=submission.branch,
            head_sha=submission.head_sha,
        )
        for number, submission in submitted
    ]


def review_brief(call: Call, facts: ActionFacts) -> ReviewBrief | None:
    review = reviews.newest_review(call.tx, facts.action.id) if facts.action.state not in CLOSED else None
    if review is None or review.verdict == Verdict.APPROVED:
        return None
    items = reviews.items_of(call.tx, review.id)
    return ReviewBrief(
        verdict=review.verdict,
        summary=review.summary,
        reviewed_at=to_iso(review.reviewed_at),
        head_sha=review.head_sha,
        items=[_item_brief(item) for item in items if item.is_request],
        remarks=[_item_brief(item) for item in items if not item.is_request],
    )


def _item_brief(item: ReviewItem) -> ReviewItemBrief:
    return ReviewItemBrief(
        id=item.id,
        text=item.text,
        criterion_id=item.criterion_id,
        disposition=item.disposition,
        path=item.path,
        side=item.side if item.side == "old" else None,
        line=item.line,
        end_line=item.end_line if item.end_line != item.line else None,
        quote=item.quote,
    )
