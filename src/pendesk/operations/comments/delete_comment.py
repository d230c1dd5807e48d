"""delete_comment: by its author, or by an admin. That somebody said something stays to be seen, what they said goes."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import check_may_delete_comment
from pendesk.operations.comments.comment_events import comment_event
from pendesk.operations.comments.find import find_and_lock_comment
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import CommentId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments, mentions


class DeleteComment(Input):
    comment_id: CommentId


def run(call: Call, args: DeleteComment) -> Deleted:
    comment = find_and_lock_comment(call, args.comment_id)
    check_may_delete_comment(comment, call.actor.user_id, call.actor.role)
    mentions.remove_all(call.tx, comment.id)
    comments.delete_words(call.tx, comment.id, call.actor.user_id)
    call.record(comment_event(call, "comment.deleted", comment))
    return Deleted(pid=comment.id)


OPERATION = Operation(
    name="delete_comment",
    title="Delete a comment",
    description=(
        "Delete the words of a comment of your own, or of one of your agents; admins delete any. Who wrote and who "
        "deleted it stays to be seen. For people: no token can do this. Refused: 404 no such comment, or deleted "
        "already, 403 it is another's (resolve it instead)."
    ),
    input=DeleteComment,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
