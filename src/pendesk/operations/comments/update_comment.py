"""update_comment: other words for what one wrote oneself."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import check_may_edit_comment
from pendesk.operations.comments.comment_events import comment_event
from pendesk.operations.comments.comment_mentions import record_with_mentions
from pendesk.operations.comments.comment_results import CommentResult, comment_results
from pendesk.operations.comments.find import find_and_lock_comment, find_subject
from pendesk.operations.fields import CommentId, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments


class UpdateComment(Input):
    comment_id: CommentId
    body: Annotated[Message, Meta(description="Markdown.")]


def run(call: Call, args: UpdateComment) -> CommentResult:
    comment = find_and_lock_comment(call, args.comment_id)
    check_may_edit_comment(comment, call.actor.user_id)
    edited = comment._replace(body=args.body, edited_at=call.now)
    if args.body == comment.body:
        return comment_results(call, [comment])[0]
    comments.edit(call.tx, comment.id, args.body)
    subject = find_subject(call, comment.thread.id)
    unreached = record_with_mentions(call, comment_event(call, "comment.edited", edited, subject), edited, subject)
    return comment_results(call, [edited], unreached)[0]


OPERATION = Operation(
    name="update_comment",
    title="Edit a comment",
    description=(
        "Edit a comment that you wrote yourself; it is marked as edited. For people: no token can do this. Refused: "
        "404 no such comment, or it was deleted, 403 it is another's, or one of your agents wrote it."
    ),
    input=UpdateComment,
    output=CommentResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
