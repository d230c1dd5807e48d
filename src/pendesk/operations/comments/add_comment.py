"""add_comment: something to say about a document, an action or a spec, or about one passage of a document."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import Comment, find_passage
from pendesk.domain.errors import Advice, BadField
from pendesk.domain.limits import PASSAGE_CHARS, THREAD_COMMENTS
from pendesk.domain.project import check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.comments.comment_events import comment_event
from pendesk.operations.comments.comment_mentions import record_with_mentions
from pendesk.operations.comments.comment_results import CommentResult, comment_results
from pendesk.operations.comments.find import Subject, find_and_lock_subject
from pendesk.operations.fields import CommentedId, IdempotencyKey, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments, mentions, watches

Passage = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=PASSAGE_CHARS,
        pattern=r"\S",
        description="Words of a document's body, copied exactly.",
    ),
]


class AddComment(Input):
    document_id: CommentedId
    body: Annotated[Message, Meta(description="Markdown.")]
    passage: Passage | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: AddComment) -> CommentResult:
    # Locked, so that the passage is looked up in the text that it then stays with.
    subject = find_and_lock_subject(call, args.document_id)
    present = comments.count_of_thread(call.tx, subject.thread)
    check_count_below_limit(
        present,
        THREAD_COMMENTS,
        f"comments on this {subject.thread.kind}",
        "Continue in a new document.",
        (Advice("Continue in a new document: create_document.", ("create_document",)),),
    )
    comment = _new_comment(call, subject, args)
    comments.add(call.tx, comment)
    event = comment_event(call, "comment.added", comment, subject)
    unreached = record_with_mentions(call, event, comment, subject)
    if comment.session_id is None:
        mentions.mark_read_in_thread(call.tx, subject.thread, call.actor.user_id)
        watches.mark_read(call.tx, call.actor.user_id, subject.thread.id)
    return comment_results(call, [comment], unreached)[0]


def _new_comment(call: Call, subject: Subject, args: AddComment) -> Comment:
    document = subject.document
    if args.passage is not None and document is None:
        raise BadField("passage", f"is for documents. Leave it out to comment on the {subject.thread.kind}.")
    place = find_passage(document.body, args.passage) if document and args.passage is not None else None
    return Comment(
        id=new_id(),
        project_id=subject.project_id,
        document_id=document.id if document else None,
        action_id=subject.thread.id if subject.thread.kind == "action" else None,
        spec_id=subject.thread.id if subject.thread.kind == "spec" else None,
        body=args.body,
        passage=document.body[place.start : place.end] if document and place else None,
        passage_start=place.start if place else None,
        passage_lost=0,
        author_id=call.actor.user_id,
        session_id=call.agent_session.id if call.agent_session else None,
        created_at=call.now,
        resolved_by=None,
        resolved_at=None,
    )


OPERATION = Operation(
    name="add_comment",
    title="Comment",
    description=(
        "Comment on a document (or a passage), task or spec, where someone else decides; @name tells them. "
        "Refused: 422 the passage is not in it (copy it from get_document)."
    ),
    input=AddComment,
    output=CommentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
