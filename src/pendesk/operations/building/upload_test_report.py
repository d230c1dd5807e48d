"""upload_test_report: the report file of a test run, read by the server: evidence that is more than a word."""

from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.claim import ActionFacts, Claim
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event_data import TestReportUploadedData
from pendesk.domain.evidence import AddedEvidence, PublishedCriterion
from pendesk.domain.junit import parse_junit_report
from pendesk.domain.report import CriterionTestResult, Outcome, check_criteria_belong_to_action, parse_full_sha
from pendesk.domain.tap import parse_tap_report
from pendesk.domain.test_report import (
    CriterionTestTally,
    ReportedTest,
    build_criterion_aliases,
    check_patterns_within_wildcard_limit,
    tally_by_criterion_with_unmatched,
)
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import add_ci_evidence_if_checks_passed
from pendesk.operations.building.claim_guard import LateReport, find_and_lock_held_action, renew_or_resume_claim_if_due
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
from pendesk.store import criteria, reports

READERS = {"junit": parse_junit_report, "tap": parse_tap_report}
TestPattern = Annotated[str, Meta(min_length=1, max_length=limits.TEST_NAME_CHARS)]


class UploadTestReport(Input):
    action_pid: ActionPid
    format: Literal["junit", "tap"]
    content: Annotated[
        str, Meta(min_length=1, max_length=limits.REPORT_CHARS, description="The report file itself, as text.")
    ]
    sha: (
        Annotated[
            str,
            Meta(min_length=1, max_length=64, description="The tested commit; without it your newest one."),
        ]
        | None
    ) = None
    mapping: Annotated[
        dict[TestPattern, Ident],
        Meta(
            max_length=limits.REPORT_MAPPINGS,
            description="Test name -> criterion id, where the names do not tell. * stands for any text.",
        ),
    ] = {}
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


class CriterionTally(Output):
    criterion_id: str
    outcome: str
    passed: int
    failed: int


class ReportUploaded(Output):
    """unmapped: tests that are about none of the action's criteria; unmapped_names are the first of them."""

    recorded: bool
    action_pid: str
    sha: str | None
    tests: int
    passed: int
    failed: int
    skipped: int
    criteria: list[CriterionTally]
    unmapped: int
    unmapped_names: list[str]
    advisory: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: UploadTestReport) -> ReportUploaded:
    check_patterns_within_wildcard_limit(args.mapping)
    if len(args.content) > limits.REPORT_SHORT_CHARS:
        call.require_worker_thread()
    tests = READERS[args.format](args.content)
    if not tests:
        raise RuleBroken("The report has no tests, so it shows nothing. Upload that of a run.", code="empty_report")
    sha = parse_full_sha(args.sha) if args.sha is not None else None
    sent = _report_uploaded_event_data(args.format, sha, _count_by_outcome(tests))
    facts, claim = _lock_action_of_any_session(call, args, sent)
    published = published_criteria_by_id(call, facts)
    check_criteria_belong_to_action(list(args.mapping.values()), criterion_text_by_id(published))
    head = reports.newest_commit_sha_of_action(call.tx, facts.action.id)
    tallies, unmapped = _tallies_and_unmapped_tests(call, facts, args, tests, published)
    passed = [published[result.criterion_id] for result in tallies if result.outcome == Outcome.PASSED]
    added = _save_results_and_evidence(call, claim, args.format, sha or head, tallies, published)
    unmapped_names = [test.name for test in unmapped[: limits.TEST_NAMES_SHOWN]]
    event_data = replace(
        sent,
        criteria=[{"criterionId": result.criterion_id, "outcome": result.outcome} for result in tallies],
        unmapped=len(unmapped),
        unmapped_names=unmapped_names,
        evidence_added=added.event_data(),
    )
    call.record(action_event(facts.action, "test_report.uploaded", event_data), claim.agent_model)
    moving = [entry.criterion for entry in passed]
    advance_and_save_criteria_status(call, facts.action, moving, CriterionStatus.VALIDATED, claim.agent_model)
    add_ci_evidence_if_checks_passed(call, facts, head)
    renew_or_resume_claim_if_due(call, facts, claim)
    return ReportUploaded(
        recorded=True,
        action_pid=facts.action.id,
        sha=sha or head,
        tests=len(tests),
        **_count_by_outcome(tests),
        criteria=[_criterion_tally_result(result) for result in tallies],
        unmapped=len(unmapped),
        unmapped_names=unmapped_names,
        advisory=outdated_brief_advisory(call, facts, claim, args.brief_rev),
        news=pop_unread_news(call, facts),
    )


