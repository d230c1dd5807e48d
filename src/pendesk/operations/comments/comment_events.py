"""What the log says of comments. Its readers are those of the record that is commented on."""

from pendesk.domain.comment import Comment
from pendesk.domain.event import Event, EventKind
from pendesk.domain.event_data import CommentData
from pendesk.domain.limits import EVENT_TEXT_CHARS
from pendesk.operations.comments.find import Subject, find_subject
from pendesk.operations.operation import Call


def comment_event(call: Call, kind: EventKind, comment: Comment, subject: Subject | None = None) -> Event:
    """`subject`: what it is on, where that has been read already."""
    on = subject or find_subject(call, comment.thread.id)
    is_said = kind in ("comment.added", "comment.edited")
    data = CommentData(
        document=comment.document_id,
        on=None if on.thread.kind == "document" else on.thread.kind,
        body=comment.body[:EVENT_TEXT_CHARS] if is_said else None,
        author_id=comment.author_id if kind == "comment.deleted" else None,
    )
    return Event(kind, comment.id, on.project_id, on.spec_id, on.action_id, data)
