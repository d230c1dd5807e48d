"""resolve_comment: what it asked for is settled."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import check_comment_is_unresolved
from pendesk.operations.comments.comment_events import comment_event
from pendesk.operations.comments.comment_results import CommentResult, comment_results
from pendesk.operations.comments.find import find_and_lock_comment
from pendesk.operations.fields import CommentId, IdempotencyKey
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments, people


class ResolveComment(Input):
    comment_id: CommentId
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ResolveComment) -> CommentResult:
    comment = find_and_lock_comment(call, args.comment_id)
    resolver_id = comment.resolved_by or ""
    check_comment_is_unresolved(comment, people.names_by_user_id(call.tx, [resolver_id]).get(resolver_id, ""))
    comments.resolve(call.tx, comment.id, call.actor.user_id)
    call.record(comment_event(call, "comment.resolved", comment))
    resolved = comment._replace(resolved_by=call.actor.user_id, resolved_at=call.now)
    return comment_results(call, [resolved])[0]


OPERATION = Operation(
    name="resolve_comment",
    title="Resolve a comment",
    description=("Mark a comment as resolved once it is answered or decided. Refused: 422 resolved already."),
    input=ResolveComment,
    output=CommentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
