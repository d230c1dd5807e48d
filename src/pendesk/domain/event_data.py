"""What events say, kind by kind: the same type for who writes an event and for who reads it again.

Here are the kinds whose data is read again: in a phrase, in the replay, in news to agents, on a page. What is merely
recorded (the fields of an edit, say) is a plain mapping. On the wire and in the log the names are camelCase
and never change: sealed logs hold them.

Users are named by their id alone, in the fields of USER_FIELDS and in `object_id`. A name or an address of a person is
looked up when the event is read, so that no log that cannot be changed holds one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar, dataclass_transform

from pendesk.domain.event import Event, EventData
from pendesk.domain.report import short_sha

USER_FIELDS = frozenset({"user", "from_", "to", "holder", "taken_from"})

# Beside the fields of any kind: the program whose draft a person accepted by it.
ACCEPTED_DRAFT_FIELD = "draftOf"

T = TypeVar("T", bound=EventData)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _event_dataclass(data_class: type[T]) -> type[T]:
    return dataclass(frozen=True, slots=True, kw_only=True)(data_class)


# People and how they get in


@_event_dataclass
class WorkspaceCreatedData(EventData):
    name: str


@_event_dataclass
class WorkspaceRenamedData(EventData):
    before: str
    after: str


@_event_dataclass
class ParticipationChangedData(EventData):
    before: str
    after: str


@_event_dataclass
class ProjectActivityChangedData(EventData):
    after: str


@_event_dataclass
class UserCreatedData(EventData):
    kind: str


@_event_dataclass
class UserLinkedData(EventData):
    issuer: str


@_event_dataclass
class MemberAddedData(EventData):
    """kind: person or agent. invite: the id of the invite that was accepted. by: "oidc" for who joined by a domain."""

    role: str
    kind: str | None = None
    invite: str | None = None
    by: str | None = None


@_event_dataclass
class SessionPausedData(EventData):
    """session: what it is called."""

    session: str
    reason: str | None = None


@_event_dataclass
class SessionStoppedData(EventData):
    """session: what it is called. released: the refs of what it held."""

    session: str
    released: list[str]
    reason: str | None = None


@_event_dataclass
class SessionResumedData(EventData):
    """by_prompt: somebody prompted it in its terminal."""

    session: str
    by_prompt: bool | None = None


@_event_dataclass
class RoleChangedData(EventData):
    before: str
    after: str


@_event_dataclass
class MemberRemovedData(EventData):
    role: str


@_event_dataclass
class OwnerChangedData(EventData):
    """name: of a token or a mirror; never of a user, who is the event's object."""

    from_: str
    to: str
    name: str | None = None


@_event_dataclass
class TokenCreatedData(EventData):
    name: str
    user: str
    scopes: str
    expires_at: str | None


@_event_dataclass
class TokenRevokedData(EventData):
    name: str
    user: str


@_event_dataclass
class GrantCreatedData(EventData):
    client: str
    user: str
    scopes: str


@_event_dataclass
class GrantRevokedData(EventData):
    client: str
    user: str
    scopes: str
    reason: str


@_event_dataclass
class SessionStartedData(EventData):
    by: str


@_event_dataclass
class InviteData(EventData):
    """The address is the invite's own, and goes with it."""

    role: str


# Projects, plans, texts


@_event_dataclass
class ProjectCreatedData(EventData):
    key: str
    name: str
    state: str


@_event_dataclass
class ProjectDeletedData(EventData):
    key: str
    name: str


@_event_dataclass
class ImportData(EventData):
    """counts: rows by kind. sha256: of the file, or files, that was read."""

    key: str
    name: str
    counts: dict[str, int]
    source: str
    copy: bool
    sha256: str


@_event_dataclass
class ServerData(EventData):
    server_url: str


@_event_dataclass
class TitledData(EventData):
    title: str


@_event_dataclass
class ProposalCreatedData(EventData):
    """draft: spec or plan. replaces: the version before, which this one supersedes if it was open."""

    draft: str
    title: str
    version: int
    items: int
    replaces: str | None = None


@_event_dataclass
class ProposalDecidedData(EventData):
    """verdict: the state after it. agent: the program that drafted it, without whose or where. message: the person's
    remark. accepted, rejected: how many items.
    """

    draft: str
    title: str
    verdict: str
    accepted: int
    rejected: int
    agent: str
    message: str | None = None


@_event_dataclass
class DocumentMovedData(EventData):
    before: str | None
    after: str | None
    title: str


@_event_dataclass
class NamedData(EventData):
    name: str


