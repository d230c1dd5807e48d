"""review_action: a person's verdict on a submission, criterion by criterion."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, Conflict, RuleBroken
from pendesk.domain.limits import ACTION_CRITERIA, LIST_ITEMS
from pendesk.domain.report import check_criteria_known
from pendesk.domain.review import CriterionVerdict, Review, ReviewItem, Submission, Verdict, check_verdicts
from pendesk.ids import new_id
from pendesk.operations.building.claim_guard import about, find_action
from pendesk.operations.building.evidence import Told, give_evidence, told_criteria
from pendesk.operations.building.results import ActionResult, action_result
from pendesk.operations.fields import ActionPid, Ident, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims, criteria, reviews
from pendesk.store.actions import ActionFacts


class VerdictEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Ident
    verdict: CriterionVerdict
    note: Annotated[str, Meta(max_length=4000)] = ""


class ItemEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    text: Message
    criterion_id: Ident | None = None


class ReviewAction(Input):
    action_pid: ActionPid
    verdict: Verdict
    summary: Annotated[Message, Meta(description="What the agent reads first.")]
    verdicts: Annotated[list[VerdictEntry], Meta(max_length=ACTION_CRITERIA)] = []
    items: Annotated[
        list[ItemEntry], Meta(max_length=LIST_ITEMS, description="What has to change; each needs an answer.")
    ] = []
    head_sha: (
        Annotated[Ident, Meta(description="The head SHA you looked at; refused if the submission has moved on.")] | None
    ) = None
    submission_number: (
        Annotated[int, Meta(ge=1, le=2**31, description="The submission you looked at; refused if there is a newer.")]
        | None
    ) = None


def run(call: Call, args: ReviewAction) -> ActionResult:
    facts = find_action(call, args.action_pid)
    submission = _open_submission(call, facts, args)
    told = told_criteria(call, facts)
    check_criteria_known([item.criterion_id for item in args.items if item.criterion_id], set(told))
    statuses = {criterion_id: one.criterion.status for criterion_id, one in told.items()}
    check_verdicts(args.verdict, _by_criterion(args.verdicts), statuses)
    review = Review(
        id=new_id(),
        action_id=facts.action.id,
        submission_id=submission.id,
        verdict=args.verdict,
        summary=args.summary,
        head_sha=submission.head_sha,
        reviewed_by=call.actor.user_id,
        reviewed_at=call.now,
    )
    verdicts = [(entry.criterion_id, entry.verdict, entry.note) for entry in args.verdicts]
    reviews.add_review(call.tx, review, verdicts, _items(review, args, told))
    confirmed = [entry for entry in args.verdicts if entry.verdict == "confirmed"]
    by_default = f"Confirmed by {call.actor.user_name} in the review of submission {submission.number}."
    _confirm(call, review, [(told[entry.criterion_id], entry.note or by_default) for entry in confirmed])
    return action_result(call, _conclude(call, facts, review, verdicts))


def _open_submission(call: Call, facts: ActionFacts, args: ReviewAction) -> Submission:
    submission = reviews.newest_submission(call.tx, facts.action.id)
    if facts.action.state != "in_review" or submission is None:
        raise RuleBroken(f"{facts.ref} has not been submitted, so there is nothing to review.", code="not_in_review")
    _check_looked_at(facts, submission, args)
    if reviews.of_submission(call.tx, submission.id) is not None:
        raise RuleBroken(
            f"The latest submission of {facts.ref} was reviewed already. Wait until it is handed in again.",
            code="already_reviewed",
        )
    return submission


def _check_looked_at(facts: ActionFacts, submission: Submission, args: ReviewAction) -> None:
    """The same code may be handed in again with other words, so the number counts beside the SHA."""
    other_head = args.head_sha is not None and args.head_sha != submission.head_sha
    if other_head or args.submission_number not in (None, submission.number):
        raise Conflict(
            f"{facts.ref} was handed in again while you looked. Read the newest submission, then judge it.",
            code="submission_moved",
            headSha=submission.head_sha,
            submissionNumber=submission.number,
        )


def _by_criterion(entries: list[VerdictEntry]) -> dict[str, CriterionVerdict]:
    verdicts: dict[str, CriterionVerdict] = {}
    for index, entry in enumerate(entries):
        if entry.criterion_id in verdicts:
            raise BadField(f"verdicts[{index}].criterionId", "this criterion has a verdict already; give it one.")
        verdicts[entry.criterion_id] = entry.verdict
    return verdicts


def _items(review: Review, args: ReviewAction, told: dict[str, Told]) -> list[ReviewItem]:
    """What was asked for by itself, and every rejected criterion."""
    if review.verdict == "approved":
        return []
    wanted = [(item.text, item.criterion_id) for item in args.items]
    wanted += [
        (entry.note or f"Not met: {told[entry.criterion_id].criterion.text}", entry.criterion_id)
        for entry in args.verdicts
        if entry.verdict == "rejected"
    ]
    return [
        ReviewItem(new_id(), review.action_id, review.id, criterion_id, text, None, None)
        for text, criterion_id in wanted
    ]


def _confirm(call: Call, review: Review, confirmed: list[tuple[Told, str]]) -> None:
    """Each with what the reviewer said about it: the summary is about the whole, which may be sent back."""
    criteria.advance(call.tx, [one.criterion.id for one, _ in confirmed], "confirmed")
    for one, words in confirmed:
        give_evidence(call, one, "human", review.head_sha, words, review.id)


def _conclude(call: Call, facts: ActionFacts, review: Review, verdicts: Sequence[tuple[str, str, str]]) -> ActionFacts:
    """Approved work is done; otherwise it stays in review, in the submitter's hands."""
    action, claim = facts.action, facts.claim
    approved = review.verdict == "approved"
    state, reason = ("done", None) if approved else ("in_review", "changes_requested")
    actions.set_state(call.tx, action.id, state, reason)
    if approved and claim is not None:
        claims.end(call.tx, claim.id, "done")
    data: dict[str, object] = {
        "before": action.state,
        "after": state,
        "verdict": review.verdict,
        "verdicts": [{"criterionId": criterion_id, "verdict": word} for criterion_id, word, _ in verdicts],
        "news": f"{review.verdict}: {review.summary}",
    }
    seq = call.record_numbered(about(facts, "action.reviewed", data, review.id), claim.agent_model if claim else None)
    actions.set_news(call.tx, action.id, seq)
    return facts._replace(action=action._replace(state=state, state_reason=reason))


OPERATION = Operation(
    name="review_action",
    title="Review an action",
    description=(
        "Judge the newest submission of an action: a verdict per criterion and one overall. approved needs every "
        "criterion confirmed and makes the action done; changes_requested sends it back with items that each need an "
        "answer. Refused: 422 nothing to review or a criterion without a verdict, 409 it was handed in again."
    ),
    input=ReviewAction,
    output=ActionResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
