"""get_inbox: what needs a person, the oldest first."""

from typing import Annotated, Any, Literal, cast, get_args

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.claim import lease_liveness
from pendesk.domain.errors import BadField
from pendesk.domain.event import EventKind
from pendesk.domain.guest_request import label_from_guest_text
from pendesk.domain.limits import AT_WORK_SHOWN, DEPENDENTS_NAMED, LABEL_LISTED_CHARS, PAGE_ROWS
from pendesk.domain.watching import WATCHED_PHRASES
from pendesk.ids import parse_id
from pendesk.operations.availability import OptionalAvailability, availability_fields_of
from pendesk.operations.fields import ProjectId
from pendesk.operations.github.code_state import CodeState, code_state_by_action_id
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.paging import PageCursor, page_and_next_cursor
from pendesk.operations.projects.find import find_project
from pendesk.operations.review.author import Who
from pendesk.store import agent_sessions, deviations, needs
from pendesk.store.needs import InboxCounts, InboxItem, LiveClaim
from pendesk.store.prerequisites import Dependent

NeedKind = Literal[
    "question", "review", "claim", "rework", "take_over", "guest", "dropped", "proposal", "mention", "watched"
]
# What happened to what one watches is shown where it is asked for: nobody has to do anything.
KINDS: tuple[NeedKind, ...] = tuple(kind for kind in get_args(NeedKind) if kind != "watched")


class GetInbox(Input):
    kind: Annotated[NeedKind, Meta(description="Only these; all but watched if left out.")] | None = None
    project_id: Annotated[ProjectId, Meta(description="Only of this project: its pid or key.")] | None = None
    cursor: PageCursor | None = None


class WaitingRow(Output):
    ref_code: str
    label: str


class NeedRow(OptionalAvailability, kw_only=True):
    """pid: of the question, the submission, the claim, the review, the guest's item, the dropped action or the draft.
    action_pid: what the answer is about.

    text: the question, the submission's summary, the last progress before the claim ran out or was taken over, the
    review's summary, the guest's words, why the action was dropped, the comment that mentions
    the caller, or what happened last to what they watch, with number the count of changes.
    taken_from: the agent, or person, that had the claim that `who` took over. dependents: the first that wait for what
    was dropped, of dependents_count.
    label: the action's, or the title that a guest gave. criteria_shown: how many criteria are met,
    the confirmed ones among them; criteria_failing: how many failed last.
    code: of what is to be reviewed, its pull request and its checks.
    deviations: how many of the submission nobody has decided about.
    suggested_label: for the task that a guest's item becomes. draft: what an agent proposes, a spec or a plan; number
    is its version then.
    """

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


class NeedCounts(Output):
    """claims: those that ran out. reworks: requested changes that nobody works on. take_overs: claims that one session
    took from another of the same user. dropped: actions that others wait for. proposals: what agents drafted.
    mentions: unread comments that mention the caller. watched: what has happened to what the caller watches, which the
    total leaves out. for_you: of the total, what the caller may do something about.
    """

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


class WorkRow(Output):
    action_pid: str
    ref_code: str
    label: str
    who: Who
    renewed_at: str
    pulse: str
    last_message: str | None


class Inbox(Output):
    """counts: whatever the filter; mentions are the caller's. at_work: who is building now, with the first page."""

    items: list[NeedRow]
    counts: NeedCounts
    at_work: list[WorkRow]
    next_cursor: str | None = None


def run(call: Call, args: GetInbox) -> Inbox:
    project = find_project(call, args.project_id) if args.project_id is not None else None
    kinds = [args.kind] if args.kind else list(KINDS)
    after = _parse_cursor_since_and_id(args.cursor)
    rows = needs.page(
        call.tx, call.actor.user_id, list(kinds), project.id if project else "", after, call.limits, PAGE_ROWS + 1
    )
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda row: f"{row.since}.{row.id}")
    working = needs.live_claims(call.tx, AT_WORK_SHOWN) if args.cursor is None else []
    session_ids = [*(row.agent_session_id for row in page), *(row.agent_session_id for row in working)]
    agents = agent_sessions.labels_by_id(call.tx, [*session_ids, *(row.taken_from_session_id for row in page)])
    fields = availability_fields_of(call, sorted({row.action_id for row in page if row.action_id is not None}))
    codes = code_state_by_action_id(call, [row.action_id for row in page if row.kind == "review" and row.action_id])
    for action_id, code in codes.items():
        fields[action_id]["code"] = code
    items = [_inbox_row(row, agents, fields.get(row.action_id or "", {})) for row in page]
    waiting = [row.action_id for row in page if row.kind == "review" and row.action_id]
    counts = deviations.open_count_by_action_id(call.tx, waiting)
    for item in items:
        item.deviations = counts.get(item.action_pid or "") if item.kind == "review" else None
    return Inbox(
        items=items,
        counts=inbox_counts_with_totals(call, needs.inbox_counts(call.tx, call.actor.user_id, call.limits)),
        at_work=[_live_claim_row(row, agents.get(row.agent_session_id or ""), call.now) for row in working],
        next_cursor=next_cursor,
    )


