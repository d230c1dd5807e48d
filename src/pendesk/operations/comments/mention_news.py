"""What an agent reads of a comment that mentions it: as the comment is now, and nothing of one that is gone."""

from typing import NamedTuple

from pendesk.domain.access import Scope, has_scope
from pendesk.domain.comment import Comment
from pendesk.domain.limits import NEWS_CHARS
from pendesk.operations.comments.comment_results import CommentText, Names
from pendesk.operations.operation import Call
from pendesk.store import comments, documents, specs


class MentionNews(NamedTuple):
    text: str
    words: CommentText


def mention_news(call: Call, comment_id: str) -> MentionNews | None:
    comment = comments.by_id(call.tx, comment_id)
    if comment is None or comment.deleted_at is not None:
        return None
    names = Names(call, [comment])
    author = names.user(comment.author_id) or "Somebody"
    agent = names.label_by_session_id.get(comment.session_id or "")
    who = f"{agent} for {author}" if agent else author
    answer = ""
    if has_scope(call.actor, Scope.DESK_WRITE):
        answer = (
            f" Answer with add_comment, document_id {names.ref_by_action_id.get(comment.thread.id, comment.thread.id)}."
        )
    text = f"{who} mentioned you in a comment on {_subject_name(call, comment, names)}: see untrusted.{answer}"
    return MentionNews(text, CommentText(body=comment.body[:NEWS_CHARS], passage=comment.passage))


def _subject_name(call: Call, comment: Comment, names: Names) -> str:
    thread = comment.thread
    if thread.kind == "action":
        return names.ref_by_action_id.get(thread.id, "an action")
    titled = specs.by_id(call.tx, thread.id) if thread.kind == "spec" else documents.by_id(call.tx, thread.id)
    return f"the {thread.kind} {titled.title}" if titled else f"a {thread.kind}"
