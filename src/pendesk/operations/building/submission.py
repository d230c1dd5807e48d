"""What submitting and resubmitting share: what an agent sends, and the submission that it becomes."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.clarification import check_no_open_questions
from pendesk.domain.criterion import Criterion, CriterionStatus, EvidenceLevel
from pendesk.domain.deviation import CommandResult, Deviation
from pendesk.domain.errors import BadField
from pendesk.domain.evidence import AddedEvidence, EvidenceState, PublishedCriterion, evidence_state
from pendesk.domain.limits import ACTION_CRITERIA, BRANCH_CHARS, COMMAND_CHARS, LIST_ITEMS, MESSAGE_CHARS
from pendesk.domain.project import Project
from pendesk.domain.report import Outcome, check_criteria_belong_to_action, parse_full_sha
from pendesk.domain.review import (
    Submission,
    SubmittedCode,
    UnmetCriterion,
    check_every_criterion_is_proven,
    check_failing_criteria_are_declared,
    check_reviewer_can_find_code,
    unproven_criteria,
)
from pendesk.domain.review_transitions import SubmittedAction
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.evidence import (
    add_evidence,
    advance_and_save_criteria_status,
    criterion_text_by_id,
    published_criteria_by_id,
)
from pendesk.operations.building.results import ActionResult
from pendesk.operations.changes.deviations import ADVISORY as DEVIATES
from pendesk.operations.changes.deviations import deviation_results, record_deviations
from pendesk.operations.changes.save_change import bind_pending_change
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident, Message, Url
from pendesk.operations.github.queue_fetch import queue_fetch
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input
from pendesk.store import actions, clarifications, criteria, deviations, projects, reports, reviews

UNPROVEN = (
    "No passed test and no evidence for {ids}. The reviewer sees these first; if you can show them, use "
    "resubmit_for_review with the same pr_url, or branch and head_sha, and that as evidence."
)


class EvidenceEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Annotated[Ident, Meta(description="From the brief.")]
    evidence: Annotated[Message, Meta(description="E.g. 12/12 tests passed.")]


class UnmetEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True, rename="camel"):
    criterion_id: Annotated[Ident, Meta(description="From the brief.")]
    reason: Annotated[Message, Meta(description="Why it is not met.")]


class CommandEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    command: Annotated[str, Meta(min_length=1, max_length=COMMAND_CHARS, pattern=r"\S", description="As in the spec.")]
    outcome: Annotated[Outcome, Meta(description="Its result.")]
    evidence: Annotated[str, Meta(max_length=MESSAGE_CHARS, description="Its output.")] = ""


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
                description="Instead of pr_url, with head_sha.",
            ),
        ]
        | None
    ) = None
    head_sha: Annotated[str, Meta(min_length=1, max_length=64, description="The full SHA of the branch.")] | None = None
    evidence: Annotated[
        list[EvidenceEntry],
        Meta(max_length=ACTION_CRITERIA, description="One per criterion."),
    ] = []
    unmet: Annotated[list[UnmetEntry], Meta(max_length=ACTION_CRITERIA, description="Criteria that do not hold.")] = []
    commands: Annotated[
        list[CommandEntry], Meta(max_length=LIST_ITEMS, description="Results of the spec's {run: ...}.")
    ] = []
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


class SavedSubmission(NamedTuple):
    """`criteria` are those that it has evidence for; `unproven` those for which nothing was ever shown.
    `deviations`: from what was agreed.
    """

    submission: Submission
    criteria: list[Criterion]
    evidence: AddedEvidence
    unmet_ids: list[str]
    unproven: list[Criterion]
    deviations: list[Deviation]


def submitted_code(args: SubmittedWork) -> SubmittedCode:
    head_sha = parse_full_sha(args.head_sha, "head_sha") if args.head_sha is not None else None
    return SubmittedCode(args.pr_url, args.branch, head_sha)


def create_submission(
    call: Call, facts: ActionFacts, claim: Claim, args: SubmittedWork, code: SubmittedCode
) -> SavedSubmission:
    """No open question, code that the reviewer can find, criteria that are known and not failing; then the next number,
    and the evidence.
    """
    acknowledge_messages(call, args.summary)
    project = projects.by_id(call.tx, facts.action.project_id)
    assert project is not None
    check_no_open_questions(clarifications.of_action(call.tx, facts.action.id))
    check_reviewer_can_find_code(code, project.key, project.repository_url)
    published = published_criteria_by_id(call, facts)
    evidenced_ids = list(dict.fromkeys(entry.criterion_id for entry in args.evidence))
    unmet_ids = [entry.criterion_id for entry in args.unmet]
    check_criteria_belong_to_action([*evidenced_ids, *unmet_ids], criterion_text_by_id(published))
    unproven = _check_criteria_and_list_unproven(call, facts, args, published, project)
    submission = next_submission(call, facts, claim, args.summary, code)
    unmet = [UnmetCriterion(submission.id, entry.criterion_id, entry.reason) for entry in args.unmet]
    reviews.add_submission(call.tx, submission, unmet)
    _save_commands(call, submission, args)
    queue_fetch(call, project, submission)
    recorded = record_deviations(call, facts, submission, bind_pending_change(call, submission))
    texts = [(published[entry.criterion_id], entry.evidence, submission.id) for entry in args.evidence]
    evidence = add_evidence(call, EvidenceLevel.CLAIMED, submission.head_sha, texts)
    evidenced = [published[criterion_id].criterion for criterion_id in evidenced_ids]
    return SavedSubmission(submission, evidenced, evidence, unmet_ids, unproven, recorded)


def _save_commands(call: Call, submission: Submission, args: SubmittedWork) -> None:
    deviations.add_commands(
        call.tx,
        [
            CommandResult(submission.id, position, entry.command, entry.outcome, entry.evidence)
            for position, entry in enumerate(args.commands)
        ],
    )


def _check_criteria_and_list_unproven(
    call: Call,
    facts: ActionFacts,
    args: SubmittedWork,
    published: dict[str, PublishedCriterion],
    project: Project,
) -> list[Criterion]:
    histories = criteria.evidence_history_by_criterion_id(call.tx, facts.action.id)
    states = {criterion_id: evidence_state(histories[criterion_id]) for criterion_id in published}
    unmet_ids = _check_unmet_entries(args, states)
    published_criteria = [entry.criterion for entry in published.values()]
    check_failing_criteria_are_declared(published_criteria, states, unmet_ids)
    unproven = unproven_criteria(
        published_criteria, states, unmet_ids | {entry.criterion_id for entry in args.evidence}
    )
    if project.require_evidence:
        check_every_criterion_is_proven(project.key, unproven)
    return unproven


def _check_unmet_entries(args: SubmittedWork, state_by_criterion: Mapping[str, EvidenceState]) -> set[str]:
    """Each once, and not shown to hold by the same submission; what failed may have both, and stays failing."""
    evidenced_ids = {entry.criterion_id for entry in args.evidence}
    unmet_ids: set[str] = set()
    for index, entry in enumerate(args.unmet):
        field = f"unmet[{index}].criterionId"
        if entry.criterion_id in unmet_ids:
            raise BadField(field, "this criterion stands in unmet already; give one reason.")
        if entry.criterion_id in evidenced_ids and state_by_criterion[entry.criterion_id] != EvidenceState.FAILING:
            raise BadField(field, "this criterion has evidence in the same submission; send evidence or unmet.")
        unmet_ids.add(entry.criterion_id)
    return unmet_ids


def add_concerns(result: ActionResult, saved: SavedSubmission) -> ActionResult:
    """What the agent should know before a person does: nothing was shown for a criterion, or the scope was left."""
    result.deviations = deviation_results(saved.deviations)
    advisories = [result.advisory] if result.advisory else []
    if saved.unproven:
        advisories.append(UNPROVEN.format(ids=", ".join(criterion.id for criterion in saved.unproven)))
    if result.deviations:
        advisories.append(DEVIATES)
    result.advisory = " ".join(advisories) or None
    return result


def next_submission(call: Call, facts: ActionFacts, claim: Claim, summary: str, code: SubmittedCode) -> Submission:
    newest = reviews.newest_submission(call.tx, facts.action.id)
    return Submission(
        id=new_id(),
        action_id=facts.action.id,
        claim_id=claim.id,
        build_id=claim.build_id,
        number=1 + (newest.number if newest else 0),
        pr_url=code.pr_url,
        summary=summary,
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
    actions.save_state_and_claim(call.tx, facts.action, submitted.action)
    call.record(submitted.event, agent_model)
    advance_and_save_criteria_status(
        call, facts.action, saved_submission.criteria, CriterionStatus.VALIDATED, agent_model
    )
    add_ci_evidence_if_checks_passed(call, facts, saved_submission.submission.head_sha)
