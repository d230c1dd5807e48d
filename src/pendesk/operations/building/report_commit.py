"""report_commit: one git commit, and the criteria it implements."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import CriterionStatus
from pendesk.domain.event_data import CommitReportedData
from pendesk.domain.limits import ACTION_CRITERIA, BRANCH_CHARS, MESSAGE_CHARS
from pendesk.domain.report import Commit, check_criteria_belong_to_action, parse_full_sha
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.claim_guard import find_and_lock_held_action, renew_or_resume_claim_if_due
from pendesk.operations.building.evidence import (
    advance_and_save_criteria_status,
    criterion_text_by_id,
    published_criteria_by_id,
)
from pendesk.operations.building.results import outdated_brief_advisory
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.session_news import NewsItem, pop_unread_news
from pendesk.store import actions, github, reports


class ReportCommit(Input):
    action_pid: ActionPid
    sha: Annotated[str, Meta(min_length=1, max_length=64, description="The full SHA, as git rev-parse HEAD prints it.")]
    message: Annotated[
        str, Meta(min_length=1, max_length=MESSAGE_CHARS, pattern=r"\S", description="The commit message.")
    ]
    files_changed: Annotated[int, Meta(ge=0, le=1_000_000, description="How many.")] | None = None
    criterion_ids: Annotated[
        list[Ident],
        Meta(
            max_length=ACTION_CRITERIA,
            description="Ids from the brief of the criteria it implements.",
        ),
    ] = []
    branch: (
        Annotated[
            str,
            Meta(min_length=1, max_length=BRANCH_CHARS, description="Its branch, where the next holder finds it."),
        ]
        | None
    ) = None
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


class CommitReported(Output):
    recorded: bool
    action_pid: str
    sha: str
    advisory: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: ReportCommit) -> CommitReported:
    sha = parse_full_sha(args.sha)
    sent = CommitReportedData(sha=sha, message=args.message, criterion_ids=args.criterion_ids, branch=args.branch)
    held = find_and_lock_held_action(
        call,
        args.action_pid,
        args.claim_id,
        ("commit.reported", sent),
        lock_first=_lock_github_webhook,
    )
    facts, claim = held
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action(args.criterion_ids, criterion_text_by_id(published))
    commit_id = _save_commit_and_get_id(call, facts, args, sha)
    reports.link_commit(call.tx, commit_id, claim, args.criterion_ids)
    call.record(action_event(facts.action, "commit.reported", sent, commit_id), claim.agent_model)
    named = [published[criterion_id].criterion for criterion_id in dict.fromkeys(args.criterion_ids)]
    advance_and_save_criteria_status(call, facts.action, named, CriterionStatus.IMPLEMENTED, claim.agent_model)
    add_ci_evidence_if_checks_passed(call, facts, sha)
    renew_or_resume_claim_if_due(call, facts, claim)
    return CommitReported(
        recorded=True,
        action_pid=facts.action.id,
        sha=sha,
        advisory=outdated_brief_advisory(call, facts, claim, args.brief_rev),
        news=pop_unread_news(call, facts),
    )


def _lock_github_webhook(call: Call, action_id_or_ref: str) -> None:
    """The project's webhook, so that this commit and a check of it see each other."""
    action_id = actions.resolve_id(call.tx, action_id_or_ref)
    if action_id is not None:
        github.lock_webhook_of_action_project(call.tx, action_id)


def _save_commit_and_get_id(call: Call, facts: ActionFacts, args: ReportCommit, sha: str) -> str:
    """One record per SHA, whoever reported it first; what the webhook left out is filled in."""
    known = reports.commit_by_sha(call.tx, facts.action.project_id, sha)
    if known is not None:
        reports.fill_missing_fields(call.tx, known, args.branch, args.files_changed)
        return known.id
    commit = Commit(
        id=new_id(),
        project_id=facts.action.project_id,
        sha=sha,
        message=args.message,
        files_changed=args.files_changed,
        branch=args.branch,
        source="agent",
        reported_by=call.actor.user_id,
        reported_at=call.now,
    )
    reports.add_commit(call.tx, commit)
    return commit.id


OPERATION = Operation(
    name="report_commit",
    title="Report a commit",
    description=(
        "Record one git commit for the action you hold. Call it after every commit, once it cannot change any more. "
        "The criteria it names become implemented; the same SHA twice is one record. Refused: 422 a short SHA, an "
        "unknown criterion, or you do not hold the action, 409 your claim was lost (stop; the commit is saved)."
    ),
    input=ReportCommit,
    output=CommitReported,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
