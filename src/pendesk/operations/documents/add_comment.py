"""add_comment: something to say about a document, or about one passage of it."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.comment import Comment, find_passage
from pendesk.domain.document import Document
from pendesk.domain.errors import Advice
from pendesk.domain.event import Event
from pendesk.domain.event_data import CommentAddedData
from pendesk.domain.limits import DOCUMENT_COMMENTS, EVENT_TEXT_CHARS, PASSAGE_CHARS
from pendesk.domain.project import check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.documents.comment_results import CommentResult, comment_result
from pendesk.operations.documents.find import find_and_lock_document
from pendesk.operations.fields import DocumentId, IdempotencyKey, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import comments

Passage = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=PASSAGE_CHARS,
        pattern=r"\S",
        description="The words of the body it is about, copied exactly.",
    ),
]


class AddComment(Input):
    document_id: DocumentId
    body: Annotated[Message, Meta(description="Markdown.")]
    passage: Passage | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: AddComment) -> CommentResult:
    # Locked, so that the passage is looked up in the text that it then stays with.
    document = find_and_lock_document(call, args.document_id)
    present = comments.count_of_document(call.tx, document.id)
    check_count_below_limit(
        present,
        DOCUMENT_COMMENTS,
        "comments on this document",
        "Continue in a new document.",
        (Advice("Continue in a new document: create_document.", ("create_document",)),),
    )
    comment = _new_comment(call, document, args)
    comments.add(call.tx, comment)
    data = CommentAddedData(document=document.id, body=comment.body[:EVENT_TEXT_CHARS])
    call.record(Event("comment.added", comment.id, document.project_id, action_id=document.linked_action_id, data=data))
    return comment_result(comment, {call.actor.user_id: call.actor.user_name})


def _new_comment(call: Call, document: Document, args: AddComment) -> Comment:
    place = find_passage(document.body, args.passage) if args.passage is not None else None
    return Comment(
        id=new_id(),
        project_id=document.project_id,
        document_id=document.id,
        body=args.body,
        passage=document.body[place.start : place.end] if place else None,
        passage_start=place.start if place else None,
        passage_lost=0,
        author_id=call.actor.user_id,
        created_at=call.now,
        resolved_by=None,
        resolved_at=None,
    )


OPERATION = Operation(
    name="add_comment",
    title="Comment on a document",
    description=(
        "Comment on a document, or on a passage of it, in your user's name, where someone else decides. Refused: "
        "422 the passage is not in it (copy it from get_document)."
    ),
    input=AddComment,
    output=CommentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
