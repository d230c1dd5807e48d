"""Comments, as the planning operations tell of them."""

from collections.abc import Sequence

from pendesk.clock import to_iso
from pendesk.domain.access import Scope
from pendesk.domain.comment import Comment, may_delete_comment, may_edit_comment
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import actions, agent_sessions, mentions, people


class CommentText(Output):
    """Written by whoever commented. passage is what it quotes."""

    body: str
    passage: str | None = None


class CommentResult(Output):
    """documentId: of the document, action or spec it is on. passageStart counts characters of the document's body."""

    pid: str
    document_id: str
    author: str
    created_at: str
    untrusted: CommentText
    on: str = "document"
    ref_code: str | None = None
    agent: str | None = None
    edited_at: str | None = None
    passage_start: int | None = None
    passage_lost: bool = False
    resolved: bool = False
    resolved_by: str | None = None
    resolved_at: str | None = None
    deleted_by: str | None = None
    deleted_at: str | None = None
    mentions: list[str] = []
    advisory: str | None = None
    may_edit: bool = False
    may_delete: bool = False


class Names:
    """Of people, agents and actions, read at once."""

    def __init__(self, call: Call, comments: list[Comment]) -> None:
        ids = {
            user_id
            for comment in comments
            for user_id in (comment.author_id, comment.resolved_by, comment.deleted_by)
            if user_id
        }
        self.name_by_user_id = people.names_by_user_id(call.tx, sorted(ids))
        self.label_by_session_id = agent_sessions.labels_by_id(call.tx, [comment.session_id for comment in comments])
        action_ids = sorted({comment.action_id for comment in comments if comment.action_id})
        self.mentions_by_comment_id = mentions.by_comment_id(call.tx, [comment.id for comment in comments])
        self.ref_by_action_id = actions.ref_code_by_id(call.tx, action_ids) if action_ids else {}

    def user(self, user_id: str | None) -> str | None:
        return self.name_by_user_id.get(user_id) if user_id else None


def comment_results(call: Call, comments: list[Comment], advisories: Sequence[str] = ()) -> list[CommentResult]:
    names = Names(call, comments)
    results = [comment_result(call, comment, names) for comment in comments]
    for result in results:
        result.advisory = " ".join(advisories) or None
    return results


def comment_result(call: Call, comment: Comment, names: Names) -> CommentResult:
    lost = bool(comment.passage_lost)
    # By people with their own hands: no token edits or deletes.
    is_changeable = comment.deleted_at is None and Scope.PERSON in call.actor.scopes
    return CommentResult(
        pid=comment.id,
        document_id=comment.thread.id,
        on=comment.thread.kind,
        ref_code=names.ref_by_action_id.get(comment.action_id) if comment.action_id else None,
        author=names.user(comment.author_id) or "",
        agent=names.label_by_session_id.get(comment.session_id) if comment.session_id else None,
        created_at=to_iso(comment.created_at),
        edited_at=to_iso_or_none(comment.edited_at),
        untrusted=CommentText(body=comment.body, passage=comment.passage),
        passage_start=None if lost else comment.passage_start,
        passage_lost=lost,
        resolved=comment.resolved_at is not None,
        resolved_by=names.user(comment.resolved_by),
        resolved_at=to_iso_or_none(comment.resolved_at),
        deleted_by=names.user(comment.deleted_by),
        deleted_at=to_iso_or_none(comment.deleted_at),
        mentions=[row.name for row in names.mentions_by_comment_id.get(comment.id, [])],
        may_edit=is_changeable and may_edit_comment(comment, call.actor.user_id),
        may_delete=is_changeable and may_delete_comment(comment, call.actor.user_id, call.actor.role),
    )
