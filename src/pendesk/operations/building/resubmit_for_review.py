"""resubmit_for_review: submit work again after a review, with an answer to each of its items."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.claim_refusals import require_resubmittable_claim
from pendesk.domain.event_data import ActionResubmittedData
from pendesk.domain.limits import LIST_ITEMS
from pendesk.domain.review import Disposition, ReviewItem, check_review_items_are_open
from pendesk.domain.review_transitions import resubmit_action
from pendesk.operations.building.claim_guard import (
    LateReport,
    alternatives,
    find_and_lock_action_past_scoping,
    has_caller_held,
    late_report_event,
    require_held_claim,
)
from pendesk.operations.building.next_work import next_work_text
from pendesk.operations.building.results import (
    ActionResult,
    action_result_with_unread_news,
    is_unread_build,
)
from pendesk.operations.building.submission import (
    SubmittedWork,
    add_concerns,
    create_submission,
    save_submitted_action,
    submitted_code,
)
from pendesk.operations.fields import Ident, Message
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import claims, reviews

RESUBMITTED = "Resubmitted. Stop working on this action; the next verdict comes as news with a later call."
SUPERSEDED = (
    "Resubmitted, but a newer build of this spec is published. Read get_action_brief's changes "
    "and resubmit once more if the work has to follow them."
)


class DispositionEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    item_id: Annotated[Ident, Meta(description="The item's id.")]
    disposition: Annotated[Disposition, Meta(description="What you did about it.")]
    note: Annotated[Message, Meta(description="fixed: in which commit. declined or deferred: why.")]


class ResubmitForReview(SubmittedWork):
    summary: Annotated[Message, Meta(description="2-4 sentences: what changed since the last submission.")]
    dispositions: Annotated[
        list[DispositionEntry],
        Meta(max_length=LIST_ITEMS, description="One for each of the brief's review.items."),
    ] = []


def run(call: Call, args: ResubmitForReview) -> ActionResult:
    code = submitted_code(args)
    facts = find_and_lock_action_past_scoping(call, args.action_pid)
    late = ActionResubmittedData(pr_url=code.pr_url, summary=args.summary, branch=code.branch, head_sha=code.head_sha)
    facts, claim = _require_claim(call, facts, args.claim_id, ("action.resubmitted", late))
    check_review_items_are_open(_unresolved_review_items(call, facts), [entry.item_id for entry in args.dispositions])
    for entry in args.dispositions:
        reviews.save_disposition(call.tx, entry.item_id, entry.disposition, entry.note)
    saved = create_submission(call, facts, claim, args, code)
    resubmitted = resubmit_action(facts.action, claim, saved.submission, saved.unmet_ids, saved.evidence, call.now)
    if resubmitted.claim != claim:
        claims.save_end(call.tx, resubmitted.claim)
    save_submitted_action(call, facts, resubmitted, saved)
    next_step = SUPERSEDED if is_unread_build(facts, claim) else f"{RESUBMITTED} {next_work_text(call)}"
    after = facts._replace(action=resubmitted.action, claim=resubmitted.claim)
    result = action_result_with_unread_news(call, after, brief_rev=args.brief_rev, next_step=next_step)
    return add_concerns(result, saved)


def _require_claim(call: Call, facts: ActionFacts, claim_id: str | None, late: LateReport) -> tuple[ActionFacts, Claim]:
    """Requested changes are claimed; what waits for its review, or is resubmitted before that, is not."""
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        return require_held_claim(call, facts, claim_id, late)
    held_before, late_event = has_caller_held(call, facts, claim_id), late_report_event(facts, late)
    others = alternatives(call, facts)
    return facts, require_resubmittable_claim(facts, claim_id, held_before, late_event, call.now, others)


def _unresolved_review_items(call: Call, facts: ActionFacts) -> list[ReviewItem]:
    review = reviews.newest_review(call.tx, facts.action.id)
    return [item for item in reviews.items_of(call.tx, review.id) if item.disposition is None] if review else []


OPERATION = Operation(
    name="resubmit_for_review",
    title="Resubmit for review",
    description=(
        "Submit work again after a review requested changes; get_action_brief has its items. Any session of who "
        "submitted it can. Refused: 422 it was not submitted (submit_for_review), or a question is open; 409 another "
        "session of yours works on it; 403 another user submitted it."
    ),
    input=ResubmitForReview,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
