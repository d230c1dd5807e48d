"""resolve_comment: what it asked for is settled."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import check_comment_is_unresolved
from pendesk.domain.event import Event
from pendesk.operations.documents.comment_results import CommentResult, author_and_resolver_name_by_id, comment_result
from pendesk.operations.documents.find import find_and_lock_comment
from pendesk.operations.fields import CommentId, IdempotencyKey
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments


class ResolveComment(Input):
    comment_id: CommentId
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ResolveComment) -> CommentResult:
    comment = find_and_lock_comment(call, args.comment_id)
    names = author_and_resolver_name_by_id(call, [comment])
    check_comment_is_unresolved(comment, names.get(comment.resolved_by or "", ""))
    comments.resolve(call.tx, comment.id, call.actor.user_id)
    event_data: dict[str, object] = {"document": comment.document_id}
    call.record(Event("comment.resolved", comment.id, comment.project_id, data=event_data))
    resolved = comment._replace(resolved_by=call.actor.user_id, resolved_at=call.now)
    return comment_result(resolved, names | {call.actor.user_id: call.actor.user_name})


OPERATION = Operation(
    name="resolve_comment",
    title="Resolve a comment",
    description=(
        "Mark a comment as resolved once the document answers it or someone decided. Refused: 422 resolved already."
    ),
    input=ResolveComment,
    output=CommentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
