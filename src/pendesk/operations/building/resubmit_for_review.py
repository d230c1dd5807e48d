"""resubmit_for_review: hand work in again after a review, with an answer to each of its items."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import Holding, check_same
from pendesk.domain.errors import HeldByAnother, RuleBroken
from pendesk.domain.limits import ACTION_CRITERIA, LIST_ITEMS
from pendesk.domain.review import Disposition, ReviewItem, check_dispositions
from pendesk.operations.building.claim_guard import about, find_action, late_event
from pendesk.operations.building.results import ActionResult, action_result, advisory, has_read_newest
from pendesk.operations.building.submit_for_review import EvidenceEntry, hand_over, last_number
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident, Message, Url
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, reviews
from pendesk.store.actions import ActionFacts

RESUBMITTED = "Handed over again. Stop working on this action until the next review."
SUPERSEDED = (
    "Handed over again, but a newer build of this spec is published. Read get_action_brief's changes "
    "and resubmit once more if the work has to follow them."
)


class DispositionEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    item_id: Annotated[Ident, Meta(description="From the brief's review.items.")]
    disposition: Annotated[Disposition, Meta(description="What you did about it.")]
    note: Annotated[Message, Meta(description="fixed: in which commit. declined or deferred: why.")]


class ResubmitForReview(Input):
    action_pid: ActionPid
    pr_url: Annotated[Url, Meta(description="The pull request, as before or a new one.")]
    summary: Annotated[Message, Meta(description="2-4 sentences: what changed since the last submission.")]
    evidence: Annotated[
        list[EvidenceEntry], Meta(max_length=ACTION_CRITERIA, description="Updated evidence per criterion.")
    ] = []
    dispositions: Annotated[
        list[DispositionEntry],
        Meta(max_length=LIST_ITEMS, description="One entry for each item of the brief's review."),
    ] = []
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ResubmitForReview) -> ActionResult:
    facts = find_action(call, args.action_pid)
    _check_may_resubmit(call, facts, args)
    assert facts.claim is not None
    number = 1 + last_number(call, facts)
    _dispose(call, facts, args.dispositions)
    submission = hand_over(call, facts, args.pr_url, args.summary, args.evidence, number)
    actions.set_state(call.tx, facts.action.id, "in_review")
    data: dict[str, object] = {"prUrl": args.pr_url, "summary": args.summary, "number": number}
    call.record(about(facts, "action.resubmitted", data, submission.id), facts.claim.agent_model)
    behind = advisory(facts, facts.claim) is not None and not has_read_newest(facts, facts.claim)
    next_step = SUPERSEDED if behind else RESUBMITTED
    return action_result(call, facts, brief_rev=args.brief_rev, next_step=next_step)


def _check_may_resubmit(call: Call, facts: ActionFacts, args: ResubmitForReview) -> None:
    claim = facts.claim
    if facts.action.state != "in_review" or claim is None:
        raise RuleBroken(
            f"{facts.ref} is not in review. Use submit_for_review to hand it in the first time.",
            code="not_in_review",
        )
    if claim.user_id != call.actor.user_id:
        raise HeldByAnother(
            f"{facts.ref} was submitted by {facts.holder}; only they may resubmit it.",
            holder=facts.holder,
        )
    holding = Holding(facts.action, facts.ref, claim, facts.holder, call.actor.user_id, held_before=True)
    late: dict[str, object] = {"prUrl": args.pr_url, "summary": args.summary}
    check_same(holding, args.claim_id, late_event(facts, ("action.resubmitted", late)))


def _dispose(call: Call, facts: ActionFacts, dispositions: list[DispositionEntry]) -> None:
    open_items = _open_items(call, facts)
    known = {item.id for item in open_items}
    stray = [entry.item_id for entry in dispositions if entry.item_id not in known]
    if stray:
        raise RuleBroken(
            f"Not an open item of the last review: {', '.join(stray)}. Use the ids in get_action_brief's review.",
            code="unknown_review_item",
            items=stray,
        )
    check_dispositions(open_items, {entry.item_id for entry in dispositions})
    for entry in dispositions:
        reviews.dispose(call.tx, entry.item_id, entry.disposition, entry.note)


def _open_items(call: Call, facts: ActionFacts) -> list[ReviewItem]:
    review = reviews.newest_review(call.tx, facts.action.id)
    return [item for item in reviews.items_of(call.tx, review) if item.disposition is None] if review else []


OPERATION = Operation(
    name="resubmit_for_review",
    title="Resubmit for review",
    description=(
        "Hand work in again after a review asked for changes; get_action_brief has its items. Only while the action is "
        "in review, only its submitter. Returns the action, in-review, and next_step; a person reviews it anew. "
        "Refused: 422 not in review (submit_for_review), an item without a disposition, or an open question; 403 "
        "another submitted it."
    ),
    input=ResubmitForReview,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
