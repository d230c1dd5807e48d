"""upload_test_report: the report file of a test run, read by the server: evidence that is more than a word."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.junit import read_junit
from pendesk.domain.report import CriterionTest, check_criteria_known, full_sha
from pendesk.domain.tap import read_tap
from pendesk.domain.test_report import ReportedTest, Tally, check_mapping, names_of, tally
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import give_ci_evidence
from pendesk.operations.building.claim_guard import about, hold, keep_alive
from pendesk.operations.building.evidence import Told, give_evidence, told_criteria
from pendesk.operations.building.results import NewsItem, advisory, take_news
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import criteria, reports
from pendesk.store.actions import ActionFacts

READERS = {"junit": read_junit, "tap": read_tap}
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
    check_mapping(args.mapping)
    if len(args.content) > limits.REPORT_SHORT_CHARS:
        call.take_time()
    tests = READERS[args.format](args.content)
    if not tests:
        raise RuleBroken("The report has no tests, so it shows nothing. Upload that of a run.", code="empty_report")
    sha = full_sha(args.sha) if args.sha is not None else None
    sent: dict[str, object] = {"format": args.format, "sha": sha, **_counts(tests)}
    facts = hold(call, args.action_pid, args.claim_id, ("test_report.uploaded", sent), after_review=True)
    assert facts.claim is not None
    action = facts.action
    told = told_criteria(call, facts)
    check_criteria_known(list(args.mapping.values()), set(told))
    head = reports.head_sha(call.tx, action.id)
    asked_for = [each for each in criteria.neighbours(call.tx, action.id) if each[0] in told]
    names = names_of(asked_for, facts.project_key, action.ref_number)
    found, unmapped = tally(tests, names, args.mapping)
    tallies = [found[criterion_id] for criterion_id in told if criterion_id in found]
    _record(call, args.format, sha or head, [(one, told[one.criterion_id]) for one in tallies])
    give_ci_evidence(call, facts, head)
    unmapped_names = [test.name for test in unmapped[: limits.TEST_NAMES_SHOWN]]
    _tell(call, facts, sent, tallies, {"unmapped": len(unmapped), "unmappedNames": unmapped_names})
    keep_alive(call, facts, facts.claim)
    return ReportUploaded(
        recorded=True,
        action_pid=action.id,
        sha=sha or head,
        tests=len(tests),
        **_counts(tests),
        criteria=[
            CriterionTally(
                criterion_id=one.criterion_id, outcome=one.outcome, passed=len(one.passed), failed=len(one.failed)
            )
            for one in tallies
        ],
        unmapped=len(unmapped),
        unmapped_names=unmapped_names,
        advisory=advisory(facts, facts.claim, args.brief_rev),
        news=take_news(call, facts),
    )


def _counts(tests: list[ReportedTest]) -> dict[str, int]:
    found: dict[str, int] = {"passed": 0, "failed": 0, "skipped": 0}
    for test in tests:
        found[test.outcome] += 1
    return found


def _record(call: Call, form: str, sha: str | None, tallies: list[tuple[Tally, Told]]) -> None:
    """A failure is recorded and changes no status; a pass validates, and the file shows it."""
    for one, told in tallies:
        result = CriterionTest(
            id=new_id(),
            action_id=told.criterion.action_id,
            criterion_id=one.criterion_id,
            outcome=one.outcome,
            evidence=one.text(form),
            sha=sha,
            reported_by=call.actor.user_id,
            reported_at=call.now,
        )
        reports.add_test_result(call.tx, result)
        if one.outcome == "passed":
            give_evidence(call, told, "artifact", sha, result.evidence, result.id)
    criteria.advance(call.tx, [one.criterion_id for one, _ in tallies if one.outcome == "passed"], "validated")


def _tell(
    call: Call, facts: ActionFacts, sent: dict[str, object], tallies: list[Tally], unmapped: dict[str, object]
) -> None:
    assert facts.claim is not None
    about_criteria = [{"criterionId": one.criterion_id, "outcome": one.outcome} for one in tallies]
    data: dict[str, object] = {**sent, "criteria": about_criteria, **unmapped}
    call.record(about(facts, "test_report.uploaded", data), facts.claim.agent_model)


OPERATION = Operation(
    name="upload_test_report",
    title="Upload a test report",
    description=(
        "Give the JUnit XML or TAP file of a test run on the action you hold. Tests are matched to criteria by the "
        "criterion's id (or its beginning) or AC-<n> in their name, class or properties, or by mapping; a criterion "
        "whose tests all passed becomes validated with evidence of level artifact. Refused: 422 not such a report, "
        "no tests, an unknown criterion or no claim, 409 your claim was lost (the totals are kept)."
    ),
    input=UploadTestReport,
    output=ReportUploaded,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