@_event_dataclass
class AttachmentAddedData(EventData):
    """criterion_id, evidence_added: where the file is evidence for a criterion."""

    name: str
    size_bytes: int
    sha256: str
    criterion_id: str | None = None
    evidence_added: dict[str, Any] | None = None


@_event_dataclass
class AttachmentRemovedData(EventData):
    name: str
    sha256: str


@_event_dataclass
class CommentData(EventData):
    """on: action or spec, where it is not on a document. mentions: the people who are newly mentioned."""

    document: str | None = None
    on: str | None = None
    body: str | None = None
    author_id: str | None = None
    mentions: list[str] | None = None


@_event_dataclass
class CanvasArrangedData(EventData):
    tasks: int
    layout: str | None


@_event_dataclass
class BuildPublishedData(EventData):
    before: str | None
    after: str | None
    plan_id: str
    actions: list[str]
    title: str | None = None


@_event_dataclass
class TriagedData(EventData):
    status: str


# Actions


@_event_dataclass
class ActionCreatedData(EventData):
    ref: str
    label: str
    state: str
    criteria: int
    criterion_ids: list[str] | None = None
    plan_id: str | None = None
    priority: int | None = None
    assignee: str | None = None
    due: str | None = None
    labels: list[str] | None = None


@_event_dataclass
class ActionMovedData(EventData):
    """claim_id: the claim that ended with it, where one did. dependents: the ref codes of the first actions
    that wait for what was dropped, where some do.
    """

    before: str
    after: str
    reason: str | None
    claim_id: str | None = None
    dependents: list[str] | None = None


@_event_dataclass
class DependentsReleasedData(EventData):
    """dependents: the ref codes of the first of those that waited for what was dropped; count: of all."""

    before: str
    after: str
    dependents: list[str]
    count: int


@_event_dataclass
class ActionDeletedData(EventData):
    ref: str
    label: str
    state: str


@_event_dataclass
class CriterionCreatedData(EventData):
    text: str
    revision: int


@_event_dataclass
class CriterionRemovedData(EventData):
    """Also of one that was restored: the same, as it is again."""

    text: str
    status: str
    revision: int


@_event_dataclass
class ActionClaimedData(EventData):
    """taken_from: who held the claim that this one ended, whose id is lost_claim_id. taken_over: it was live."""

    before: str
    after: str
    fence: int
    taken_from: str | None
    lost_claim_id: str | None = None
    taken_over: bool | None = None


@_event_dataclass
class ActionReleasedData(EventData):
    before: str
    after: str
    holder: str
    message: str | None = None
    reason: str | None = None
    by_person: bool | None = None


@_event_dataclass
class ActionOverlappedData(EventData):
    """other: the ref of the action that touches the same files, whose id is other_id. paths: the first of `files`."""

    other: str
    other_id: str
    basis: str
    paths: list[str]
    files: int


@_event_dataclass
class ActionProgressedData(EventData):
    """status: only of a late report, the one it wanted to set."""

    status: str | None = None
    message: str


@_event_dataclass
class ActionSubmittedData(EventData):
    """A late report has neither states nor a number."""

    before: str | None = None
    after: str | None = None
    pr_url: str | None
    summary: str
    number: int | None = None
    claim_id: str | None = None
    evidence_added: dict[str, Any] | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[str] | None = None

    def user_written_text(self) -> str:
        return _submission_text(self.pr_url, self.branch, self.head_sha, self.summary)


@_event_dataclass
class ActionResubmittedData(EventData):
    """Without `before` in older events: it was in review before and after."""

    pr_url: str | None
    summary: str
    before: str | None = None
    after: str | None = None
    claim_id: str | None = None
    number: int | None = None
    evidence_added: dict[str, Any] | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[str] | None = None

    def user_written_text(self) -> str:
        return _submission_text(self.pr_url, self.branch, self.head_sha, self.summary)


def _submission_text(pr_url: str | None, branch: str | None, head_sha: str | None, summary: str) -> str:
    """Without a pull request the branch and its head say where the work is."""
    is_branch_only = pr_url is None and branch is not None and head_sha is not None
    return f"{branch} at {short_sha(head_sha or '')}: {summary}" if is_branch_only else summary


@_event_dataclass
class ActionReviewedData(EventData):
    """news: what the submitter's agent reads of it."""

    before: str
    after: str
    verdict: str
    verdicts: list[dict[str, str]]
    news: str
    submission_id: str | None = None
    evidence_added: dict[str, Any] | None = None


