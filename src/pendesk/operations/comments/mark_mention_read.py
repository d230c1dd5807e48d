"""mark_mention_read: a person has read where they were mentioned."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.comments.find import find_and_lock_comment
from pendesk.operations.fields import CommentId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import mentions


class MarkMentionRead(Input):
    comment_id: CommentId


class MentionRead(Output):
    comment_id: str


def run(call: Call, args: MarkMentionRead) -> MentionRead:
    """Not an event: nobody but the caller sees it."""
    comment = find_and_lock_comment(call, args.comment_id)
    mentions.mark_read(call.tx, comment.id, call.actor.user_id)
    return MentionRead(comment_id=comment.id)


OPERATION = Operation(
    name="mark_mention_read",
    title="Mark a mention as read",
    description=(
        "Take a comment that mentions you out of your inbox. Answering in its thread does the same. For people: no "
        "token can do this. Refused: 404 no such comment."
    ),
    input=MarkMentionRead,
    output=MentionRead,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
