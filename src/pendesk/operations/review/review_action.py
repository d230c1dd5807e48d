"""review_action: a person's verdict on a submission, criterion by criterion."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.change import Side
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.deviation import check_none_open
from pendesk.domain.errors import BadField
from pendesk.domain.evidence import AddedEvidence, PublishedCriterion, evidence_state
from pendesk.domain.limits import ACTION_CRITERIA, LIST_ITEMS, MESSAGE_CHARS, PATH_CHARS
from pendesk.domain.report import check_criteria_belong_to_action
from pendesk.domain.review import (
    CriterionVerdict,
    ItemKind,
    Review,
    ReviewItem,
    Submission,
    Verdict,
    check_verdict_fits_criteria,
    check_verdict_fits_items,
    require_reviewable_submission,
)
from pendesk.domain.review_transitions import Reviewed, apply_review
from pendesk.ids import new_id
from pendesk.operations.building.claim_guard import find_and_lock_action_past_scoping
from pendesk.operations.building.evidence import (
    add_evidence,
    advance_and_save_criteria_status,
    criterion_text_by_id,
    published_criteria_by_id,
)
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.changes.deviations import apply_deviation_requests
from pendesk.operations.fields import ActionPid, Ident, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.review.item_quotes import quotes_of_items
from pendesk.operations.session_news import tell_holder
from pendesk.store import actions, claims, criteria, deviations, reviews


class VerdictEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Ident
    verdict: CriterionVerdict
    note: Annotated[str, Meta(max_length=4000)] = ""


LineNumber = Annotated[int, Meta(ge=1, le=2**31)]


class ItemEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    """path, side, line and end_line: the lines of the change that it is about. kind: a remark asks for nothing.
    deviation_id: the deviation that it requests to be undone.
    """

    text: Message
    criterion_id: Ident | None = None
    kind: ItemKind = ItemKind.REQUEST
    path: Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)] | None = None
    side: Side = "new"
    line: LineNumber | None = None
    end_line: LineNumber | None = None
    deviation_id: Ident | None = None


class ReviewAction(Input):
    action_pid: ActionPid
    verdict: Verdict
    summary: Annotated[
        str, Meta(max_length=MESSAGE_CHARS, description="What the agent reads first; optional beside comments.")
    ] = ""
    verdicts: Annotated[list[VerdictEntry], Meta(max_length=ACTION_CRITERIA)] = []
    items: Annotated[
        list[ItemEntry], Meta(max_length=LIST_ITEMS, description="What has to change; the agent answers each.")
    ] = []
    head_sha: (
        Annotated[Ident, Meta(description="The head SHA you looked at; refused if the submission has moved on.")] | None
    ) = None
    submission_number: (
        Annotated[int, Meta(ge=1, le=2**31, description="The submission you looked at; refused if there is a newer.")]
        | None
    ) = None


def run(call: Call, args: ReviewAction) -> ActionResult:
    facts = find_and_lock_action_past_scoping(call, args.action_pid)
    submission = _find_reviewable_submission(call, facts, args)
    _settle_deviations(call, submission, args)
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action(
        [item.criterion_id for item in args.items if item.criterion_id], criterion_text_by_id(published)
    )
    check_verdict_fits_items(args.verdict, [entry.kind for entry in args.items])
    verdicts = _verdict_by_criterion(args.verdicts)
    histories = criteria.evidence_history_by_criterion_id(call.tx, facts.action.id)
    check_verdict_fits_criteria(
        args.verdict, verdicts, {criterion_id: evidence_state(histories[criterion_id]) for criterion_id in published}
    )
    verdict = Review(
        id=new_id(),
        action_id=facts.action.id,
        submission_id=submission.id,
        verdict=args.verdict,
        summary=_summary(args),
        head_sha=submission.head_sha,
        reviewed_by=call.actor.user_id,
        reviewed_at=call.now,
    )
    notes = [(entry.criterion_id, entry.verdict, entry.note) for entry in args.verdicts]
    items = _create_review_items(call, verdict, args, published)
    reviews.add_review(call.tx, verdict, notes, items)
    evidence = _add_confirmed_evidence(call, args, submission, verdict, published)
    reviewed = apply_review(facts.action, facts.claim, verdict, verdicts, evidence, call.now)
    return action_result_with_unread_news(
        call, _save_reviewed_action(call, facts, reviewed, [published[piece.criterion_id] for piece in evidence.pieces])
    )


def _find_reviewable_submission(call: Call, facts: ActionFacts, args: ReviewAction) -> Submission:
    submission = reviews.newest_submission(call.tx, facts.action.id)
    is_reviewed = submission is not None and reviews.of_submission(call.tx, submission.id) is not None
    looked_at = (args.head_sha, args.submission_number)
    return require_reviewable_submission(facts.ref, facts.action, submission, is_reviewed, looked_at)


def _settle_deviations(call: Call, submission: Submission, args: ReviewAction) -> None:
    """A request that came of one decides it; what nobody decided stands in the way of an approval."""
    requests = [entry.deviation_id for entry in args.items if entry.deviation_id and entry.kind == ItemKind.REQUEST]
    apply_deviation_requests(call, submission, requests)
    if args.verdict == Verdict.APPROVED:
        check_none_open(deviations.of_submission(call.tx, submission.id))


def _verdict_by_criterion(entries: list[VerdictEntry]) -> dict[str, CriterionVerdict]:
    verdicts: dict[str, CriterionVerdict] = {}
    for index, entry in enumerate(entries):
        if entry.criterion_id in verdicts:
            raise BadField(f"verdicts[{index}].criterionId", "this criterion has a verdict already; give it one.")
        verdicts[entry.criterion_id] = entry.verdict
    return verdicts


def _summary(args: ReviewAction) -> str:
    """Comments may speak for themselves; an agent still reads a sentence first."""
    if args.summary.strip():
        return args.summary
    notes = [entry.note for entry in args.verdicts if entry.note.strip()]
    if not args.items and not notes:
        raise BadField("summary", "is missing. Say in a sentence what you think, or comment on a criterion or a line.")
    requests = sum(entry.kind == ItemKind.REQUEST for entry in args.items)
    counts = {"requested change": requests, "remark": len(args.items) - requests, "note": len(notes)}
    return ", ".join(f"{count} {noun}{'s' if count > 1 else ''}" for noun, count in counts.items() if count) + "."


def _create_review_items(
    call: Call, new_review: Review, args: ReviewAction, published_by_id: dict[str, PublishedCriterion]
) -> list[ReviewItem]:
    """What was requested or remarked by itself, and every rejected criterion."""
    quotes = quotes_of_items(call, new_review.submission_id, args.items)
    items = [
        ReviewItem(
            id=new_id(),
            action_id=new_review.action_id,
            review_id=new_review.id,
            criterion_id=entry.criterion_id,
            text=entry.text,
            disposition=None,
            disposition_note=None,
            kind=entry.kind if entry.kind == ItemKind.REMARK else None,
            path=entry.path,
            side=entry.side if entry.path else None,
            line=entry.line,
            end_line=(entry.end_line or entry.line) if entry.path else None,
            quote=quote,
            deviation_id=entry.deviation_id,
        )
        for entry, quote in zip(args.items, quotes, strict=True)
    ]
    rejected = [entry for entry in args.verdicts if entry.verdict == CriterionVerdict.REJECTED]
    if new_review.verdict == Verdict.APPROVED:
        return items
    return items + [
        ReviewItem(
            new_id(),
            new_review.action_id,
            new_review.id,
            entry.criterion_id,
            entry.note or f"Not met: {published_by_id[entry.criterion_id].criterion.text}",
            None,
            None,
        )
        for entry in rejected
    ]


def _add_confirmed_evidence(
    call: Call,
    args: ReviewAction,
    submission: Submission,
    new_review: Review,
    published_by_id: dict[str, PublishedCriterion],
) -> AddedEvidence:
    """Each with the reviewer's note on it, since the summary is about the whole, which may be sent back; and with what
    the agent had said against it.
    """
    by_default = f"Confirmed in the review of submission {submission.number}."
    unmet = reviews.unmet_reason_by_criterion_id(call.tx, submission.id)

    def evidence_text(entry: VerdictEntry) -> str:
        reason = unmet.get(entry.criterion_id)
        called_unmet = f" The agent had called it unmet: {reason}" if reason else ""
        return f"{entry.note or by_default}{called_unmet}"[:MESSAGE_CHARS]

    confirmed = [
        (published_by_id[entry.criterion_id], evidence_text(entry), new_review.id)
        for entry in args.verdicts
        if entry.verdict == CriterionVerdict.CONFIRMED
    ]
    return add_evidence(call, EvidenceLevel.HUMAN, new_review.head_sha, confirmed)


def _save_reviewed_action(
    call: Call, facts: ActionFacts, reviewed: Reviewed, confirmed_criteria: list[PublishedCriterion]
) -> ActionFacts:
    claim = reviewed.claim
    actions.save_state_and_claim(call.tx, facts.action, reviewed.action)
    if claim is not None and claim != facts.claim:
        claims.save_end(call.tx, claim)
    agent_model = claim.agent_model if claim else None
    event_id = call.record_returning_id(reviewed.event, agent_model)
    actions.set_newest_event_for_holder(call.tx, facts.action.id, event_id)
    tell_holder(call, claim, event_id)
    moving = [entry.criterion for entry in confirmed_criteria]
    advance_and_save_criteria_status(call, facts.action, moving, CriterionStatus.CONFIRMED, agent_model)
    return facts._replace(action=reviewed.action)


OPERATION = Operation(
    name="review_action",
    title="Review an action",
    description=(
        "Judge the newest submission of an action: a verdict per criterion and one overall. approved needs every "
        "criterion confirmed and makes the action done; changes_requested sends it back with items for its agent to "
        "answer. Refused: 422 nothing to review, a criterion without a verdict, or a deviation is open "
        "(accept_deviations); 409 it was submitted again."
    ),
    input=ReviewAction,
    output=ActionResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
