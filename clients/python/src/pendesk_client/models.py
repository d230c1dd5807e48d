"""The outputs of the operations, as structs, and the parts of their inputs, as dictionaries."""
# Generated from the server's routes by scripts/write_client.py: run `make client` instead of editing it.

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

import msgspec


class Model(msgspec.Struct, kw_only=True, rename="camel"):
    """A part of a response. Fields that only a newer server has are ignored."""


class ActionBrief(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    acceptance_criteria: list[CriterionBrief]
    description: str
    paths: list[str]


class ActionDiff(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    change: str
    fields: list[FieldDiff]


class ActionResult(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None
    claim: ClaimResult | None = None
    assignee: AssigneeResult | None = None
    advisory: str | None = None
    next_step: str | None = msgspec.field(name="next_step", default=None)
    deviations: list[DeviationResult] = []
    news: list[NewsItem] = []


class ActionSuggestion(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    state: str


class ActionSuggestions(Model, kw_only=True):
    actions: list[ActionSuggestion]


class Actions(Model, kw_only=True):
    actions: list[ListActionsActionRow]
    next_cursor: str | None = None


class ActionsOrdered(Model, kw_only=True):
    pid: str
    action_ids: list[str]


class ActivityResult(Model, kw_only=True):
    state: str
    since: str
    last_step_at: str
    tool: str | None = None
    detail: str | None = None
    subagent: str | None = None


class Agent(Model, kw_only=True):
    pid: str | None
    user_id: str
    user: str
    name: str
    kind: str
    client: str
    machine: str
    tokens: int
    last_call_at: str | None
    held: list[Held]
    sessions: list[Session]
    credentials: list[CredentialOfAgent]
    done: int = 0
    reviewed: int = 0
    passed_first: int = 0


class AgentRow(Model, kw_only=True):
    pid: str
    name: str
    user: str
    done: int
    submit: Durations
    first_pass: FirstPass
    reworks: int
    waits: int
    waited_seconds: int


class AgentRuns(Model, kw_only=True):
    runs: list[RunResult]
    next_cursor: str | None = None


class Agents(Model, kw_only=True):
    agents: list[Agent]
    runs: list[RunResult]


class AskedRow(Model, kw_only=True):
    pid: str
    question: str
    asked_at: str
    who: Who | None
    criterion_ids: list[str]
    answer: str | None = None
    answered_at: str | None = None
    answered_by: Who | None = None
    relayed: bool = False
    written_back: bool = False


class AssigneeResult(Model, kw_only=True):
    name: str
    kind: str
    pid: str | None = None


class AssigneeRow(Model, kw_only=True):
    pid: str
    name: str
    kind: str
    owner: str | None = None


class Assignees(Model, kw_only=True):
    assignees: list[AssigneeRow]


class AtWorkRow(Model, kw_only=True):
    ref_code: str
    label: str
    claim: ClaimState


class AttachmentBrief(Model, kw_only=True):
    pid: str
    name: str
    media_type: str
    size_bytes: int
    url: str | None = None
    expires_at: str | None = None


class AttachmentRow(Model, kw_only=True):
    pid: str
    name: str
    media_type: str
    size_bytes: int


class AttachmentUrl(Model, kw_only=True):
    url: str
    expires_at: str
    news: list[NewsItem] = []


class AttachmentView(Model, kw_only=True):
    pid: str
    spec_pid: str | None
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    added_at: str | None = None
    document_id: str | None = None
    criterion_id: str | None = None


class AvailabilityCount(Model, kw_only=True):
    availability: str
    count: int
    not_ready_reason: str | None = None


class AvailableSpecs(Model, kw_only=True):
    you: You
    specs: list[ListAvailableSpecsSpecRow]
    other_actions: list[OtherActions] = []
    notice: str | None = None
    next_cursor: str | None = None
    news: list[NewsItem] = []


class Bend(Model, kw_only=True):
    x: float
    y: float


class BlockedTask(Model, kw_only=True):
    ref_code: str
    label: str
    waiting_on: list[str] = msgspec.field(name="waiting_on")
    note: str | None = None


class Board(Model, kw_only=True):
    project: ProjectResult
    columns: list[Column]
    areas: list[str]
    holders: list[Named]
    specs: list[Named]
    assignees: list[AssigneeResult] = []
    labels: list[str] = []
    spec: SpecOfBoard | None = None
    groups: list[Group] | None = None


class Brief(Model, kw_only=True):
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None
    availability: str | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    next_step: str | None = msgspec.field(name="next_step", default=None)
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


class BuildDiff(Model, kw_only=True):
    spec: list[FieldDiff]
    actions: list[ActionDiff]


class BuildPreview(Model, kw_only=True):
    build: str
    current: str | None
    ready: bool
    remarks: list[RemarkRow]
    at_work: list[AtWorkRow]
    changes: BuildDiff | None = None
    spec: WholeSpec | None = None
    brief: Brief | None = None


class BuildPublished(Model, kw_only=True):
    pid: str
    build: str
    spec_id: str
    plan_id: str
    published_at: str
    actions: list[str]
    supersedes: str | None = None


class BuildRow(Model, kw_only=True):
    pid: str
    build: str
    plan_id: str
    actions: int
    published_by: str
    published_at: str
    current: bool


class Builds(Model, kw_only=True):
    builds: list[BuildRow]
    next_cursor: int | None = None


class BuildsCompared(Model, kw_only=True):
    spec: list[FieldDiff]
    actions: list[ActionDiff]
    before: str | None
    after: str


class Canvas(Model, kw_only=True):
    project_id: str
    nodes: list[CanvasNode]
    edges: list[EdgeResult]
    layout: str
    complete: bool


class CanvasNode(Model, kw_only=True):
    id: str
    ref_code: str
    label: str
    status: str
    x: float
    y: float
    placed: bool


class Card(Model, kw_only=True):
    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    pid: str
    ref_code: str
    label: str
    area: str
    state: str
    state_reason: str | None
    priority: int
    updated_at: str
    spec_id: str | None
    spec_title: str | None
    published: bool
    holder: Holder | None
    criteria: int
    criteria_done: int
    criteria_confirmed: int
    criteria_self_reported: int
    criteria_failing: int
    blocked: int
    waiting: int
    requested: Requested | None = None
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    overdue: bool = False
    labels: list[str] = []
    hidden_from_agents: HiddenFromAgents | None = None
    code: CodeState | None = None
    overlaps: list[OverlapResult] = []
    deviations: int = 0


class Cards(Model, kw_only=True):
    project: ProjectResult
    count: int
    cards: list[Card]
    areas: list[str]
    holders: list[Named]
    specs: list[Named]
    assignees: list[AssigneeResult] = []
    labels: list[str] = []
    newest_only: int | None = None


class ChangePushed(Model, kw_only=True):
    pid: str
    action_pid: str
    ref_code: str
    head_sha: str
    files: int
    added: int
    removed: int
    omitted: int
    submission_number: int | None = None
    overlaps: list[OverlapResult] = []
    advisory: str | None = None
    next_step: str | None = msgspec.field(name="next_step", default=None)
    deviations: list[DeviationResult] = []
    news: list[NewsItem] = []


class ChangeSummary(Model, kw_only=True):
    pid: str
    source: str
    base_sha: str
    head_sha: str
    branch: str | None
    pushed_at: str
    files: int
    added: int
    removed: int
    omitted: int
    since_sha: str | None = None
    submission_number: int | None = None


class ChangeView(Model, kw_only=True):
    ref_code: str
    change: ChangeSummary | None = None
    files: list[ChangedFile] = []
    commits: list[CommitOfChange] = []
    compares_with: str | None = None
    reported_commits: list[str] = []
    moved: str | None = None


class ChangedFile(Model, kw_only=True):
    position: int
    path: str
    status: str
    kind: str
    added: int
    removed: int
    digest: str
    old_path: str | None = None
    old_size: int | None = None
    new_size: int | None = None
    omitted: str | None = None
    viewed: bool = False
    commit_shas: list[str] = []
    criterion_ids: list[str] = []
    since_last: str | None = None


class CheckRow(Model, kw_only=True):
    name: str
    state: str
    conclusion: str | None
    url: str | None
    updated_at: str


class ChecksState(Model, kw_only=True):
    state: str
    passed: int = 0
    failed: int = 0
    pending: int = 0


class ClaimResult(Model, kw_only=True):
    id: str
    fence: int
    expires_at: str | None = None


class ClaimState(Model, kw_only=True):
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


class ClaimedAction(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None
    claim: ClaimResult | None = None
    assignee: AssigneeResult | None = None
    advisory: str | None = None
    next_step: str | None = msgspec.field(name="next_step", default=None)
    deviations: list[DeviationResult] = []
    news: list[NewsItem] = []
    overlaps: list[OverlapResult] = []


class ClarificationResult(Model, kw_only=True):
    pid: str
    action_pid: str
    asked_by: str
    question: str
    status: str
    answer: str | None = None
    answered_at: str | None = None
    relayed: bool = False
    untrusted: RelayedText | None = None
    written_back: bool = False
    next_step: str | None = msgspec.field(name="next_step", default=None)
    advisory: str | None = None
    news: list[NewsItem] = []


class ClusterEdge(Model, kw_only=True):
    before: str | None
    after: str | None
    count: int
    unresolved: int
    bends: list[Bend]


class CodeState(Model, kw_only=True):
    checks: ChecksState
    pr_url: str | None = None
    head_sha: str | None = None
    pull_request: PullRequestState | None = None
    parted: bool = False
    stale: str | None = None


class Column(Model, kw_only=True):
    state: str
    count: int
    cards: list[Card]
    more: bool
    moves: list[str]
    task_moves: list[str]
    newest_only: int | None = None


class CommandRow(Model, kw_only=True):
    command: str
    outcome: str
    evidence: str


class CommentResult(Model, kw_only=True):
    pid: str
    document_id: str
    author: str
    created_at: str
    untrusted: CommentText
    on: str = "document"
    ref_code: str | None = None
    agent: str | None = None
    edited_at: str | None = None
    passage_start: int | None = None
    passage_lost: bool = False
    resolved: bool = False
    resolved_by: str | None = None
    resolved_at: str | None = None
    deleted_by: str | None = None
    deleted_at: str | None = None
    mentions: list[str] = []
    advisory: str | None = None
    may_edit: bool = False
    may_delete: bool = False


class CommentText(Model, kw_only=True):
    body: str
    passage: str | None = None


class Comments(Model, kw_only=True):
    comments: list[CommentResult]
    notice: str
    next_cursor: str | None = None
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class CommitOfChange(Model, kw_only=True):
    sha: str
    subject: str
    criterion_ids: list[str] = []


class CommitReported(Model, kw_only=True):
    recorded: bool
    action_pid: str
    sha: str
    advisory: str | None = None
    news: list[NewsItem] = []


class CommitRow(Model, kw_only=True):
    sha: str
    message: str
    branch: str | None
    files_changed: int | None
    source: str
    reported_at: str


class CommitTexts(Model, kw_only=True):
    commits: list[str]


class ConnectedTask(Model, kw_only=True):
    edge_id: str
    edge: str
    ref_code: str
    label: str
    status: str


class Control(Model, kw_only=True):
    kind: str
    by: str
    at: str
    reason: str | None = None
    applied_at: str | None = None


class CredentialOfAgent(Model, kw_only=True):
    pid: str
    kind: str
    name: str


class CriterionBrief(Model, kw_only=True):
    id: str
    text: str = ""
    status: str
    evidence_state: str = "none"
    untrusted: CriterionText | None = None


class CriterionResult(Model, kw_only=True):
    id: str
    text: str
    status: str
    revision: int
    evidence_state: str | None = None
    evidence: EvidencePiece | None = None
    files: list[EvidenceFile] = []
    accepts_evidence: bool = False


class CriterionTally(Model, kw_only=True):
    criterion_id: str
    outcome: str
    passed: int
    failed: int


class CriterionText(Model, kw_only=True):
    called_unmet: str


class DayRow(Model, kw_only=True):
    day: str
    scope: int
    done: int


class DeedRow(Model, kw_only=True):
    seq: int
    at: str
    kind: str
    actor_id: str | None
    actor_name: str | None
    actor_kind: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_key: str | None
    spec_id: str | None
    ref_code: str | None
    label: str | None
    deed: str
    detail: str
    data: dict[str, Any]
    imported: bool = False
    agent: str | None = None
    about: NamedRecord | None = None


class DeliveryRow(Model, kw_only=True):
    delivery_id: str
    event: str
    outcome: str
    received_at: str


class DependentRow(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    state: str


class DeviationResult(Model, kw_only=True):
    kind: str
    subjects: list[str]
    count: int
    rule: str | None = None


class DeviationRow(Model, kw_only=True):
    id: str
    kind: str
    subjects: list[str]
    count: int
    state: str
    can_go_into_spec: bool
    rule: str | None = None
    decided_by: str | None = None
    decided_at: str | None = None


class DiffItem(Model, kw_only=True):
    change: str
    parts: list[DiffPart]


class DiffPart(Model, kw_only=True):
    change: str
    text: str


class DocumentBrief(Model, kw_only=True):
    pid: str
    title: str
    untrusted: DocumentText


class DocumentResult(Model, kw_only=True):
    pid: str
    project_id: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    body: str
    status_line: str
    revision: int
    created_at: str
    updated_at: str
    ref_code: str | None = None
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class DocumentRow(Model, kw_only=True):
    pid: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    status_line: str
    revision: int
    updated_at: str
    ref_code: str | None = None


class DocumentText(Model, kw_only=True):
    body: str


class Documents(Model, kw_only=True):
    documents: list[DocumentRow]
    next_cursor: str | None = None


class Draft(Model, kw_only=True):
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None
    pid: str | None = None
    kind: str | None = None
    state: str | None = None
    version: int | None = None
    title: str | None = None
    project_id: str | None = None
    spec_id: str | None = None
    newer_version: str | None = None
    next_step: str = msgspec.field(name="next_step")
    remark: str = ""
    decided_by: str | None = None
    items: list[DraftItem] = []
    spec: SpecText | None = None
    open_drafts: list[OpenDraft] = []
    approach: str | None = None
    actions: list[PlanActionText] = []
    news: list[NewsItem] = []


class DraftAction(Model, kw_only=True):
    pid: str
    ref_code: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    label: str
    description: str
    area: str
    paths: list[str]
    state: str
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    criteria: list[CriterionResult]
    created_at: str
    updated_at: str
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None
    prerequisites: list[FirstRow]
    open_questions: int
    claim: ClaimState | None = None


class DraftItem(Model, kw_only=True):
    id: str
    field: str
    change: str
    text: str
    before: str = ""
    decision: str | None = None
    accepted_text: str | None = None
    ref_code: str | None = None


class DraftSaved(Model, kw_only=True):
    pid: str
    kind: str
    state: str
    version: int
    title: str
    items: int
    url: str
    spec_id: str | None = None
    task_ref: str | None = None
    next_step: str | None = msgspec.field(name="next_step", default=None)


class Durations(Model, kw_only=True):
    count: int
    median_seconds: int
    p90_seconds: int


class EdgeResult(Model, kw_only=True):
    pid: str
    project_id: str
    from_task_id: str
    to_task_id: str
    label: str
    style: str | None
    comes_first: str | None
    comes_after: str | None


class EventRow(Model, kw_only=True):
    seq: int
    at: str
    kind: str
    actor_id: str | None
    agent_model: str | None
    door: str
    object_id: str
    project_id: str | None
    spec_id: str | None
    action_id: str | None
    data: dict[str, Any]
    about_user_id: str | None = None
    agent: str | None = None
    agent_session_id: str | None = None


class Events(Model, kw_only=True):
    events: list[EventRow]
    next_cursor: int | None = None


class EvidenceFile(Model, kw_only=True):
    pid: str
    name: str
    media_type: str
    size_bytes: int
    added_at: str
    picture: bool = False
    preview: str | None = None
    more: bool = False


class EvidencePiece(Model, kw_only=True):
    level: str
    text: str
    sha: str | None
    given_at: str
    stale: str | None = None


class FetchState(Model, kw_only=True):
    problem: str | None = None
    next_at: str | None = None


class FieldDiff(Model, kw_only=True):
    field: str
    parts: list[DiffPart] = []
    items: list[DiffItem] = []


class FileOfChange(Model, kw_only=True):
    position: int
    path: str
    status: str
    kind: str
    added: int
    removed: int
    digest: str
    old_path: str | None = None
    old_size: int | None = None
    new_size: int | None = None
    omitted: str | None = None
    viewed: bool = False
    commit_shas: list[str] = []
    criterion_ids: list[str] = []
    since_last: str | None = None
    hunks: list[HunkRow]
    comments: list[LineComment] = []


class FirstPass(Model, kw_only=True):
    reviewed: int
    passed: int


class FirstRow(Model, kw_only=True):
    edge_id: str
    pid: str
    ref_code: str
    label: str
    state: str
    note: str | None = None


class FirstSteps(Model, kw_only=True):
    project: bool
    spec: bool
    published: bool
    connected: bool
    project_key: str | None
    draft_id: str | None
    done: bool


class Flow(Model, kw_only=True):
    project: ProjectResult
    count: int
    fitting: int
    done: str
    nodes: list[FlowNode]
    edges: list[FlowEdge]
    specs: list[Named]
    clusters: list[FlowCluster] = []
    cluster_edges: list[ClusterEdge] = []


class FlowCluster(Model, kw_only=True):
    spec_id: str | None
    title: str
    x: float
    y: float
    open: dict[str, int]
    total: int
    done: int


class FlowEdge(Model, kw_only=True):
    pid: str
    before: str
    after: str
    label: str
    ordered: bool
    past: bool
    critical: bool
    bends: list[Bend]


class FlowNode(Model, kw_only=True):
    card: Card
    x: float
    y: float
    placed: bool
    critical: bool


class Found(Model, kw_only=True):
    availability: str | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    kind: str
    project_key: str
    title: str
    excerpt: str
    pid: str | None = None
    project_id: str | None = None
    ref_code: str | None = None
    project_name: str | None = None
    state: str | None = None
    build: str | None = None


class GetNextTaskNextTaskRow(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    status: str
    priority: str = "none"
    description: str
    criteria: int = 0
    assignee: AssigneeResult | None = None
    due: str | None = None


class GoalName(Model, kw_only=True):
    pid: str
    title: str


class GoalResult(Model, kw_only=True):
    pid: str
    project_id: str
    title: str
    description: str
    position: int
    revision: int


class Group(Model, kw_only=True):
    key: str
    name: str
    cards: list[str]


class GuestRequestResultsSubmissionRow(Model, kw_only=True):
    pid: str
    project_id: str
    status: str
    created_at: str
    untrusted: GuestText
    task_id: str | None = None
    triaged_at: str | None = None


class GuestText(Model, kw_only=True):
    guest_name: str
    body: str
    title: str = ""


class HandOver(Model, kw_only=True):
    ended: str
    untrusted: HandOverText
    results: list[ResultBrief] = []


class HandOverText(Model, kw_only=True):
    holder: str
    agent_model: str | None
    branch: str | None
    commits: list[str]
    last_progress: str | None


class Handed(Model, kw_only=True):
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
    who: Who | None
    build: str | None
    waiting: bool
    advisory: str | None = None
    code: CodeState | None = None
    fetch: FetchState | None = None


class Held(Model, kw_only=True):
    action_pid: str
    ref_code: str
    label: str
    agent_model: str | None
    taken_at: str
    renewed_at: str
    expires_at: str | None
    pulse: str
    waiting: int
    message: str | None = None
    claim_id: str | None = None


class HeldBy(Model, kw_only=True):
    agent: str
    since: str
    last_sign: str


class HiddenFromAgents(Model, kw_only=True):
    reason: str
    cure: str


class HistorySubmissionRow(Model, kw_only=True):
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


class Holder(Model, kw_only=True):
    user_id: str
    name: str
    kind: str
    agent_model: str | None
    renewed_at: str
    expires_at: str | None
    pulse: str | None = None
    agent: str | None = None
    last_message: str | None = None


class HolderActivity(Model, kw_only=True):
    session_pid: str
    hooks: bool
    steps: list[StepResult]
    state: ActivityResult | None = None


class HunkRow(Model, kw_only=True):
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: str
    lines: list[str]
    commit_shas: list[str] = []
    criterion_ids: list[str] = []


class Inbox(Model, kw_only=True):
    items: list[NeedRow]
    counts: NeedCounts
    at_work: list[WorkRow]
    next_cursor: str | None = None


class Insights(Model, kw_only=True):
    since: str
    days: list[DayRow]
    cycle: Durations
    answers: Durations
    reviews: Durations
    first_pass: FirstPass
    models: list[ModelRow]
    agents: list[AgentRow]
    open: list[AvailabilityCount]
    newest_only: int | None = None


class ItemRow(Model, kw_only=True):
    id: str
    text: str
    criterion_id: str | None
    disposition: str | None
    note: str | None
    kind: str = "request"
    path: str | None = None
    side: str | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None
    deviation_id: str | None = None


class ItemsAcknowledged(Model, kw_only=True):
    waiting: int


class LateReportBrief(Model, kw_only=True):
    report: str
    at: str
    text: str


class LeftBehind(Model, kw_only=True):
    agent: str
    text: str


class LineComment(Model, kw_only=True):
    item_id: str
    kind: str
    text: str
    by: str
    at: str
    submission_number: int
    side: str
    line: int
    end_line: int
    quote: str
    disposition: str | None = None
    note: str | None = None
    sha: str | None = None
    outdated: bool = False
    elsewhere: bool = False


class LinkedDocument(Model, kw_only=True):
    pid: str
    title: str
    status_line: str = ""


class ListActionsActionRow(Model, kw_only=True):
    pid: str
    ref_code: str
    spec_id: str | None
    plan_id: str | None
    label: str
    area: str
    state: str
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []


class ListAvailableSpecsActionRow(Model, kw_only=True):
    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None
    assignee: AssigneeResult | None = None
    due: str | None = None


class ListAvailableSpecsSpecRow(Model, kw_only=True):
    pid: str
    title: str
    summary: str
    actions: list[ListAvailableSpecsActionRow]
    done: int = 0
    more_actions: bool = False


class ListSpecsSpecRow(Model, kw_only=True):
    pid: str
    ref_code: str | None
    goal_id: str | None
    title: str
    summary: str
    build: str | None
    actions: int
    actions_done: int
    revision: int


class MemberList(Model, kw_only=True):
    members: list[MemberView]
    next_cursor: str | None = None


class MemberView(Model, kw_only=True):
    user_id: str
    kind: Literal["agent", "person"]
    name: str
    role: Literal["admin", "member", "owner", "viewer"]
    email: str | None = None
    has_password: bool = False
    added_at: str | None = None
    owner_id: str | None = None
    owner_name: str | None = None
    created_by: str | None = None
    created_by_name: str | None = None


class MessageResult(Model, kw_only=True):
    pid: str
    text: str
    author: str
    author_id: str
    sent_at: str
    to: str
    to_kind: str
    to_id: str
    deliveries: list[MessageResultsDeliveryResult]
    cancelled_at: str | None = None


class MessageResultsDeliveryResult(Model, kw_only=True):
    session_id: str
    session: str
    state: str
    delivered_at: str | None = None
    by: str | None = None
    acknowledged_at: str | None = None
    acknowledgement: str | None = None


class Messages(Model, kw_only=True):
    messages: list[MessageResult]
    readers: list[str] = []
    next_cursor: str | None = None


class MirrorItem(Model, kw_only=True):
    item_id: str
    title: str
    body: str
    guest_name: str
    created_at: str


class MirrorItems(Model, kw_only=True):
    items: list[MirrorItem]
    more: bool


class MirrorPlaced(Model, kw_only=True):
    picture_id: str
    url: str
    changed: bool
    held_newer: bool = False


class MirrorRow(Model, kw_only=True):
    picture_id: str
    source_id: str
    name: str
    received_by: str
    received_at: str


class Mirrors(Model, kw_only=True):
    pictures: list[MirrorRow]
    next_cursor: str | None = None


class ModelRow(Model, kw_only=True):
    agent_model: str | None
    done: int
    cycle: Durations
    first_pass: FirstPass


class Move(Model, kw_only=True):
    seq: int
    at: str
    action_id: str
    ref_code: str | None
    state: str | None


class Named(Model, kw_only=True):
    pid: str
    name: str


class NamedRecord(Model, kw_only=True):
    kind: str
    pid: str
    title: str


class NeedCounts(Model, kw_only=True):
    questions: int
    reviews: int
    claims: int
    reworks: int
    take_overs: int
    guests: int
    dropped: int
    proposals: int
    mentions: int
    watched: int
    total: int
    for_you: int


class NeedRow(Model, kw_only=True):
    availability: str | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    kind: str
    pid: str
    since: str
    project_key: str
    project_name: str
    text: str
    who: Who
    action_pid: str | None = None
    ref_code: str | None = None
    label: str | None = None
    spec_id: str | None = None
    spec_title: str | None = None
    number: int | None = None
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None
    criteria: int | None = None
    criteria_shown: int | None = None
    criteria_confirmed: int | None = None
    criteria_self_reported: int | None = None
    criteria_failing: int | None = None
    renewed_at: str | None = None
    suggested_label: str | None = None
    taken_from: str | None = None
    dependents: list[WaitingRow] | None = None
    dependents_count: int | None = None
    draft: str | None = None
    document_id: str | None = None
    code: CodeState | None = None
    deviations: int | None = None


class NewsItem(Model, kw_only=True):
    kind: str
    at: str
    object_id: str
    text: str
    ref_code: str | None = None
    untrusted: CommentText | None = None


class NextTask(Model, kw_only=True):
    task: GetNextTaskNextTaskRow | None
    reason: str
    why: str
    blocked: list[BlockedTask]
    blocked_count: int
    next_step: str | None = msgspec.field(name="next_step", default=None)
    taken: bool = False
    news: list[NewsItem] = []


class NoteResult(Model, kw_only=True):
    pid: str
    project_id: str
    title: str
    body: str
    revision: int
    created_at: str
    updated_at: str
    ref_code: str | None = None
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class NoteRow(Model, kw_only=True):
    pid: str
    title: str
    revision: int
    updated_at: str
    ref_code: str | None = None


class Notes(Model, kw_only=True):
    notes: list[NoteRow]
    next_cursor: str | None = None


class OpenDraft(Model, kw_only=True):
    pid: str
    kind: str
    title: str


class OrphanTests(Model, kw_only=True):
    count: int
    names: list[str]
    reported_at: str


class OtherActions(Model, kw_only=True):
    project_key: str
    actions: list[ListAvailableSpecsActionRow]
    more: int = 0


class OverlapResult(Model, kw_only=True):
    ref_code: str | None = None
    agent: str | None = None
    basis: str
    paths: list[str]
    count: int


class Overview(Model, kw_only=True):
    workspace: str
    user_id: str
    user_name: str
    role: str
    projects: list[ProjectAtWork]
    needs: NeedCounts
    seq: int
    now: str


class Participant(Model, kw_only=True):
    user_id: str
    name: str
    kind: str


class Participants(Model, kw_only=True):
    spec_id: str
    participants: list[Participant]


class PlanActionText(Model, kw_only=True):
    ref_code: str
    label: str
    state: str
    description: str
    area: str
    criteria: list[str]
    prerequisites: list[str]
    paths: list[str]


class PlanBrief(Model, kw_only=True):
    approach: str


class PlanResult(Model, kw_only=True):
    pid: str
    spec_id: str
    title: str
    approach: str
    active: bool
    revision: int
    created_at: str
    updated_at: str


class PlannedAction(Model, kw_only=True):
    pid: str
    ref_code: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    label: str
    description: str
    area: str
    paths: list[str]
    state: str
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    criteria: list[CriterionResult]
    created_at: str
    updated_at: str
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None


class PrerequisiteCode(Model, kw_only=True):
    ref_code: str
    by: str
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None


class PrerequisiteRow(Model, kw_only=True):
    edge_id: str
    pid: str
    ref_code: str
    label: str
    state: str
    resolved: bool
    note: str | None = None


class ProjectAtWork(Model, kw_only=True):
    pid: str
    key: str
    name: str
    state: str
    active: int


class ProjectCard(Model, kw_only=True):
    pid: str
    key: str
    name: str
    description: str
    state: str
    total: int
    done: int
    in_progress: int
    in_review: int
    waiting: int
    at_work_count: int
    at_work: list[Worker]


class ProjectCards(Model, kw_only=True):
    projects: list[ProjectCard]
    next_cursor: str | None = None


class ProjectResult(Model, kw_only=True):
    pid: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    revision: int
    created_at: str
    updated_at: str
    require_evidence: bool
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class ProjectRow(Model, kw_only=True):
    pid: str
    key: str
    name: str
    description: str
    state: str


class Projects(Model, kw_only=True):
    projects: list[ProjectRow]
    next_cursor: str | None = None


class ProposalItem(Model, kw_only=True):
    id: str
    field: str
    change: str
    text: str
    before: str = ""
    present: str | None = None
    gone: bool = False
    parent: str = ""
    needs: str = ""
    diff: list[DiffPart] = []
    decision: str | None = None
    accepted_text: str | None = None
    ref_code: str | None = None


class ProposalRow(Model, kw_only=True):
    pid: str
    kind: str
    title: str
    version: int
    items: int
    who: Who
    created_at: str
    spec_id: str | None = None


class ProposalView(Model, kw_only=True):
    pid: str
    kind: str
    state: str
    title: str
    version: int
    project: ProjectResult
    who: Who
    created_at: str
    items: list[ProposalItem]
    present_rev: str
    count: int
    changed_since: bool
    may_create_plan: bool
    base_revision: int
    spec_id: str | None = None
    spec_title: str | None = None
    plan_id: str | None = None
    plan_title: str | None = None
    task_ref: str | None = None
    previous_id: str | None = None
    newer_version: str | None = None
    remark: str = ""
    decided_by: str | None = None
    decided_at: str | None = None


class Proposals(Model, kw_only=True):
    proposals: list[ProposalRow]


class ProposedKey(Model, kw_only=True):
    key: str


class Published(Model, kw_only=True):
    project_id: str
    server_url: str
    url: str


class PullRequestRow(Model, kw_only=True):
    number: int
    state: str
    head_sha: str
    moved: bool
    updated_at: str
    merged_at: str | None = None


class PullRequestState(Model, kw_only=True):
    number: int
    url: str
    state: str
    head_sha: str
    heard_at: str
    draft: bool = False
    base_branch: str | None = None
    merge_state: str | None = None
    ahead: int | None = None
    behind: int | None = None


class Pulled(Model, kw_only=True):
    project_id: str
    server_url: str
    received: int
    more: bool


class Pushed(Model, kw_only=True):
    project_id: str
    server_url: str
    pushed: bool
    reason: Literal["newer_there", "sent", "unchanged"]


class RelayedText(Model, kw_only=True):
    answer: str


class RemarkRow(Model, kw_only=True):
    level: str
    code: str
    message: str
    ref_code: str | None = None


class Replay(Model, kw_only=True):
    moves: list[Move]
    next_cursor: int | None = None


class ReportUploaded(Model, kw_only=True):
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


class Requested(Model, kw_only=True):
    by: str
    text: str


class RequestedChanges(Model, kw_only=True):
    by: str
    text: str


class Rest(Model, kw_only=True):
    of: str
    text: str | None = None
    items: list[Any] = []
    next: str | None = None


class Restored(Model, kw_only=True):
    pid: str
    revision: int


class ResultBrief(Model, kw_only=True):
    criterion_id: str
    outcome: str
    at: str


class ResultReported(Model, kw_only=True):
    recorded: bool
    action_pid: str
    criterion_id: str
    outcome: str
    advisory: str | None = None
    news: list[NewsItem] = []


class ReviewBrief(Model, kw_only=True):
    verdict: str
    summary: str
    reviewed_at: str
    head_sha: str | None
    items: list[ReviewItemBrief]
    remarks: list[ReviewItemBrief] = []


class ReviewItemBrief(Model, kw_only=True):
    id: str
    text: str
    criterion_id: str | None = None
    disposition: str | None = None
    path: str | None = None
    side: str | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None


class ReviewPage(Model, kw_only=True):
    action_pid: str
    ref_code: str
    label: str
    description: str
    area: str
    state: str
    state_reason: str | None
    project_key: str
    project_name: str
    repository_url: str | None
    spec_id: str | None
    spec_title: str | None
    submission: Handed
    criteria: list[Trace]
    unpublished: int
    commits: list[TracedCommit]
    checks: list[CheckRow]
    checks_say: str
    questions: list[AskedRow]
    reviews: list[ReviewRow]
    brief_changes: list[FieldDiff]
    orphan_tests: OrphanTests | None = None
    since_last: SinceLast | None = None
    deviations: list[DeviationRow] = []
    commands: list[CommandRow] = []


class ReviewRow(Model, kw_only=True):
    id: str
    submission_id: str
    verdict: str
    summary: str
    head_sha: str | None
    reviewed_by: str
    reviewed_at: str
    verdicts: list[VerdictRow]
    items: list[ItemRow]


class RevisionHead(Model, kw_only=True):
    revision: int
    author: str
    written_at: str


class RevisionRow(Model, kw_only=True):
    revision: int
    author_id: str
    author: str
    written_at: str
    fields: list[str]
    content: dict[str, Any] | None = None


class Revisions(Model, kw_only=True):
    object_id: str
    revisions: list[RevisionRow]
    next_cursor: int | None = None


class RevisionsCompared(Model, kw_only=True):
    object_id: str
    before: RevisionHead
    fields: list[FieldDiff]
    after: RevisionHead | None = None


class RunResult(Model, kw_only=True):
    pid: str
    project_id: str
    task_id: str | None
    label: str
    user: str
    model: str | None
    status: str
    started_at: str
    last_sign_at: str
    ended_at: str | None = None
    tokens: int | None = None
    cost: float | None = None
    result: str | None = None
    news: list[NewsItem] = []


class SampleLoaded(Model, kw_only=True):
    loaded: bool
    key: str
    name: str
    specs: int = 0
    actions: int = 0
    published: int = 0


class Scaffolded(Model, kw_only=True):
    pid: str
    key: str
    name: str
    tasks: int
    edges: int
    documents: int
    key_to_id: dict[str, str] = msgspec.field(name="key_to_id")


class SearchResults(Model, kw_only=True):
    results: list[Found]
    note: str | None = None


class Session(Model, kw_only=True):
    pid: str
    name: str
    number: int
    model: str | None
    started_at: str
    last_sign_at: str
    ended: bool
    held: list[Held]
    given_name: str | None = None
    hooks: bool = False
    activity: ActivityResult | None = None
    control: Control | None = None


class SessionActivity(Model, kw_only=True):
    pid: str
    name: str
    agent: str
    user: str
    client: str
    model: str | None
    started_at: str
    last_sign_at: str
    ended: bool
    held: list[Held]
    hooks: bool
    steps: list[StepResult]
    state: ActivityResult | None = None
    control: Control | None = None
    next_cursor: str | None = None


class ShareView(Model, kw_only=True):
    share_id: str
    project_id: str
    state: Literal["ended", "open", "published"]
    takes_items: bool
    with_documents: bool
    created_by: str
    created_by_name: str
    owner_id: str
    owner_name: str
    created_at: str
    action_id: str | None = None
    server_url: str | None = None
    expires_at: str | None = None
    revoked_at: str | None = None


class Shares(Model, kw_only=True):
    shares: list[ShareView]
    next_cursor: str | None = None


class SiblingBrief(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None


class SinceLast(Model, kw_only=True):
    number: int
    head_sha: str | None
    submitted_at: str
    commits: int
    evidence: int
    tests: int
    brief: list[FieldDiff]


class SpecAction(Model, kw_only=True):
    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    pid: str
    ref_code: str
    label: str
    description: str
    area: str
    status: str
    claimed_by: str | None
    acceptance_criteria: list[CriterionBrief]


class SpecBrief(Model, kw_only=True):
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[AttachmentBrief]


class SpecDraft(Model, kw_only=True):
    pid: str
    ref_code: str | None
    project_id: str
    goal_id: str | None
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    active_plan_id: str | None
    build: str | None
    revision: int
    created_at: str
    updated_at: str
    project_key: str
    project: ProjectResult
    goals: list[GoalName]
    build_id: str | None
    unpublished: bool
    plans: list[PlanResult]
    shown_plan_id: str | None
    actions: list[DraftAction]
    everyone_takes_part: bool
    participants: list[Participant]
    attachments: list[AttachmentRow]


class SpecOfBoard(Model, kw_only=True):
    pid: str
    name: str
    actions: int
    actions_done: int


class SpecResult(Model, kw_only=True):
    pid: str
    ref_code: str | None
    project_id: str
    goal_id: str | None
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    active_plan_id: str | None
    build: str | None
    revision: int
    created_at: str
    updated_at: str


class SpecText(Model, kw_only=True):
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]


class Specs(Model, kw_only=True):
    specs: list[ListSpecsSpecRow]
    next_cursor: str | None = None


class StepResult(Model, kw_only=True):
    event: str
    started_at: str
    tool: str | None = None
    detail: str | None = None
    subagent: str | None = None
    subagent_kind: str | None = None
    ended_at: str | None = None
    duration_ms: int | None = None


class SubmissionBrief(Model, kw_only=True):
    number: int
    by: str
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[UnmetRow] = []


class Submissions(Model, kw_only=True):
    submissions: list[GuestRequestResultsSubmissionRow]
    notice: str
    next_cursor: str | None = None
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class Task(Model, kw_only=True):
    pid: str
    ref_code: str
    project_id: str
    label: str
    status: str
    description: str
    revision: int
    updated_at: str
    status_reason: str | None = None
    spec_id: str | None = None
    priority: int = 0
    criteria: int = 0
    x: float | None = None
    y: float | None = None
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None
    news: list[NewsItem] = []
    next_step: str | None = msgspec.field(name="next_step", default=None)
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class TaskCriterion(Model, kw_only=True):
    id: str
    text: str
    status: str


class TaskRow(Model, kw_only=True):
    pid: str
    ref_code: str
    label: str
    status: str
    priority: str = "none"


class TaskRun(Model, kw_only=True):
    pid: str
    label: str
    user: str
    status: str
    last_sign_at: str


class TaskSummary(Model, kw_only=True):
    ref_code: str
    label: str
    status: str
    priority: str = "none"
    availability: str | None = None
    assignee: str | None = None
    due: str | None = None
    labels: list[str] = []
    spec: str | None = None
    held_by: str | None = None
    waits_for: list[str] = []
    pid: str | None = None


class Tasks(Model, kw_only=True):
    tasks: list[TaskSummary]
    next_cursor: str | None = None
    news: list[NewsItem] = []


class TestRow(Model, kw_only=True):
    criterion_id: str
    outcome: str
    evidence: str
    sha: str | None
    reported_at: str


class Timeline(Model, kw_only=True):
    events: list[DeedRow]
    next_cursor: int | None = None


class Trace(Model, kw_only=True):
    id: str
    number: int
    text: str
    status: str
    evidence_state: str
    evidence: list[TracedEvidence]
    commits: list[str]
    tests: list[TracedTest]
    questions: list[str]
    now_reads: str | None = None
    verdict: VerdictRow | None = None
    unmet: str | None = None
    files: list[EvidenceFile] = []


class TracedCommit(Model, kw_only=True):
    sha: str
    message: str
    branch: str | None
    files_changed: int | None
    source: str
    reported_at: str
    criterion_ids: list[str]
    fresh: bool = False


class TracedEvidence(Model, kw_only=True):
    level: str
    text: str
    sha: str | None
    given_at: str
    stale: str | None = None
    fresh: bool = False


class TracedTest(Model, kw_only=True):
    outcome: str
    text: str
    sha: str | None
    reported_at: str
    fresh: bool = False


class Triaged(Model, kw_only=True):
    pid: str
    project_id: str
    status: str
    created_at: str
    triaged_at: str
    triaged_by: str
    untrusted: GuestText
    notice: str
    task_id: str | None = None
    task: Task | None = None


class UnmetRow(Model, kw_only=True):
    criterion_id: str
    reason: str


class UnreportedCommits(Model, kw_only=True):
    untrusted: CommitTexts


class UpdatedProject(Model, kw_only=True):
    pid: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    revision: int
    created_at: str
    updated_at: str
    require_evidence: bool
    refuse_overlap: bool = False
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class VerdictRow(Model, kw_only=True):
    criterion_id: str
    verdict: str
    note: str


class WaitingRow(Model, kw_only=True):
    ref_code: str
    label: str


class WaitsFor(Model, kw_only=True):
    ref_code: str | None = None
    availability: str
    start_with: list[str] = []
    note: str | None = None


class WatcherRow(Model, kw_only=True):
    user_id: str
    name: str
    why: str


class Watchers(Model, kw_only=True):
    object_id: str
    watching: bool
    watchers: list[WatcherRow]
    why: str | None = None


class WebhookView(Model, kw_only=True):
    is_set: bool
    payload_url: str
    repository_url: str | None
    events: list[str]
    deliveries: list[DeliveryRow]
    set_by: str | None = None
    owner_name: str | None = None
    set_at: str | None = None


class Who(Model, kw_only=True):
    name: str
    kind: str
    user_id: str | None = None
    agent_model: str | None = None
    agent: str | None = None


class WholeAction(Model, kw_only=True):
    pid: str
    ref_code: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    label: str
    description: str
    area: str
    paths: list[str]
    state: str
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    criteria: list[CriterionResult]
    created_at: str
    updated_at: str
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None
    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    overdue: bool = False
    hidden_from_agents: HiddenFromAgents | None = None
    overlaps: list[OverlapResult] = []
    claim: ClaimState | None
    activity: HolderActivity | None = None
    moves: list[str]
    prerequisites: list[PrerequisiteRow]
    dependents: list[DependentRow]
    drop_accepted_at: str | None
    clarifications: list[ClarificationResult]
    commits: list[CommitRow]
    head_sha: str | None
    checks: list[CheckRow]
    test_results: list[TestRow]
    submissions: list[HistorySubmissionRow]
    reviews: list[ReviewRow]
    code: CodeState | None = None


class WholeProject(Model, kw_only=True):
    pid: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    revision: int
    created_at: str
    updated_at: str
    require_evidence: bool
    counts: dict[str, int]
    tasks: list[TaskRow]
    goals: list[GoalResult]
    agent_runs: list[RunResult]
    next_cursor: str | None = None
    keeps_activity: bool = True
    refuse_overlap: bool = False
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class WholeSpec(Model, kw_only=True):
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[AttachmentBrief]
    build: str
    plan: PlanBrief
    actions: list[SpecAction]
    next_cursor: str | None = None
    news: list[NewsItem] = []


class WholeTask(Model, kw_only=True):
    pid: str
    ref_code: str
    project_id: str
    label: str
    status: str
    availability: str
    description: str
    revision: int
    updated_at: str
    status_reason: str | None = None
    spec_id: str | None = None
    spec_title: str | None = None
    priority: int = 0
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    x: float | None = None
    y: float | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    next_step: str | None = msgspec.field(name="next_step", default=None)
    requested_changes: RequestedChanges | None = None
    left_behind: LeftBehind | None = None
    criteria: list[TaskCriterion] = []
    prerequisites: list[ConnectedTask] = []
    dependents: list[ConnectedTask] = []
    related: list[ConnectedTask] = []
    documents: list[LinkedDocument] = []
    runs: list[TaskRun] = []
    news: list[NewsItem] = []
    cut: list[str] = []
    read_on: str | None = None
    rest: Rest | None = None


class WorkRow(Model, kw_only=True):
    action_pid: str
    ref_code: str
    label: str
    who: Who
    renewed_at: str
    pulse: str
    last_message: str | None


class Worker(Model, kw_only=True):
    name: str
    kind: str


class WorkspaceSettings(Model, kw_only=True):
    workspace_id: str
    name: str
    participation: str


class You(Model, kw_only=True):
    agent: str | None
    session: str | None
    slots: int
    holds: list[str]
    may_hold: list[str] = []


class YourWork(Model, kw_only=True):
    branch: str | None = None
    commits: list[str] = []
    results: list[ResultBrief] = []
    last_progress: str | None = None
    late_reports: list[LateReportBrief] = []


class ActionOfDraft(TypedDict):
    key: str
    label: NotRequired[str | None]
    description: NotRequired[str | None]
    area: NotRequired[str | None]
    criteria: NotRequired[list[str] | None]
    prerequisites: NotRequired[list[str]]
    paths: NotRequired[list[str] | None]


class AsTask(TypedDict):
    label: str
    description: NotRequired[str]


class CommandEntry(TypedDict):
    command: str
    outcome: Literal["passed", "failed"]
    evidence: NotRequired[str]


class DispositionEntry(TypedDict):
    itemId: str
    disposition: Literal["fixed", "declined", "deferred"]
    note: str


class DocumentOfPlan(TypedDict):
    title: str
    body: NotRequired[str]
    status_line: NotRequired[str]
    link_to: NotRequired[str | None]


EdgeOfPlan = TypedDict(
    "EdgeOfPlan",
    {
        "from": str,
        "to": str,
        "label": NotRequired[Literal["blocks", "clarifies", "depends_on", "enables", "feeds", "supports", "unblocks"]],
        "style": NotRequired[str | None],
    },
)


class EvidenceEntry(TypedDict):
    criterionId: str
    evidence: str


class PlacedNode(TypedDict):
    id: str
    x: float
    y: float


class ShownHeading(TypedDict):
    title: str
    text: str


class ShownLink(TypedDict):
    fromRef: str
    toRef: str
    label: str


class ShownPage(TypedDict):
    title: str
    statusLine: str
    body: str


class ShownProject(TypedDict):
    name: str
    description: str
    status: str
    counts: dict[str, int]
    goals: list[ShownHeading]
    specs: list[ShownHeading]
    actions: list[ShownStep]
    edges: list[ShownLink]
    documents: list[ShownPage]
    leftOut: int


class ShownStep(TypedDict):
    ref: str
    label: str
    area: str
    status: str
    spec: str
    criteriaDone: int
    criteriaTotal: int
    dropAccepted: NotRequired[bool]


class TaskOfPlan(TypedDict):
    key: str
    label: str
    status: NotRequired[Literal["backlog", "scope", "todo", "in_progress", "in_review", "done", "wont_do"]]
    description: NotRequired[str]
    x: NotRequired[float | None]
    y: NotRequired[float | None]
    priority: NotRequired[Literal["high", "low", "medium", "none", "urgent"]]
    assignee: NotRequired[str | None]
    due: NotRequired[str | None]
    labels: NotRequired[list[str] | None]


class UnmetEntry(TypedDict):
    criterionId: str
    reason: str
