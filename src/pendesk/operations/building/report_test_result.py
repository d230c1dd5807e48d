"""report_test_result: how the tests of one criterion came out."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import MESSAGE_CHARS
from pendesk.domain.report import CriterionTest, Outcome, check_criteria_known
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import give_ci_evidence
from pendesk.operations.building.claim_guard import about, hold, keep_alive
from pendesk.operations.building.evidence import Told, give_evidence, told_criteria
from pendesk.operations.building.results import NewsItem, advisory, take_news
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import criteria, reports


class ReportTestResult(Input):
    action_pid: ActionPid
    criterion_id: Annotated[Ident, Meta(description="The criterion's id from the brief.")]
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
    sent: dict[str, object] = {
        "criterionId": args.criterion_id,
        "outcome": args.outcome,
        "evidence": args.evidence,
    }
    facts = hold(call, args.action_pid, args.claim_id, ("test.reported", sent), after_review=True)
    assert facts.claim is not None
    told = told_criteria(call, facts)
    check_criteria_known([args.criterion_id], set(told))
    result = _record(call, args, told[args.criterion_id])
    call.record(about(facts, "test.reported", sent, result.id), facts.claim.agent_model)
    if args.outcome == "passed":
        give_ci_evidence(call, facts, result.sha)
    keep_alive(call, facts, facts.claim)
    return ResultReported(
        recorded=True,
        action_pid=facts.action.id,
        criterion_id=args.criterion_id,
        outcome=args.outcome,
        advisory=advisory(facts, facts.claim, args.brief_rev),
        news=take_news(call, facts),
    )


def _record(call: Call, args: ReportTestResult, told: Told) -> CriterionTest:
    """A failure is recorded and changes no status; a pass validates and is evidence, on the agent's word."""
    action_id = told.criterion.action_id
    result = CriterionTest(
        id=new_id(),
        action_id=action_id,
        criterion_id=told.criterion.id,
        outcome=args.outcome,
        evidence=args.evidence,
        sha=reports.head_sha(call.tx, action_id),
        reported_by=call.actor.user_id,
        reported_at=call.now,
    )
    reports.add_test_result(call.tx, result)
    if args.outcome == "passed":
        criteria.advance(call.tx, [told.criterion.id], "validated")
        give_evidence(call, told, "claimed", result.sha, args.evidence, result.id)
    return result


OPERATION = Operation(
    name="report_test_result",
    title="Report a test result",
    description=(
        "Record how the tests of one acceptance criterion came out. Call it once per criterion after each run; a "
        "failed run first is honest and welcome. Returns recorded. passed makes the criterion validated, failed "
        "changes no status. Refused: 422 unknown criterion (ids are in the brief) or you do not hold the action, 409 "
        "your claim was lost (stop; the result is kept)."
    ),
    input=ReportTestResult,
    output=ResultReported,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
