"""What a brief is made of."""

from pendesk.operations.actions.history import UnmetRow
from pendesk.operations.building.results import ClaimResult, ClarificationResult, NewsItem
from pendesk.operations.operation import Output
from pendesk.operations.truncate import Truncatable


class CriterionBrief(Output):
    """evidence_state: by whose word it is met, or failing, stale or rejected; left out where nothing was shown."""

    id: str
    text: str
    status: str
    evidence_state: str = "none"


class ActionBrief(Output):
    pid: str
    ref_code: str
    label: str
    description: str
    area: str
    status: str
    paths: list[str]
    acceptance_criteria: list[CriterionBrief]


class AttachmentBrief(Output):
    pid: str
    name: str
    media_type: str
    size_bytes: int


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
    id: str
    text: str
    criterion_id: str | None = None
    disposition: str | None = None


class ReviewBrief(Output):
    verdict: str
    summary: str
    reviewed_at: str
    head_sha: str | None
    items: list[ReviewItemBrief]


class SubmissionBrief(Output):
    """What waits for a person, or was judged last; branch and head_sha say where it is without a pull request."""

    number: int
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[UnmetRow] = []


class HandOver(Output):
    """What the holder before left behind."""

    holder: str
    agent_model: str | None
    ended: str
    branch: str | None
    commits: list[str]
    last_progress: str | None


class Brief(Truncatable, kw_only=True):
    action: ActionBrief
    spec: SpecBrief | None
    plan: PlanBrief | None
    sibling_actions: list[SiblingBrief]
    open_clarifications: list[ClarificationResult]
    brief_rev: str
    answered_clarifications: list[ClarificationResult] = []
    submission: SubmissionBrief | None = None
    review: ReviewBrief | None = None
    hand_over: HandOver | None = None
    changes: list[dict[str, str]] = []
    claim: ClaimResult | None = None
    advisory: str | None = None
    news: list[NewsItem] = []