def _tallies_and_unmapped_tests(
    call: Call,
    facts: ActionFacts,
    args: UploadTestReport,
    tests: list[ReportedTest],
    published_by_id: dict[str, PublishedCriterion],
) -> tuple[list[CriterionTestTally], list[ReportedTest]]:
    """The tests by criterion, in the order of the criteria, and those that are about none of them."""
    neighbours = [
        entry
        for entry in criteria.ids_with_neighbours_in_id_order(call.tx, facts.action.id)
        if entry[0] in published_by_id
    ]
    names = build_criterion_aliases(neighbours, facts.project_key, facts.action.ref_number)
    tallies, unmapped = tally_by_criterion_with_unmatched(tests, names, args.mapping)
    return [tallies[criterion_id] for criterion_id in published_by_id if criterion_id in tallies], unmapped


def _lock_action_of_any_session(
    call: Call, args: UploadTestReport, sent: TestReportUploadedData
) -> tuple[ActionFacts, Claim]:
    """A CI job has a token of its own, and reports on what an agent of the same user builds."""
    late: LateReport = ("test_report.uploaded", sent)
    return find_and_lock_held_action(call, args.action_pid, args.claim_id, late, any_session=True)


def _report_uploaded_event_data(
    report_format: str, sha: str | None, count_by_outcome: dict[str, int]
) -> TestReportUploadedData:
    return TestReportUploadedData(
        format=report_format,
        sha=sha,
        passed=count_by_outcome["passed"],
        failed=count_by_outcome["failed"],
        skipped=count_by_outcome["skipped"],
    )


def _criterion_tally_result(tally: CriterionTestTally) -> CriterionTally:
    return CriterionTally(
        criterion_id=tally.criterion_id,
        outcome=tally.outcome,
        passed=len(tally.passed),
        failed=len(tally.failed),
    )


def _count_by_outcome(tests: list[ReportedTest]) -> dict[str, int]:
    counts: dict[str, int] = {"passed": 0, "failed": 0, "skipped": 0}
    for test in tests:
        counts[test.outcome] += 1
    return counts


def _save_results_and_evidence(
    call: Call,
    claim: Claim,
    report_format: str,
    sha: str | None,
    tallies: list[CriterionTestTally],
    published_by_id: dict[str, PublishedCriterion],
) -> AddedEvidence:
    """A failure is recorded and changes no status; a pass validates, and the file shows it."""
    texts: list[tuple[PublishedCriterion, str, str]] = []
    for criterion_tally in tallies:
        criterion = published_by_id[criterion_tally.criterion_id]
        result = CriterionTestResult(
            id=new_id(),
            action_id=criterion.criterion.action_id,
            criterion_id=criterion_tally.criterion_id,
            outcome=criterion_tally.outcome,
            evidence=criterion_tally.summary(report_format),
            sha=sha,
            reported_by=call.actor.user_id,
            reported_at=call.now,
            claim_id=claim.id,
        )
        reports.add_test_result(call.tx, result)
        if result.outcome == Outcome.PASSED:
            texts.append((criterion, result.evidence, result.id))
    return add_evidence(call, EvidenceLevel.ARTIFACT, sha, texts)


OPERATION = Operation(
    name="upload_test_report",
    title="Upload a test report",
    description=(
        "Give the JUnit XML or TAP file of a test run on the action you hold. Tests are matched to criteria by the "
        "criterion's id (or its beginning) or AC-<n> in their name, class or properties, or by mapping; a criterion "
        "whose tests all passed becomes validated with evidence of level artifact. Refused: 422 not such a report, "
        "no tests, an unknown criterion or no claim, 409 your claim was lost (the totals are saved)."
    ),
    input=UploadTestReport,
    output=ReportUploaded,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
