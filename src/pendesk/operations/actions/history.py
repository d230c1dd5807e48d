"""What has happened to an action so far, as get_action shows it."""

from pendesk.clock import to_iso
from pendesk.domain.checks import CiCheck
from pendesk.domain.claim import Claim, claim_liveness, expiry_iso, is_held_even_if_expired
from pendesk.domain.criterion import Evidence
from pendesk.domain.github import PullRequest, pull_request_number, pull_request_url_variants
from pendesk.domain.report import Commit, CriterionTestResult
from pendesk.domain.review import ItemKind, Review, ReviewItem, Submission
from pendesk.operations.actions.results import EvidencePiece
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import github, reviews


class ClaimState(Output):
    """The last claim. agent: which agent of the holder took it, where one did. pulse: live, quiet or expired; it is
    left out once the claim has ended.

    holder_kind: person or agent, where an operation shows it. id: for people; an agent has that of its own from
    claim_action.
    """

    user_id: str
    holder: str
    agent_model: str | None
    fence: int
    state: str
    taken_at: str
    renewed_at: str
    expires_at: str | None
    id: str | None = None
    agent: str | None = None
    holder_kind: str | None = None
    pulse: str | None = None
    ended_at: str | None = None
    last_message: str | None = None
    last_message_at: str | None = None


class CommitRow(Output):
    sha: str
    message: str
    branch: str | None
    files_changed: int | None
    source: str
    reported_at: str


class TestRow(Output):
    criterion_id: str
    outcome: str
    evidence: str
    sha: str | None
    reported_at: str


class CheckRow(Output):
    """CI's word on the reported head."""

    name: str
    state: str
    conclusion: str | None
    url: str | None
    updated_at: str


class PullRequestRow(Output):
    """moved: its head is another than the submitted one."""

    number: int
    state: str
    head_sha: str
    moved: bool
    updated_at: str
    merged_at: str | None = None


class UnmetRow(Output):
    criterion_id: str
    reason: str


class SubmissionRow(Output):
    """pull_request: where GitHub reported one. branch: where the agent named it.

    unmet: what the agent says does not hold, and why.
    """

    id: str
    number: int
    pr_url: str | None
    summary: str
    head_sha: str | None
    submitted_by: str
    submitted_at: str
    branch: str | None = None
    unmet: list[UnmetRow] = []
    pull_request: PullRequestRow | None = None


class VerdictRow(Output):
    criterion_id: str
    verdict: str
    note: str


class ItemRow(Output):
    """kind: request or remark. path to quote: the lines of the change that it is about."""

    id: str
    text: str
    criterion_id: str | None
    disposition: str | None
    note: str | None
    kind: str = ItemKind.REQUEST.value
    path: str | None = None
    side: str | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None
    deviation_id: str | None = None


class ReviewRow(Output):
    id: str
    submission_id: str
    verdict: str
    summary: str
    head_sha: str | None
    reviewed_by: str
    reviewed_at: str
    verdicts: list[VerdictRow]
    items: list[ItemRow]


def evidence_result(evidence: Evidence) -> EvidencePiece:
    return EvidencePiece(
        level=evidence.level,
        text=evidence.text,
        sha=evidence.sha,
        given_at=to_iso(evidence.given_at),
        stale=evidence.stale_reason,
    )


def to_claim_state(call: Call, claim: Claim, holder: str, agent: str | None) -> ClaimState:
    return ClaimState(
        id=claim.id if call.actor.token_id is None else None,
        agent=agent,
        user_id=claim.user_id,
        holder=holder,
        agent_model=claim.agent_model,
        fence=claim.fence,
        state=claim.state,
        taken_at=to_iso(claim.taken_at),
        renewed_at=to_iso(claim.renewed_at),
        expires_at=expiry_iso(claim.expires_at),
        pulse=claim_liveness(claim, call.now) if is_held_even_if_expired(claim) else None,
        ended_at=to_iso_or_none(claim.ended_at),
        last_message=claim.last_message,
        last_message_at=to_iso_or_none(claim.last_message_at),
    )


def to_commit_row(commit: Commit) -> CommitRow:
    return CommitRow(
        sha=commit.sha,
        message=commit.message,
        branch=commit.branch,
        files_changed=commit.files_changed,
        source=commit.source,
        reported_at=to_iso(commit.reported_at),
    )


def criterion_test_row(result: CriterionTestResult) -> TestRow:
    return TestRow(
        criterion_id=result.criterion_id,
        outcome=result.outcome,
        evidence=result.evidence,
        sha=result.sha,
        reported_at=to_iso(result.reported_at),
    )


def to_check_row(check: CiCheck) -> CheckRow:
    return CheckRow(
        name=check.name,
        state=check.state,
        conclusion=check.conclusion,
        url=check.url,
        updated_at=to_iso(check.updated_at),
    )


def to_submission_row(
    call: Call, submission: Submission, project_id: str, name_by_user_id: dict[str, str]
) -> SubmissionRow:
    pr_url = submission.pr_url or ""
    number = pull_request_number(pr_url)
    pull = github.pull_request(call.tx, project_id, number) if number is not None else None
    is_same = pull is not None and pr_url.lower() in pull_request_url_variants(pull.url)
    return SubmissionRow(
        id=submission.id,
        number=submission.number,
        pr_url=submission.pr_url,
        summary=submission.summary,
        head_sha=submission.head_sha,
        submitted_by=name_by_user_id.get(submission.submitted_by, ""),
        submitted_at=to_iso(submission.submitted_at),
        branch=submission.branch,
        unmet=unmet_rows(call, submission.id),
        pull_request=_to_pull_request_row(pull, submission) if pull is not None and is_same else None,
    )


def unmet_rows(call: Call, submission_id: str) -> list[UnmetRow]:
    reasons = reviews.unmet_reason_by_criterion_id(call.tx, submission_id)
    return [UnmetRow(criterion_id=criterion_id, reason=reason) for criterion_id, reason in reasons.items()]


def _to_pull_request_row(pull: PullRequest, submission: Submission) -> PullRequestRow:
    return PullRequestRow(
        number=pull.number,
        state=pull.state,
        head_sha=pull.head_sha,
        moved=pull.head_sha != submission.head_sha,
        updated_at=to_iso(pull.updated_at),
        merged_at=to_iso_or_none(pull.merged_at),
    )


def review_row(call: Call, review: Review, name_by_user_id: dict[str, str]) -> ReviewRow:
    return ReviewRow(
        id=review.id,
        submission_id=review.submission_id,
        verdict=review.verdict,
        summary=review.summary,
        head_sha=review.head_sha,
        reviewed_by=name_by_user_id.get(review.reviewed_by, ""),
        reviewed_at=to_iso(review.reviewed_at),
        verdicts=[
            VerdictRow(criterion_id=criterion_id, verdict=verdict, note=note)
            for criterion_id, verdict, note in reviews.criterion_ids_verdicts_and_notes(call.tx, review.id)
        ],
        items=[_review_item_row(item) for item in reviews.items_of(call.tx, review.id)],
    )


def _review_item_row(item: ReviewItem) -> ItemRow:
    return ItemRow(
        id=item.id,
        text=item.text,
        criterion_id=item.criterion_id,
        disposition=item.disposition,
        note=item.disposition_note,
        kind=item.kind or ItemKind.REQUEST,
        path=item.path,
        side=item.side,
        line=item.line,
        end_line=item.end_line,
        quote=item.quote,
        deviation_id=item.deviation_id,
    )
