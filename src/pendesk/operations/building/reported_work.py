"""What was reported for an action so far: by the caller's own session, by the holders before, by a webhook alone."""

from collections.abc import Iterable
from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    ClaimState,
    has_live_lease,
    holder_label,
    is_held_even_if_expired,
)
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_data import CommitReportedData, LateReportData, TestReportedData
from pendesk.domain.limits import BRIEF_CLAIMS, BRIEF_REPORTS, BRIEF_REPORTS_SHOWN, LABEL_CHARS
from pendesk.domain.report import Commit, CriterionTestResult
from pendesk.operations.building.brief_results import Brief, HandOver, LateReportBrief, ResultBrief, YourWork
from pendesk.operations.operation import Call
from pendesk.store import claims, events, reports
from pendesk.store.action_records import ActionRecords
from pendesk.store.claims import ClaimWithHolder
from pendesk.store.engine.json_text import from_json


class Reports(NamedTuple):
    """The newest first, each commit with the claim under which it was reported."""

    commits: list[tuple[Commit, str | None]]
    results: list[CriterionTestResult]

    def commits_under(self, holders: Iterable[ClaimWithHolder]) -> list[Commit]:
        claim_ids = {holder.claim.id for holder in holders}
        return [commit for commit, claim_id in self.commits if claim_id in claim_ids]

    def results_under(self, holders: Iterable[ClaimWithHolder]) -> list[CriterionTestResult]:
        claim_ids = {holder.claim.id for holder in holders}
        return [result for result in self.results if result.claim_id in claim_ids]


def add_reported_work(
    call: Call, facts: ActionFacts, own_claim: Claim | None, records: ActionRecords, brief: Brief, *, as_nobody: bool
) -> None:
    """With `as_nobody` nothing is the caller's own: as whoever claims the action next will read it."""
    reported = _newest_reports(call, facts.action.id, records)
    holders = _newest_holders(call, facts, own_claim)
    own = [] if as_nobody else [holder for holder in holders if _is_own(call, holder.claim, own_claim)]
    earlier = [holder for holder in holders if holder not in own]
    brief.your_work = _your_work(call, facts, own, reported)
    brief.hand_over = _hand_over(call, earlier, reported)
    unreported = [commit for commit, claim_id in reported.commits if claim_id is None]
    brief.unreported_commits = _commit_lines(unreported, None)


def _newest_reports(call: Call, action_id: str, records: ActionRecords) -> Reports:
    return Reports(
        reports.commits_of_action_with_claim_id(call.tx, action_id, BRIEF_REPORTS) if records.commits else [],
        reports.newest_test_results(call.tx, action_id, BRIEF_REPORTS) if records.test_results else [],
    )


def _newest_holders(call: Call, facts: ActionFacts, own_claim: Claim | None) -> list[ClaimWithHolder]:
    """Whoever has the first claim has nobody before them."""
    if facts.action.fence == 0:
        return []
    if own_claim is not None and own_claim.fence == 1:
        return [ClaimWithHolder(own_claim, facts.holder, None)]
    return claims.newest_of_action_with_holder(call.tx, facts.action.id, BRIEF_CLAIMS)


def _is_own(call: Call, claim: Claim, own_claim: Claim | None) -> bool:
    """Of the same agent session, or of the person in person."""
    session_id = call.agent_session.id if call.agent_session else None
    return (own_claim is not None and claim.id == own_claim.id) or (
        claim.user_id == call.actor.user_id and claim.session_id == session_id
    )


def _your_work(call: Call, facts: ActionFacts, own: list[ClaimWithHolder], reported: Reports) -> YourWork | None:
    commits = reported.commits_under(own)
    work = YourWork(
        branch=_newest_branch(commits),
        commits=_commit_lines(commits, _newest_branch(commits)),
        results=_result_briefs(reported.results_under(own)),
        last_progress=_newest_message(own),
        late_reports=_late_reports(call, facts.action.id, own),
    )
    return work if work != YourWork() else None


def _late_reports(call: Call, action_id: str, own: list[ClaimWithHolder]) -> list[LateReportBrief]:
    if all(holder.claim.state == ClaimState.ACTIVE for holder in own):
        return []  # only who has lost a claim is too late
    session_id = call.agent_session.id if call.agent_session else None
    sent = events.late_reports(call.tx, action_id, call.actor.user_id, session_id, BRIEF_REPORTS_SHOWN)
    return [_late_report_brief(event) for event in sent]


def _late_report_brief(event: LoggedEvent) -> LateReportBrief:
    late = LateReportData.from_wire(from_json(event.data))
    match late.sent:
        case CommitReportedData(sha=sha, message=message):
            text = f"{sha} {_first_line(message)}"
        case TestReportedData(criterion_id=criterion_id, outcome=outcome):
            text = f"{criterion_id} {outcome}"
        case sent:
            text = _first_line(sent.user_written_text())
    return LateReportBrief(report=late.report, at=to_iso(event.at), text=text)


def _hand_over(call: Call, earlier: list[ClaimWithHolder], reported: Reports) -> HandOver | None:
    if not earlier or has_live_lease(earlier[0].claim, call.now):
        return None  # at work: there is nothing to take over
    newest = earlier[0]
    claim, commits = newest.claim, reported.commits_under(earlier)
    branch = _newest_branch(commits)
    return HandOver(
        holder=holder_label(newest.user, newest.agent, is_callers_user=claim.user_id == call.actor.user_id),
        agent_model=claim.agent_model,
        ended="expired" if is_held_even_if_expired(claim) else claim.state,
        branch=branch,
        commits=_commit_lines(commits, branch),
        last_progress=_newest_message(earlier),
        results=_result_briefs(_newest_of_each_criterion(reported.results_under(earlier))),
    )


def _newest_message(holders: list[ClaimWithHolder]) -> str | None:
    return next((holder.claim.last_message for holder in holders if holder.claim.last_message), None)


def _newest_branch(commits: list[Commit]) -> str | None:
    return next((commit.branch for commit in commits if commit.branch), None)


def _commit_lines(commits: list[Commit], branch: str | None) -> list[str]:
    """With the branch of those that are on another."""
    return [
        f"{commit.sha} {_first_line(commit.message)}"
        + (f" ({commit.branch})" if commit.branch and commit.branch != branch else "")
        for commit in commits[:BRIEF_REPORTS_SHOWN]
    ]


def _first_line(text: str) -> str:
    return next(iter(text.splitlines()), "")[:LABEL_CHARS]


def _newest_of_each_criterion(results: list[CriterionTestResult]) -> list[CriterionTestResult]:
    newest: dict[str, CriterionTestResult] = {}
    for result in results:
        newest.setdefault(result.criterion_id, result)
    return list(newest.values())


def _result_briefs(results: list[CriterionTestResult]) -> list[ResultBrief]:
    return [
        ResultBrief(criterion_id=result.criterion_id, outcome=result.outcome, at=to_iso(result.reported_at))
        for result in results[:BRIEF_REPORTS_SHOWN]
    ]
