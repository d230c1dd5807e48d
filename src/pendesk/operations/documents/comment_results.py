"""Comments, as the planning operations tell of them."""

from pendesk.clock import to_iso
from pendesk.domain.comment import Comment
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import people


class CommentText(Output):
    """Written by whoever commented. passage is what it quotes."""

    body: str
    passage: str | None = None


class CommentResult(Output):
    """passageStart counts characters of the document's body; passageLost: the document no longer has the passage."""

    pid: str
    document_id: str
    author: str
    created_at: str
    untrusted: CommentText
    passage_start: int | None = None
    passage_lost: bool = False
    resolved: bool = False
    resolved_by: str | None = None
    resolved_at: str | None = None


def author_and_resolver_name_by_id(call: Call, comments: list[Comment]) -> dict[str, str]:
    ids = {comment.author_id for comment in comments} | {
        comment.resolved_by for comment in comments if comment.resolved_by
    }
    return people.names_by_user_id(call.tx, sorted(ids))


def comment_result(comment: Comment, name_by_user_id: dict[str, str]) -> CommentResult:
    lost = bool(comment.passage_lost)
    return CommentResult(
        pid=comment.id,
        document_id=comment.document_id,
        author=name_by_user_id.get(comment.author_id, ""),
        created_at=to_iso(comment.created_at),
        untrusted=CommentText(body=comment.body, passage=comment.passage),
        passage_start=None if lost else comment.passage_start,
        passage_lost=lost,
        resolved=comment.resolved_at is not None,
        resolved_by=name_by_user_id.get(comment.resolved_by) if comment.resolved_by else None,
        resolved_at=to_iso_or_none(comment.resolved_at),
    )
