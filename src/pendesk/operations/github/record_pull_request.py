"""record_pull_request: how a pull request stands, told to the actions that were handed in with it."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, action_event
from pendesk.domain.claim import ActionFacts
from pendesk.domain.event_data import PullRequestChangedData
from pendesk.domain.github import PullRequest, pull_request_url_variants
from pendesk.domain.limits import BRANCH_CHARS, LABEL_CHARS
from pendesk.domain.review import Submission
from pendesk.operations.fields import Url
from pendesk.operations.github.delivery import (
    DeliveryInput,
    Received,
    Sha,
    begin_delivery_unless_repeated,
    repeated_delivery_result,
)
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.operations.session_news import tell_holder
from pendesk.store import actions, claims, github

State = Literal["open", "closed", "merged"]
Moment = Annotated[int, Meta(ge=0, le=2**53)]


class RecordPullRequest(DeliveryInput):
    """Times are GitHub's, in microseconds."""

    number: Annotated[int, Meta(ge=1, le=2**53)]
    url: Url
    title: Annotated[str, Meta(max_length=LABEL_CHARS)]
    state: State
    branch: Annotated[str, Meta(max_length=BRANCH_CHARS)]
    head_sha: Sha
    merged_at: Moment | None = None
    updated_at: Moment | None = None
    base_branch: Annotated[str, Meta(max_length=BRANCH_CHARS)] | None = None
    is_draft: bool | None = None
    merge_state: Annotated[str, Meta(max_length=40)] | None = None


def run(call: Call, args: RecordPullRequest) -> Received:
    opened = begin_delivery_unless_repeated(call, args)
    if opened is None:
        return repeated_delivery_result()
    pull_request = PullRequest(
        project_id=opened.project.id,
        number=args.number,
        url=args.url,
        title=args.title,
        state=args.state,
        branch=args.branch,
        head_sha=args.head_sha,
        merged_at=args.merged_at,
        updated_at=call.now if args.updated_at is None else args.updated_at,
        base_branch=args.base_branch,
        is_draft=None if args.is_draft is None else int(args.is_draft),
        merge_state=args.merge_state,
        heard_at=call.now,
    )
    return opened.record_outcome(save_pull_request(call, pull_request))


def save_pull_request(call: Call, pull_request: PullRequest) -> str:
    """What came of it. A webhook does not say how far it is ahead or behind: that stays while the head does."""
    known = github.pull_request(call.tx, pull_request.project_id, pull_request.number)
    if known is not None and pull_request.updated_at < known.updated_at:
        return f"#{pull_request.number}: older than what is known, left out."
    if known is not None and pull_request.behind is None and pull_request.head_sha == known.head_sha:
        pull_request = pull_request._replace(ahead=known.ahead, behind=known.behind)
    github.save_pull_request(call.tx, pull_request)
    recorded = _log_changes_and_count_submissions(call, known, pull_request)
    return f"#{pull_request.number} is {pull_request.state}, for {recorded} submissions."


def _log_changes_and_count_submissions(call: Call, previous: PullRequest | None, pull_request: PullRequest) -> int:
    """A head that moved after the hand-over, and an end or a new beginning, are recorded; other edits are not."""
    submissions = github.newest_submissions_of_pull_request(
        call.tx, pull_request.project_id, pull_request_url_variants(pull_request.url)
    )
    before = previous.state if previous else "open"
    for submission in submissions:
        facts = actions.facts(call.tx, submission.action_id)
        assert facts is not None
        seen = previous.head_sha if previous else submission.head_sha
        moved = pull_request.head_sha not in (seen, submission.head_sha)
        if not moved and before == pull_request.state:
            continue
        data = PullRequestChangedData(
            by=call.actor.user_name,
            number=pull_request.number,
            url=pull_request.url,
            before={"state": before, "headSha": seen},
            after={"state": pull_request.state, "headSha": pull_request.head_sha},
            submitted_sha=submission.head_sha,
            moved_since_submission=pull_request.head_sha != submission.head_sha,
        )
        _record_and_tell_submitter(call, facts, submission, data, head_moved=moved)
    return len(submissions)


def _record_and_tell_submitter(
    call: Call, facts: ActionFacts, submission: Submission, data: PullRequestChangedData, *, head_moved: bool
) -> None:
    """What its session submitted is then not what stands there. While it works on requested changes it knows."""
    event = action_event(facts.action, "pull_request.changed", data, submission.id)
    if head_moved and submission.head_sha is not None and facts.action.state == ActionState.IN_REVIEW:
        tell_holder(call, claims.by_id(call.tx, submission.claim_id), call.record_returning_id(event))
    else:
        call.record(event)


OPERATION = Operation(
    name="record_pull_request",
    title="Record a pull request",
    description=(
        "How a pull request stands: open, closed or merged, and at which commit. Submissions that name it are told "
        "when its head moves or its state changes. Only a signed webhook does this."
    ),
    input=RecordPullRequest,
    output=Received,
    scope=Scope.WEBHOOK,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
