"""What was reported for an action so far: by the caller's own session, by the holders before, by a webhook alone."""

from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    has_live_lease,
    holder_label,
    is_held_even_if_expired,
)
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_data import CommitReportedData, LateReportData, TestReportedData
from pendesk.domain.limits import BRIEF_CLAIMS, BRIEF_REPORTS, BRIEF_REPORTS_SHOWN, LABEL_CHARS
from pendesk.domain.report import Commit, CriterionTestResult
from pendesk.operations.building.brief_results import (
    Brief,
    CommitTexts,
    HandOver,
    HandOverText,
    LateReportBrief,
    ResultBrief,
    UnreportedCommits,
    YourWork,
)
from pendesk.operations.operation import Call
from pendesk.store import action_records, claims, events, reports
from pendesk.store.action_records import ActionRecords
from pendesk.store.claims import ClaimWithHolder
from pendesk.store.engine.json_text import from_json


class Reports(NamedTuple):
    """The newest first."""

    commits: list[Commit]
    results: list[CriterionTestResult]


class Reader(NamedTuple):
    """Whose a claim may be: of the caller's agent session, or the caller in person."""

    user_id: str
    session_id: str | None
    own_claim_id: str | None

    def is_own(self, claim_id: str | None, user_id: str | None, session_id: str | None) -> bool:
        is_known_as_own = claim_id is not None and claim_id == self.own_claim_id
        return is_known_as_own or (user_id, session_id) == (self.user_id, self.session_id)


def reader_of(call: Call, own_claim: Claim | None) -> Reader:
    session_id = call.agent_session.id if call.agent_session else None
    return Reader(call.actor.user_id, session_id, own_claim.id if own_claim else None)


# Whoever claims the action next, who has reported nothing yet.
NOBODY = Reader("", None, None)


def existing_records(call: Call, facts: ActionFacts, reader: Reader) -> ActionRecords:
    return action_records.existing(call.tx, facts.action.id, reader.user_id, reader.session_id)


def read_ahead_existing_records(call: Call, facts: ActionFacts, reader: Reader) -> None:
    action_records.read_ahead_existing(call.tx, facts.action.id, reader.user_id, reader.session_id)


def add_reported_work(call: Call, facts: ActionFacts, reader: Reader, records: ActionRecords, brief: Brief) -> None:
    own, earlier, unreported = _newest_reports(call, facts.action.id, reader, records)
    brief.your_work = _your_work(call, facts.action.id, reader, own, records)
    brief.hand_over = _hand_over(call, facts, reader, earlier) if records.other_holders else None
    if unreported:
        brief.unreported_commits = UnreportedCommits(untrusted=CommitTexts(commits=_commit_lines(unreported, None)))


def _newest_reports(
    call: Call, action_id: str, reader: Reader, records: ActionRecords
) -> tuple[Reports, Reports, list[Commit]]:
    """The reader's own, those of others, and commits that nobody reported."""
    own, earlier = Reports([], []), Reports([], [])
    unreported: list[Commit] = []
    if records.commits:
        for commit, reporter in reports.commits_of_action_with_reporter(call.tx, action_id, BRIEF_REPORTS):
            of_holder = own if reader.is_own(*reporter) else earlier
            (unreported if reporter.claim_id is None else of_holder.commits).append(commit)
    if records.test_results:
        for result, reporter in reports.newest_test_results_with_reporter(call.tx, action_id, BRIEF_REPORTS):
            (own if reader.is_own(*reporter) else earlier).results.append(result)
    return own, earlier, unreported


def _your_work(call: Call, action_id: str, reader: Reader, own: Reports, records: ActionRecords) -> YourWork | None:
    branch = _newest_branch(own.commits)
    work = YourWork(
        branch=branch,
        commits=_commit_lines(own.commits, branch),
        results=_result_briefs(own.results),
        last_progress=records.own_message,
        late_reports=_late_reports(call, action_id, reader) if records.late_reports and reader.user_id else [],
    )
    return work if work != YourWork() else None


def _late_reports(call: Call, action_id: str, reader: Reader) -> list[LateReportBrief]:
    sent = events.late_reports(call.tx, action_id, reader.user_id, reader.session_id, BRIEF_REPORTS_SHOWN)
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


def _hand_over(call: Call, facts: ActionFacts, reader: Reader, earlier: Reports) -> HandOver | None:
    newest = claims.newest_of_action_with_holder(call.tx, facts.action.id, BRIEF_CLAIMS)
    holders = [
        holder for holder in newest if not reader.is_own(holder.claim.id, holder.claim.user_id, holder.claim.session_id)
    ]
    if not holders or has_live_lease(holders[0].claim, call.now):
        return None  # at work: there is nothing to take over
    claim, label = holders[0].claim, _label(call, holders[0])
    branch = _newest_branch(earlier.commits)
    return HandOver(
        ended="expired" if is_held_even_if_expired(claim) else claim.state,
        untrusted=HandOverText(
            holder=label,
            agent_model=claim.agent_model,
            branch=branch,
            commits=_commit_lines(earlier.commits, branch),
            last_progress=_last_progress(call, holders, label),
        ),
        results=_result_briefs(_newest_of_each_criterion(earlier.results)),
    )


def _last_progress(call: Call, holders: list[ClaimWithHolder], newest_label: str) -> str | None:
    """With the name of who said it, where that is not the newest holder, who is named beside it."""
    holder = next((holder for holder in holders if holder.claim.last_message), None)
    if holder is None:
        return None
    label = _label(call, holder)
    return holder.claim.last_message if label == newest_label else f"{label}: {holder.claim.last_message}"


def _label(call: Call, holder: ClaimWithHolder) -> str:
    return holder_label(holder.user, holder.agent, is_callers_user=holder.claim.user_id == call.actor.user_id)


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
