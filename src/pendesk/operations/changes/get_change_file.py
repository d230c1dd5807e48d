"""get_change_file: the hunks of one file of a change, with what was said about its lines."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.change import ChangeFile, FilePatch, Hunk
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import CHANGE_FILES
from pendesk.operations.changes.change_results import ChangedFile, changed_file
from pendesk.operations.changes.find import Purposes, ShownChange, find_change, purposes, shas_by_path, viewed_files
from pendesk.operations.changes.get_change import PartField, SubmissionNumber
from pendesk.operations.changes.line_comments import LineComment, line_comments
from pendesk.operations.changes.patches import read_patch
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import changes


class GetChangeFile(Input):
    action_id: ActionId
    position: Annotated[int, Meta(ge=0, le=CHANGE_FILES, description="Its place in get_change's files.")]
    submission_number: SubmissionNumber | None = None
    part: PartField = "change"


class HunkRow(Output):
    """lines: each begins with a blank, + or -, as in a unified diff. commit_shas: the commits that its lines are from;
    criterion_ids: what those are for.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: str
    lines: list[str]
    commit_shas: list[str] = []
    criterion_ids: list[str] = []


class FileOfChange(ChangedFile, kw_only=True):
    hunks: list[HunkRow]
    comments: list[LineComment] = []


def run(call: Call, args: GetChangeFile) -> FileOfChange:
    shown = find_change(call, args.action_id, args.submission_number)
    change = shown.change
    file = changes.file_at(call.tx, change.id, args.part, args.position) if change else None
    if change is None or file is None:
        raise NotFound("file of the change", str(args.position))
    patch = read_patch(call, change, file)
    purpose = purposes(call, change)
    whole = changes.files_of(call.tx, change.id)
    shas = shas_by_path(whole, purpose.commits).get(file.path, [])
    row = changed_file(file)
    row.viewed = viewed_files(call, change, whole).has(file)
    row.commit_shas = shas
    row.criterion_ids = purpose.criterion_ids(shas)
    return FileOfChange(
        **{name: getattr(row, name) for name in row.__struct_fields__},
        hunks=[_hunk_row(hunk, patch, shas, purpose) for hunk in patch.hunks],
        comments=_comments(call, shown, file, patch, whole),
    )


def _comments(
    call: Call, shown: ShownChange, file: ChangeFile, patch: FilePatch, whole: list[ChangeFile]
) -> list[LineComment]:
    if shown.submission is None or shown.change is None:
        return []
    all_of_file = next((entry for entry in whole if entry.path == file.path), None) if file.part == "since" else None
    whole_patch = read_patch(call, shown.change, all_of_file) if all_of_file else None
    return line_comments(call, shown.facts.action.id, shown.submission, file, patch, whole_patch)


def _hunk_row(hunk: Hunk, patch: FilePatch, shas_of_file: list[str], purpose: Purposes) -> HunkRow:
    shas = _shas_of_hunk(hunk, patch, purpose) or shas_of_file
    return HunkRow(
        old_start=hunk.old_start,
        old_count=hunk.old_count,
        new_start=hunk.new_start,
        new_count=hunk.new_count,
        heading=hunk.heading,
        lines=hunk.lines,
        commit_shas=shas,
        criterion_ids=purpose.criterion_ids(shas),
    )


def _shas_of_hunk(hunk: Hunk, patch: FilePatch, purpose: Purposes) -> list[str]:
    """Empty where nobody said whose its lines are, or where it only removes some."""
    end = hunk.new_start + hunk.new_count
    places = sorted({place for first, count, place in patch.blame if first < end and first + count > hunk.new_start})
    return [purpose.commits[place].sha for place in places if place < len(purpose.commits)]


OPERATION = Operation(
    name="get_change_file",
    title="See a file of a change",
    description=(
        "The hunks of one file of a change, each with its commits and criteria, and the comments that reviewers made "
        "on its lines with what was done about them. Refused: 404 no such action, submission or file."
    ),
    input=GetChangeFile,
    output=FileOfChange,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
