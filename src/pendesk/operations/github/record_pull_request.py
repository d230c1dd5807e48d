"""record_pull_request: how a pull request stands, told to the actions that were handed in with it."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.event_data import PullRequestChangedData
from pendesk.domain.github import PullRequest, pull_request_url_variants
from pendesk.domain.limits import BRANCH_CHARS, LABEL_CHARS
from pendesk.operations.fields import Url
from pendesk.operations.github.delivery import (
    DeliveryInput,
    Received,
    Sha,
    begin_delivery_unless_repeated,
    repeated_delivery_result,
)
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import actions, github

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
    )
    known = github.pull_request(call.tx, pull_request.project_id, pull_request.number)
    if known is not None and pull_request.updated_at < known.updated_at:
        return opened.record_outcome(f"#{pull_request.number}: older than what is known, left out.")
    github.save_pull_request(call.tx, pull_request)
    recorded = _log_changes_and_count_submissions(call, known, pull_request)
    return opened.record_outcome(f"#{pull_request.number} is {pull_request.state}, for {recorded} submissions.")


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
        call.record(action_event(facts.action, "pull_request.changed", data, submission.id))
    return len(submissions)


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