@_event_dataclass
class ChangePushedData(EventData):
    """source: push or github. number: of the submission that shows it."""

    head_sha: str
    files: int
    added: int
    removed: int
    source: str
    number: int | None = None


@_event_dataclass
class DeviationsData(EventData):
    """number: of the submission. what: which kinds, in words. ids: of those that were accepted."""

    number: int
    what: str
    ids: list[str] | None = None
    into_spec: bool | None = None


@_event_dataclass
class ClarificationAskedData(EventData):
    question: str


@_event_dataclass
class ClarificationAnsweredData(EventData):
    """relayed: by the holder of the claim, who knows it already. news: what the holder's agent reads otherwise.

    clarification: the question that a late answer was for.
    """

    clarification: str | None = None
    answer: str
    relayed: bool | None = None
    written_back_revision: int | None = None
    news: str | None = None


@_event_dataclass
class MessageSentData(EventData):
    """audience: session, action or project. session_ids: those it was queued for."""

    text: str
    audience: str
    session_ids: list[str]


@_event_dataclass
class MessageDeliveredData(EventData):
    """session_id: which session has read it. by: hook or tool."""

    session_id: str
    by: str


@_event_dataclass
class MessageAcknowledgedData(EventData):
    """message: the beginning of what the session wrote with its next report."""

    session_id: str
    message: str


@_event_dataclass
class CommitReportedData(EventData):
    sha: str
    message: str
    criterion_ids: list[str]
    branch: str | None


@_event_dataclass
class TestReportedData(EventData):
    __test__ = False

    criterion_id: str
    outcome: str
    evidence: str
    evidence_added: dict[str, Any] | None = None


@_event_dataclass
class TestReportUploadedData(EventData):
    """A late report was not compared with the criteria."""

    __test__ = False

    format: str
    sha: str | None
    passed: int
    failed: int
    skipped: int
    criteria: list[dict[str, str]] | None = None
    unmapped: int | None = None
    unmapped_names: list[str] | None = None
    evidence_added: dict[str, Any] | None = None


@_event_dataclass
class EvidenceStaledData(EventData):
    """fresh_levels: for each of the criteria the highest level of evidence that still counts."""

    reason: str
    criterion_ids: list[str]
    fresh_levels: list[str | None] | None = None
    shas: list[str | None]


@_event_dataclass
class LateReportData(EventData):
    """What a former holder sent, of whatever kind; in the log its fields stand beside `report`."""

    report: str
    sent: EventData

    def to_wire(self) -> dict[str, Any]:
        return {"report": self.report, **self.sent.to_wire()}

    @classmethod
    def from_wire(cls, data: Mapping[str, Any]) -> Self:
        report = data.get("report")
        # A file that is imported may say anything, also that a late report was late.
        sent = DATA_TYPES.get(report, EventData) if isinstance(report, str) else EventData
        return cls(
            report=report if isinstance(report, str) else "",
            sent=(EventData if sent is cls else sent).from_wire(data),
        )

    def user_written_text(self) -> str:
        return self.sent.user_written_text()


@_event_dataclass
class RunStartedData(EventData):
    label: str


@_event_dataclass
class RunProgressedData(EventData):
    message: str


@_event_dataclass
class RunEndedData(EventData):
    status: str
    tokens: int | None
    cost_micros: int | None


# GitHub. `by` is the service, which has no account; never a person.


@_event_dataclass
class CommitPushedData(EventData):
    by: str
    branch: str
    shas: list[str]
    commits: int
    message: str


@_event_dataclass
class BranchForcePushedData(EventData):
    by: str
    branch: str
    before: str
    after: str | None
    staled: int


@_event_dataclass
class PullRequestChangedData(EventData):
    by: str
    number: int
    url: str
    before: dict[str, str | None]
    after: dict[str, str | None]
    submitted_sha: str | None
    moved_since_submission: bool


@_event_dataclass
class ChecksChangedData(EventData):
    by: str
    sha: str
    before: str
    after: str
    check: str
    url: str | None


@_event_dataclass
class StatesRecordedData(EventData):
    """The states of some actions of a project as they were then: see domain/fold.py."""

    part: int
    count: int
    actions: list[dict[str, Any]]


