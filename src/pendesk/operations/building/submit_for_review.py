"""submit_for_review: hand finished work to a person."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.clarification import check_none_open
from pendesk.domain.limits import ACTION_CRITERIA
from pendesk.domain.report import check_criteria_known
from pendesk.domain.review import Submission
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import give_ci_evidence
from pendesk.operations.building.claim_guard import about, hold
from pendesk.operations.building.evidence import give_evidence, told_criteria
from pendesk.operations.building.results import ActionResult, action_result, advisory, has_read_newest
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident, Message, Url
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims, clarifications, criteria, reports, reviews
from pendesk.store.actions import ActionFacts

SUBMITTED = "Handed over. Stop working on this action; a person reviews it. Claim another if you want to go on."
FOLLOWED = (
    "Handed over. Stop working on this action; a person reviews it. If it does not yet do what the newest build says, "
    "whose brief you have read, bring it up to that and use resubmit_for_review."
)
SUPERSEDED = (
    "Handed over, but a newer build of this spec is published. Read get_action_brief's changes, "
    "bring the work up to it, and use resubmit_for_review if anything has to change."
)


class EvidenceEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Annotated[Ident, Meta(description="From the brief.")]
    evidence: Annotated[Message, Meta(description="What shows it, e.g. 12/12 passed in tests/test_auth.py.")]


class SubmitForReview(Input):
    action_pid: ActionPid
    pr_url: Annotated[Url, Meta(description="The pull request, e.g. https://github.com/o/r/pull/7.")]
    summary: Annotated[Message, Meta(description="2-4 sentences for the reviewer: what was done and how it was shown.")]
    evidence: Annotated[
        list[EvidenceEntry],
        Meta(max_length=ACTION_CRITERIA, description="One entry per acceptance criterion."),
    ] = []
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: SubmitForReview) -> ActionResult:
    late: dict[str, object] = {"prUrl": args.pr_url, "summary": args.summary}
    facts = hold(call, args.action_pid, args.claim_id, ("action.submitted", late))
    assert facts.claim is not None
    number = 1 + last_number(call, facts)
    submission = hand_over(call, facts, args.pr_url, args.summary, args.evidence, number)
    claims.end(call.tx, facts.claim.id, "submitted")
    actions.set_state(call.tx, facts.action.id, "in_review")
    data: dict[str, object] = {
        "before": facts.action.state,
        "after": "in_review",
        "prUrl": args.pr_url,
        "summary": args.summary,
        "number": number,
    }
    call.record(about(facts, "action.submitted", data, submission.id), facts.claim.agent_model)
    done = facts._replace(
        action=facts.action._replace(state="in_review"), claim=facts.claim._replace(state="submitted")
    )
    return action_result(call, done, brief_rev=args.brief_rev, next_step=_next_step(facts))


def _next_step(facts: ActionFacts) -> str:
    claim = facts.claim
    if claim is None or advisory(facts, claim) is None:
        return SUBMITTED
    return FOLLOWED if has_read_newest(facts, claim) else SUPERSEDED


def last_number(call: Call, facts: ActionFacts) -> int:
    newest = reviews.newest_submission(call.tx, facts.action.id)
    return newest.number if newest else 0


def hand_over(
    call: Call, facts: ActionFacts, pr_url: str, summary: str, evidence: list[EvidenceEntry], number: int
) -> Submission:
    """What submitting and resubmitting share: no open question, known criteria, the record, the evidence."""
    action = facts.action
    check_none_open([one for one in clarifications.of_action(call.tx, action.id) if one.answer is None])
    told = told_criteria(call, facts)
    check_criteria_known([entry.criterion_id for entry in evidence], set(told))
    assert facts.claim is not None
    submission = Submission(
        id=new_id(),
        action_id=action.id,
        claim_id=facts.claim.id,
        build_id=facts.claim.build_id,
        number=number,
        pr_url=pr_url,
        summary=summary,
        head_sha=reports.head_sha(call.tx, action.id),
        submitted_by=call.actor.user_id,
        submitted_at=call.now,
    )
    reviews.add_submission(call.tx, submission)
    for entry in evidence:
        about_it = told[entry.criterion_id]
        give_evidence(call, about_it, "claimed", submission.head_sha, entry.evidence, submission.id)
    criteria.advance(call.tx, [entry.criterion_id for entry in evidence], "validated")
    give_ci_evidence(call, facts, submission.head_sha)
    return submission


OPERATION = Operation(
    name="submit_for_review",
    title="Submit for review",
    description=(
        "Hand the finished action to a person. Call it once, when every criterion has a passed test and the pull "
        "request is open. Returns the action, in-review, and next_step. Locks the action, frees your claim slot; "
        "criteria with evidence become validated. Refused: 422 you do not hold it, a question is open (get it "
        "answered), an unknown criterion, or in review already (resubmit_for_review); 409 your claim was lost."
    ),
    input=SubmitForReview,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
