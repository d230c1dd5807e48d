"""delete_comment: by its author, or by an admin."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_may_delete_comment
from pendesk.domain.event import Event
from pendesk.operations.deleted import Deleted
from pendesk.operations.documents.find import find_and_lock_comment
from pendesk.operations.fields import CommentId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import purge


class DeleteComment(Input):
    comment_id: CommentId


def run(call: Call, args: DeleteComment) -> Deleted:
    comment = find_and_lock_comment(call, args.comment_id)
    check_may_delete_comment(call.actor.user_id, comment.author_id, call.actor.role)
    purge.delete_row_and_revisions(call.tx, "comments", comment.id)
    event_data: dict[str, object] = {"documentId": comment.document_id, "authorId": comment.author_id}
    call.record(Event("comment.deleted", comment.id, comment.project_id, data=event_data))
    return Deleted(pid=comment.id)


OPERATION = Operation(
    name="delete_comment",
    title="Delete a comment",
    description=(
        "Delete a comment of your own; admins delete any. For people: no token can do this. Refused: 404 no such "
        "comment, 403 it is another's (resolve it instead)."
    ),
    input=DeleteComment,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