DATA_TYPES: dict[str, type[EventData]] = {
    "workspace.created": WorkspaceCreatedData,
    "workspace.renamed": WorkspaceRenamedData,
    "workspace.participation_changed": ParticipationChangedData,
    "project.activity_changed": ProjectActivityChangedData,
    "user.created": UserCreatedData,
    "user.linked": UserLinkedData,
    "member.added": MemberAddedData,
    "agent_session.paused": SessionPausedData,
    "agent_session.resumed": SessionResumedData,
    "agent_session.stopped": SessionStoppedData,
    "member.role_changed": RoleChangedData,
    "member.handed_over": OwnerChangedData,
    "member.removed": MemberRemovedData,
    "token.created": TokenCreatedData,
    "token.handed_over": OwnerChangedData,
    "token.revoked": TokenRevokedData,
    "grant.created": GrantCreatedData,
    "grant.revoked": GrantRevokedData,
    "session.started": SessionStartedData,
    "invite.created": InviteData,
    "invite.revoked": InviteData,
    "project.created": ProjectCreatedData,
    "project.deleted": ProjectDeletedData,
    "project.imported": ImportData,
    "project.published": ServerData,
    "project.pushed": ServerData,
    "goal.created": TitledData,
    "goal.deleted": TitledData,
    "spec.created": TitledData,
    "spec.deleted": TitledData,
    "proposal.created": ProposalCreatedData,
    "proposal.decided": ProposalDecidedData,
    "plan.created": TitledData,
    "plan.deleted": TitledData,
    "action.created": ActionCreatedData,
    "action.moved": ActionMovedData,
    "action.reopened": ActionMovedData,
    "action.deleted": ActionDeletedData,
    "criterion.created": CriterionCreatedData,
    "criterion.removed": CriterionRemovedData,
    "criterion.restored": CriterionRemovedData,
    "canvas.arranged": CanvasArrangedData,
    "build.published": BuildPublishedData,
    "action.claimed": ActionClaimedData,
    "action.released": ActionReleasedData,
    "action.progressed": ActionProgressedData,
    "action.dropped": ActionMovedData,
    "action.dependents_released": DependentsReleasedData,
    "action.submitted": ActionSubmittedData,
    "action.resubmitted": ActionResubmittedData,
    "action.reviewed": ActionReviewedData,
    "action.overlapped": ActionOverlappedData,
    "report.late": LateReportData,
    "clarification.asked": ClarificationAskedData,
    "clarification.answered": ClarificationAnsweredData,
    "message.sent": MessageSentData,
    "message.delivered": MessageDeliveredData,
    "message.acknowledged": MessageAcknowledgedData,
    "commit.reported": CommitReportedData,
    "test.reported": TestReportedData,
    "test_report.uploaded": TestReportUploadedData,
    "commit.pushed": CommitPushedData,
    "change.pushed": ChangePushedData,
    "deviations.recorded": DeviationsData,
    "deviations.accepted": DeviationsData,
    "branch.force_pushed": BranchForcePushedData,
    "pull_request.changed": PullRequestChangedData,
    "checks.changed": ChecksChangedData,
    "evidence.staled": EvidenceStaledData,
    "state.recorded": StatesRecordedData,
    "webhook.handed_over": OwnerChangedData,
    "outgoing_webhook.handed_over": OwnerChangedData,
    "share.handed_over": OwnerChangedData,
    "picture.handed_over": OwnerChangedData,
    "document.created": TitledData,
    "document.moved": DocumentMovedData,
    "document.deleted": TitledData,
    "note.created": TitledData,
    "note.deleted": TitledData,
    "view.created": TitledData,
    "view.edited": TitledData,
    "view.deleted": TitledData,
    "comment.added": CommentData,
    "comment.edited": CommentData,
    "comment.resolved": CommentData,
    "comment.deleted": CommentData,
    "run.started": RunStartedData,
    "run.progressed": RunProgressedData,
    "run.ended": RunEndedData,
    "submission.triaged": TriagedData,
    "picture.received": NamedData,
    "picture.removed": NamedData,
    "attachment.added": AttachmentAddedData,
    "attachment.removed": AttachmentRemovedData,
}


def event_data_to_wire(event: Event) -> Mapping[str, Any]:
    """The event's data as the log holds it. Data of another type than its readers expect is a fault of ours."""
    expected = DATA_TYPES.get(event.kind)
    if expected is None:
        return event.data if isinstance(event.data, Mapping) else event.data.to_wire()
    if type(event.data) is not expected:
        raise TypeError(f"an event {event.kind} carries {expected.__name__}, not {type(event.data).__name__}")
    return event.data.to_wire()


def parse_event_data(kind: str, data: Mapping[str, Any]) -> EventData:
    """What was written, for a kind whose data is read; empty for any other, and for kinds of a newer version."""
    return DATA_TYPES.get(kind, EventData).from_wire(data)
