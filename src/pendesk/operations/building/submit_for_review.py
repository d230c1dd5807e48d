"""submit_for_review: submit finished work to a person."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.clarification import check_no_open_questions
from pendesk.domain.criterion import Criterion, CriterionStatus, EvidenceLevel
from pendesk.domain.event_data import ActionSubmittedData
from pendesk.domain.evidence import AddedEvidence
from pendesk.domain.limits import ACTION_CRITERIA
from pendesk.domain.report import check_criteria_belong_to_action
from pendesk.domain.review import Submission
from pendesk.domain.review_transitions import SubmittedAction, submit_action
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.claim_guard import find_and_lock_held_action
from pendesk.operations.building.evidence import (
    add_evidence,
    advance_and_save_criteria_status,
    published_criteria_by_id,
)
from pendesk.operations.building.results import (
    ActionResult,
    action_result_with_unread_news,
    has_read_newest_build,
    outdated_brief_advisory,
)
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident, Message, Url
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims, clarifications, reports, reviews

SUBMITTED = "Submitted. Stop working on this action; a person reviews it. Claim another if you want to go on."
FOLLOWED = (
    "Submitted. Stop working on this action; a person reviews it. If it does not yet do what the newest build says, "
    "whose brief you have read, bring it up to that and use resubmit_for_review."
)
SUPERSEDED = (
    "Submitted, but a newer build of this spec is published. Read get_action_brief's changes, "
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
    late = ActionSubmittedData(pr_url=args.pr_url, summary=args.summary)
    facts, claim = find_and_lock_held_action(call, args.action_pid, args.claim_id, ("action.submitted", late))
    saved = create_submission(call, facts, claim, args.pr_url, args.summary, args.evidence)
    submitted = submit_action(facts.action, claim, saved.submission, saved.evidence, call.now)
    claims.save_end(call.tx, submitted.claim)
    save_submitted_action(call, facts, submitted, saved)
    after = facts._replace(action=submitted.action, claim=submitted.claim)
    return action_result_with_unread_news(
        call, after, brief_rev=args.brief_rev, next_step=_next_step_text(facts, claim)
    )


def _next_step_text(facts: ActionFacts, claim: Claim) -> str:
    if outdated_brief_advisory(facts, claim) is None:
        return SUBMITTED
    return FOLLOWED if has_read_newest_build(facts, claim) else SUPERSEDED


class SavedSubmission(NamedTuple):
    """`criteria` are those that it has evidence for."""

    submission: Submission
    criteria: list[Criterion]
    evidence: AddedEvidence


def create_submission(
    call: Call, facts: ActionFacts, claim: Claim, pr_url: str, summary: str, entries: list[EvidenceEntry]
) -> SavedSubmission:
    """What submitting and resubmitting share: no open question, known criteria, the next number, the evidence."""
    action = facts.action
    check_no_open_questions(clarifications.of_action(call.tx, action.id))
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action([entry.criterion_id for entry in entries], set(published))
    newest = reviews.newest_submission(call.tx, action.id)
    submission = Submission(
        id=new_id(),
        action_id=action.id,
        claim_id=claim.id,
        build_id=claim.build_id,
        number=1 + (newest.number if newest else 0),
        pr_url=pr_url,
        summary=summary,
        head_sha=reports.newest_commit_sha_of_action(call.tx, action.id),
        submitted_by=call.actor.user_id,
        submitted_at=call.now,
    )
    reviews.add_submission(call.tx, submission)
    texts = [(published[entry.criterion_id], entry.evidence, submission.id) for entry in entries]
    evidence = add_evidence(call, EvidenceLevel.CLAIMED, submission.head_sha, texts)
    criteria = [published[criterion_id].criterion for criterion_id in {entry.criterion_id: None for entry in entries}]
    return SavedSubmission(submission, criteria, evidence)


def save_submitted_action(
    call: Call, facts: ActionFacts, submitted: SubmittedAction, saved_submission: SavedSubmission
) -> None:
    """The action, its event, and what the evidence changes."""
    agent_model = submitted.claim.agent_model
    actions.save_state_and_claim(call.tx, submitted.action)
    call.record(submitted.event, agent_model)
    advance_and_save_criteria_status(
        call, facts.action, saved_submission.criteria, CriterionStatus.VALIDATED, agent_model
    )
    add_ci_evidence_if_checks_passed(call, facts, saved_submission.submission.head_sha)


OPERATION = Operation(
    name="submit_for_review",
    title="Submit for review",
    description=(
        "Submit the finished action for review by a person. Call it once, when every criterion has a passed test and "
        "the pull request is open. Locks the action, frees your claim slot; criteria with evidence become validated. "
        "Refused: 422 you do not hold it, a question is open (get it answered), an unknown criterion, or in review "
        "already (resubmit_for_review); 409 your claim was lost."
    ),
    input=SubmitForReview,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
