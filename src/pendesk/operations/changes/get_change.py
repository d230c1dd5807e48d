"""get_change: which files a change touches, and what for."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.change import Change, ChangeFile, Part
from pendesk.domain.limits import ACTION_COMMITS_SHOWN
from pendesk.domain.review import Submission
from pendesk.operations.changes.change_results import ChangedFile, ChangeSummary, change_summary, changed_file
from pendesk.operations.changes.find import Purposes, ShownChange, find_change, purposes, shas_by_path, viewed_files
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import changes, reports, reviews

SubmissionNumber = Annotated[int, Meta(ge=1, le=2**31, description="Of which submission; without it the newest.")]
PartField = Annotated[
    Part, Meta(description="change: from base to head; since: from the head of the submission before.")
]


class GetChange(Input):
    action_id: ActionId
    submission_number: SubmissionNumber | None = None
    part: PartField = "change"


class CommitOfChange(Output):
    sha: str
    subject: str
    criterion_ids: list[str] = []


class ChangeView(Output):
    """change: left out where none was pushed. compares_with: the head that a push now is compared with, so that the
    next reviewer sees what is new. reported_commits: those of the action, the oldest first. moved: the head of the
    submission, where the change is of another.
    """

    ref_code: str
    change: ChangeSummary | None = None
    files: list[ChangedFile] = []
    commits: list[CommitOfChange] = []
    compares_with: str | None = None
    reported_commits: list[str] = []
    moved: str | None = None


def run(call: Call, args: GetChange) -> ChangeView:
    shown = find_change(call, args.action_id, args.submission_number)
    reported = reports.commits_of_action(call.tx, shown.facts.action.id, ACTION_COMMITS_SHOWN)
    view = ChangeView(
        ref_code=shown.facts.ref,
        compares_with=_compares_with(call, shown.submission, shown.previous),
        reported_commits=[commit.sha for commit in reversed(reported)],
    )
    change = shown.change
    if change is None:
        return view
    purpose = purposes(call, change)
    view.change = change_summary(change, shown.number)
    view.files = _files(call, shown, change, args.part, purpose)
    view.commits = [
        CommitOfChange(
            sha=commit.sha, subject=commit.subject, criterion_ids=purpose.criterion_ids_by_sha.get(commit.sha, [])
        )
        for commit in purpose.commits
    ]
    head_sha = shown.submission.head_sha if shown.submission else None
    view.moved = head_sha if head_sha != change.head_sha else None
    return view


def _compares_with(call: Call, newest: Submission | None, previous: Submission | None) -> str | None:
    """The head that was judged last: a submission that waits for its verdict is what a push is for."""
    if newest is None:
        return None
    is_judged = reviews.of_submission(call.tx, newest.id) is not None
    compared = newest if is_judged else previous
    return compared.head_sha if compared else None


def _files(call: Call, shown: ShownChange, change: Change, part: Part, purpose: Purposes) -> list[ChangedFile]:
    whole = changes.files_of(call.tx, change.id)
    files = whole if part == "change" else changes.files_of(call.tx, change.id, part)
    shas = shas_by_path(whole, purpose.commits)
    viewed = viewed_files(call, change, whole)
    earlier = _earlier_digest_by_path(call, shown.previous)
    rows = []
    for file in files:
        row = changed_file(file)
        row.commit_shas = shas.get(file.path, [])
        row.criterion_ids = purpose.criterion_ids(row.commit_shas)
        row.viewed = viewed.has(file)
        row.since_last = _since_last(file, earlier) if earlier is not None and part == "change" else None
        rows.append(row)
    return rows


def _earlier_digest_by_path(call: Call, previous: Submission | None) -> dict[str, str] | None:
    earlier = changes.of_submission(call.tx, previous.id) if previous else None
    return {file.path: file.digest for file in changes.files_of(call.tx, earlier.id)} if earlier else None


def _since_last(file: ChangeFile, earlier_digest_by_path: dict[str, str]) -> str:
    digest = earlier_digest_by_path.get(file.path)
    if digest is None:
        return "new"
    return "same" if digest == file.digest else "changed"


OPERATION = Operation(
    name="get_change",
    title="See a change",
    description=(
        "Which files the branch of an action changes, with how many lines, which commits touch them and which criteria "
        "those are for. get_change_file has the lines. Refused: 404 no such action or submission."
    ),
    input=GetChange,
    output=ChangeView,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
