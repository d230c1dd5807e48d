"""What submitting and resubmitting share: what an agent sends, and the submission that it becomes."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.clarification import check_no_open_questions
from pendesk.domain.criterion import Criterion, CriterionStatus, EvidenceLevel
from pendesk.domain.evidence import AddedEvidence
from pendesk.domain.limits import ACTION_CRITERIA, BRANCH_CHARS
from pendesk.domain.report import check_criteria_belong_to_action, parse_full_sha
from pendesk.domain.review import Submission, SubmittedCode, check_reviewer_can_find_code
from pendesk.domain.review_transitions import SubmittedAction
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.evidence import (
    add_evidence,
    advance_and_save_criteria_status,
    published_criteria_by_id,
)
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident, Message, Url
from pendesk.operations.operation import Call, Input
from pendesk.store import actions, clarifications, projects, reports, reviews


class EvidenceEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Annotated[Ident, Meta(description="From the brief.")]
    evidence: Annotated[Message, Meta(description="What shows it, e.g. 12/12 passed in tests/test_auth.py.")]


class SubmittedWork(Input):
    action_pid: ActionPid
    summary: Annotated[Message, Meta(description="2-4 sentences for the reviewer: what was done and how it was shown.")]
    pr_url: Annotated[Url, Meta(description="The pull request.")] | None = None
    branch: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=BRANCH_CHARS,
                description="With head_sha instead of pr_url, if the project has no repository URL.",
            ),
        ]
        | None
    ) = None
    head_sha: Annotated[str, Meta(min_length=1, max_length=64, description="The branch's head, in full.")] | None = None
    evidence: Annotated[
        list[EvidenceEntry],
        Meta(max_length=ACTION_CRITERIA, description="One entry per acceptance criterion."),
    ] = []
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


class SavedSubmission(NamedTuple):
    """`criteria` are those that it has evidence for."""

    submission: Submission
    criteria: list[Criterion]
    evidence: AddedEvidence


def submitted_code(args: SubmittedWork) -> SubmittedCode:
    head_sha = parse_full_sha(args.head_sha, "head_sha") if args.head_sha is not None else None
    return SubmittedCode(args.pr_url, args.branch, head_sha)


def create_submission(
    call: Call, facts: ActionFacts, claim: Claim, args: SubmittedWork, code: SubmittedCode
) -> SavedSubmission:
    """No open question, code that the reviewer can find, known criteria; then the next number, and the evidence."""
    action = facts.action
    check_no_open_questions(clarifications.of_action(call.tx, action.id))
    project = projects.by_id(call.tx, action.project_id)
    assert project is not None
    check_reviewer_can_find_code(code, project.key, project.repository_url)
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action([entry.criterion_id for entry in args.evidence], set(published))
    submission = _next_submission(call, facts, claim, args, code)
    reviews.add_submission(call.tx, submission)
    texts = [(published[entry.criterion_id], entry.evidence, submission.id) for entry in args.evidence]
    evidence = add_evidence(call, EvidenceLevel.CLAIMED, submission.head_sha, texts)
    shown_ids = dict.fromkeys(entry.criterion_id for entry in args.evidence)
    return SavedSubmission(submission, [published[criterion_id].criterion for criterion_id in shown_ids], evidence)


def _next_submission(
    call: Call, facts: ActionFacts, claim: Claim, args: SubmittedWork, code: SubmittedCode
) -> Submission:
    newest = reviews.newest_submission(call.tx, facts.action.id)
    return Submission(
        id=new_id(),
        action_id=facts.action.id,
        claim_id=claim.id,
        build_id=claim.build_id,
        number=1 + (newest.number if newest else 0),
        pr_url=code.pr_url,
        summary=args.summary,
        head_sha=code.head_sha or reports.newest_commit_sha_of_action(call.tx, facts.action.id),
        submitted_by=call.actor.user_id,
        submitted_at=call.now,
        branch=code.branch,
    )


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
