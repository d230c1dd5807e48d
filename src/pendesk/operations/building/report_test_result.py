"""report_test_result: how the tests of one criterion came out."""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.claim import Claim
from pendesk.domain.criterion import Criterion, CriterionStatus, EvidenceLevel
from pendesk.domain.event_data import TestReportedData
from pendesk.domain.limits import MESSAGE_CHARS
from pendesk.domain.report import CriterionTestResult, Outcome, check_criteria_belong_to_action
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.claim_guard import find_and_lock_held_action, renew_or_resume_claim_if_due
from pendesk.operations.building.evidence import (
    add_evidence,
    advance_and_save_criteria_status,
    criterion_text_by_id,
    published_criteria_by_id,
)
from pendesk.operations.building.results import outdated_brief_advisory
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.session_news import NewsItem, pop_unread_news
from pendesk.store import reports


class ReportTestResult(Input):
    action_pid: ActionPid
    criterion_id: Annotated[Ident, Meta(description="From the brief.")]
    outcome: Annotated[Outcome, Meta(description="Of all its tests together.")]
    evidence: Annotated[
        str,
        Meta(max_length=MESSAGE_CHARS, description="Where to see it, e.g. 12/12 passed in tests/test_auth.py."),
    ] = ""
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


class ResultReported(Output):
    recorded: bool
    action_pid: str
    criterion_id: str
    outcome: str
    advisory: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: ReportTestResult) -> ResultReported:
    sent = TestReportedData(criterion_id=args.criterion_id, outcome=args.outcome, evidence=args.evidence)
    held = find_and_lock_held_action(call, args.action_pid, args.claim_id, ("test.reported", sent))
    facts, claim = held
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action([args.criterion_id], criterion_text_by_id(published))
    criterion = published[args.criterion_id]
    result = _save_result(call, args, criterion.criterion, claim)
    # A failure is recorded and changes no status; a pass validates and is evidence, on the agent's word.
    passed = [criterion] if args.outcome == Outcome.PASSED else []
    evidence = [(criterion, args.evidence, result.id) for criterion in passed]
    added = add_evidence(call, EvidenceLevel.CLAIMED, result.sha, evidence)
    event = action_event(facts.action, "test.reported", replace(sent, evidence_added=added.event_data()), result.id)
    call.record(event, claim.agent_model)
    if passed:
        advance_and_save_criteria_status(
            call, facts.action, [criterion.criterion], CriterionStatus.VALIDATED, claim.agent_model
        )
        add_ci_evidence_if_checks_passed(call, facts, result.sha)
    renew_or_resume_claim_if_due(call, facts, claim)
    return ResultReported(
        recorded=True,
        action_pid=facts.action.id,
        criterion_id=args.criterion_id,
        outcome=args.outcome,
        advisory=outdated_brief_advisory(call, facts, claim, args.brief_rev),
        news=pop_unread_news(call, facts),
    )


def _save_result(call: Call, args: ReportTestResult, criterion: Criterion, claim: Claim) -> CriterionTestResult:
    result = CriterionTestResult(
        id=new_id(),
        action_id=criterion.action_id,
        criterion_id=criterion.id,
        outcome=args.outcome,
        evidence=args.evidence,
        sha=reports.newest_commit_sha_of_action(call.tx, criterion.action_id),
        reported_by=call.actor.user_id,
        reported_at=call.now,
        claim_id=claim.id,
    )
    reports.add_test_result(call.tx, result)
    return result


OPERATION = Operation(
    name="report_test_result",
    title="Report a test result",
    description=(
        "Record how the tests of one acceptance criterion came out. Call it once per criterion after each run; a "
        "failed run first is honest and welcome. passed makes the criterion validated, failed makes it failing. "
        "Refused: 422 unknown criterion or you do not hold the action, 409 your claim was lost (stop; the result is "
        "saved)."
    ),
    input=ReportTestResult,
    output=ResultReported,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