def inbox_counts_with_totals(call: Call, counts: InboxCounts) -> NeedCounts:
    """A viewer may look at all of it, and read the comments that mention them; the rest is for members."""
    total = sum(counts) - counts.watched
    for_you = total if call.actor.role >= Role.MEMBER else counts.mentions
    return NeedCounts(**counts._asdict(), total=total, for_you=for_you)


def _parse_cursor_since_and_id(cursor: str | None) -> tuple[int, str]:
    """Where the page before ended: since when, and which."""
    if cursor is None:
        return -1, ""
    since, _, ident = cursor.partition(".")
    after = parse_id(ident)
    if not (since.isascii() and since.isdigit() and len(since) < 18) or after is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return int(since), after


def _inbox_row(item: InboxItem, agent_by_session_id: dict[str, str], action_fields: dict[str, Any]) -> NeedRow:
    return NeedRow(
        kind=item.kind,
        pid=item.id,
        since=to_iso(item.since),
        project_key=item.project_key,
        project_name=item.project_name,
        text=_row_text(item),
        who=Who(
            user_id=item.user_id,
            name=item.user_name,
            kind=item.user_kind,
            agent_model=item.agent_model,
            agent=agent_by_session_id.get(item.agent_session_id or ""),
        ),
        action_pid=item.action_id,
        ref_code=None if item.ref_number is None else ref_code(item.project_key, item.ref_number),
        label=item.label or None,
        spec_id=item.spec_id,
        spec_title=item.spec_title,
        document_id=item.document_id,
        number=item.number,
        pr_url=item.pr_url,
        branch=item.branch,
        head_sha=item.head_sha,
        criteria=item.criteria.total if item.criteria else None,
        criteria_shown=item.criteria.met if item.criteria else None,
        criteria_confirmed=item.criteria.confirmed if item.criteria else None,
        criteria_self_reported=item.criteria.self_reported if item.criteria else None,
        criteria_failing=item.criteria.failing if item.criteria else None,
        renewed_at=to_iso_or_none(item.renewed_at),
        suggested_label=label_from_guest_text(item.label or "", item.text) if item.kind == "guest" else None,
        draft=item.text if item.kind == "proposal" else None,
        dependents=_waiting_rows(item.dependents) if item.dependents is not None else None,
        dependents_count=len(item.dependents) if item.dependents is not None else None,
        # Who takes over from a person in person is an agent of theirs.
        taken_from=agent_by_session_id.get(item.taken_from_session_id or "", item.user_name)
        if item.kind == "take_over"
        else None,
        **action_fields,
    )


def _row_text(item: InboxItem) -> str:
    if item.kind == "watched":
        return WATCHED_PHRASES[cast(EventKind, item.text)]
    return "" if item.kind == "proposal" else item.text


def _waiting_rows(dependents: list[Dependent]) -> list[WaitingRow]:
    return [
        WaitingRow(ref_code=dependent.ref, label=dependent.label[:LABEL_LISTED_CHARS])
        for dependent in dependents[:DEPENDENTS_NAMED]
    ]


def _live_claim_row(row: LiveClaim, agent: str | None, now: int) -> WorkRow:
    return WorkRow(
        action_pid=row.action_id,
        ref_code=ref_code(row.project_key, row.ref_number),
        label=row.label,
        who=Who(user_id=row.user_id, name=row.user_name, kind=row.user_kind, agent_model=row.agent_model, agent=agent),
        renewed_at=to_iso(row.renewed_at),
        pulse=lease_liveness(row.renewed_at, row.expires_at, now),
        last_message=row.last_message,
    )


OPERATION = Operation(
    name="get_inbox",
    title="See what needs a person",
    description=(
        "What waits for people, the oldest first: open questions, work submitted for review, claims that ran out, "
        "requested changes that nobody works on, claims that one session took over from another, what guests sent, "
        "dropped actions that others wait for, what agents drafted, and comments that mention you. Each with what is "
        "needed to answer it: answer_question, review_action, release_claim, triage_submission, release_dependents, "
        "decide_proposal, add_comment. Also how many there are of each, and who is at work now. Refused: 404 no such "
        "project."
    ),
    input=GetInbox,
    output=Inbox,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
