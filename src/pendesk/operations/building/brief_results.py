"""What a brief is made of."""

from typing import ClassVar

import msgspec

from pendesk.domain.evidence import EvidenceState
from pendesk.operations.actions.history import UnmetRow
from pendesk.operations.availability import HeldBy, WaitsFor
from pendesk.operations.building.results import ClaimResult, ClarificationResult
from pendesk.operations.operation import Output
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import Truncatable


class CriterionText(Output):
    called_unmet: str


class CriterionBrief(Output, kw_only=True):
    """text: left out where the caller has it already. evidence_state: by whose word it is met, or failing, stale or
    rejected; left out where nothing was shown. untrusted: why the newest submission called unmet what a reviewer
    confirmed.
    """

    id: str
    text: str = ""
    status: str
    evidence_state: str = EvidenceState.NONE.value
    untrusted: CriterionText | None = None


class ActionBrief(Output):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    acceptance_criteria: list[CriterionBrief]
    description: str
    paths: list[str]


class AttachmentBrief(Output):
    """url: in a brief, of one that was not removed since it was published."""

    pid: str
    name: str
    media_type: str
    size_bytes: int
    url: str | None = None
    expires_at: str | None = None


class SpecBrief(Output):
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[AttachmentBrief]


class PlanBrief(Output):
    approach: str


class SiblingBrief(Output):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None


class ReviewItemBrief(Output):
    """path to quote: the lines of your change that it is about, as a diff shows them; side old: as they were before."""

    id: str
    text: str
    criterion_id: str | None = None
    disposition: str | None = None
    path: str | None = None
    side: str | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None


class ReviewBrief(Output):
    """remarks: what the reviewer noticed and asks nothing for."""

    verdict: str
    summary: str
    reviewed_at: str
    head_sha: str | None
    items: list[ReviewItemBrief]
    remarks: list[ReviewItemBrief] = []


class SubmissionBrief(Output):
    """What waits for a person, or was judged last; branch and head_sha say where it is without a pull request. by:
    whose words the branch, the address and the reasons in unmet are.
    """

    number: int
    by: str
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[UnmetRow] = []


class ResultBrief(Output):
    criterion_id: str
    outcome: str
    at: str


class HandOverText(Output):
    """The newest holder is named; commits are those of all of them."""

    holder: str
    agent_model: str | None
    branch: str | None
    commits: list[str]
    last_progress: str | None


class HandOver(Output):
    """What the holders before left behind. Their words are under untrusted. results: of each criterion the newest."""

    ended: str
    untrusted: HandOverText
    results: list[ResultBrief] = []


class LateReportBrief(Output):
    """What was refused because the claim was lost, and saved on the timeline."""

    report: str
    at: str
    text: str


class YourWork(Output):
    """What the caller's own session reported; the newest first."""

    branch: str | None = None
    commits: list[str] = []
    results: list[ResultBrief] = []
    last_progress: str | None = None
    late_reports: list[LateReportBrief] = []


class PrerequisiteCode(Output):
    """Where the code is of what comes first, and is done; by: who says so."""

    ref_code: str
    by: str
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None


class CommitTexts(Output):
    commits: list[str]


class UnreportedCommits(Output):
    """From a webhook alone: what their authors wrote is under untrusted."""

    untrusted: CommitTexts


class DocumentText(Output):
    body: str


class DocumentBrief(Output):
    """A document that is linked to the action. Members and agents write it, and nobody approved it: its text is under
    untrusted.
    """

    pid: str
    title: str
    untrusted: DocumentText


class Brief(Truncatable, kw_only=True):
    """In the order of importance: what does not fit into an answer is left out from the end.

    What depends on who reads it (availability to next_step) is not in a preview. unchanged: the texts are those of the
    brief_rev that the caller named, and not repeated.
    """

    whole_lists: ClassVar[bool] = True

    availability: str | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    next_step: str | None = msgspec.field(default=None, name="next_step")
    brief_rev: str
    unchanged: bool = False
    claim: ClaimResult | None = None
    advisory: str | None = None
    review: ReviewBrief | None = None
    submission: SubmissionBrief | None = None
    action: ActionBrief
    open_clarifications: list[ClarificationResult]
    news: list[NewsItem] = []
    changes: list[dict[str, str]] = []
    your_work: YourWork | None = None
    hand_over: HandOver | None = None
    unreported_commits: UnreportedCommits | None = None
    prerequisites: list[PrerequisiteCode] = []
    answered_clarifications: list[ClarificationResult] = []
    spec: SpecBrief | None
    plan: PlanBrief | None
    sibling_actions: list[SiblingBrief]
    documents: list[DocumentBrief] = []
