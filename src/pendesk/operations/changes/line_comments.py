"""What reviewers said about the lines of a file, at the place where those lines are in the change that is shown."""

from pendesk.clock import to_iso
from pendesk.domain.change import ChangeFile, FilePatch
from pendesk.domain.limits import ACTION_SUBMISSIONS_SHOWN
from pendesk.domain.line_anchor import LineRange, locate_quote, sha_in_note
from pendesk.domain.review import Disposition, ItemKind, Review, ReviewItem, Submission
from pendesk.operations.operation import Call, Output
from pendesk.store import people, reviews


class LineComment(Output):
    """kind: request or remark. sha: the commit that the agent says fixes it. outdated: its lines are no longer in this
    file; elsewhere: they are, but not in this part of the change. line and end_line are then where they were.
    """

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


def line_comments(
    call: Call, action_id: str, shown: Submission, file: ChangeFile, patch: FilePatch, whole: FilePatch | None
) -> list[LineComment]:
    """Of the reviews up to the submission that is shown, the oldest first. `whole`: what the whole change does to the
    file, where `patch` is another part of it.
    """
    submissions = reviews.submissions_of(call.tx, action_id, ACTION_SUBMISSIONS_SHOWN)
    number_by_id = {submission.id: submission.number for submission in submissions}
    past = [
        review
        for review in reviews.reviews_of(call.tx, action_id, ACTION_SUBMISSIONS_SHOWN)
        if number_by_id.get(review.submission_id, shown.number + 1) <= shown.number
    ]
    names = people.names_by_user_id(call.tx, [review.reviewed_by for review in past])
    return [
        _line_comment(item, review, number_by_id[review.submission_id], names.get(review.reviewed_by, ""), patch, whole)
        for review in reversed(past)
        for item in reviews.items_of(call.tx, review.id)
        if item.path is not None and item.path in (file.path, file.old_path)
    ]


def _line_comment(
    item: ReviewItem, review: Review, number: int, by: str, patch: FilePatch, whole: FilePatch | None
) -> LineComment:
    assert item.side is not None
    assert item.line is not None
    then = LineRange(item.side, item.line, item.end_line or item.line)
    now = locate_quote(patch, then, item.quote or "")
    is_elsewhere = now is None and whole is not None and locate_quote(whole, then, item.quote or "") is not None
    side, line, end_line = now or then
    return LineComment(
        item_id=item.id,
        kind=item.kind or ItemKind.REQUEST,
        text=item.text,
        by=by,
        at=to_iso(review.reviewed_at),
        submission_number=number,
        side=side,
        line=line,
        end_line=end_line,
        quote=item.quote or "",
        disposition=item.disposition,
        note=item.disposition_note,
        sha=sha_in_note(item.disposition_note) if item.disposition == Disposition.FIXED else None,
        outdated=now is None and not is_elsewhere,
        elsewhere=is_elsewhere,
    )
