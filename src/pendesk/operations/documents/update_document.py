"""update_document: its title, body and status line."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.revision import check_replaced_text_was_read
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.comments.comment_anchors import reanchor_comments_and_list_lost_ids
from pendesk.operations.documents.find import find_and_lock_document
from pendesk.operations.documents.results import DocumentResult, document_result
from pendesk.operations.fields import DocumentId, ExpectedRevision, IdempotencyKey, StatusLine, Text, Title
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects import search_index
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import documents


class UpdateDocument(Input):
    document_id: DocumentId
    title: Title | None = None
    body: Annotated[Text, Meta(description="The whole new text; Markdown.")] | None = None
    status_line: StatusLine | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateDocument) -> DocumentResult:
    check_replaced_text_was_read(args.body, args.expected_revision, "get_document")
    return truncate_echoed_field_for_agent(call, update_document(call, args), "body")


def update_document(call: Call, args: UpdateDocument) -> DocumentResult:
    document = find_and_lock_document(call, args.document_id)
    changes = {"title": args.title, "body": args.body, "statusLine": args.status_line}
    present = revision_content.document_content(document)
    edit = edits.apply_edit_and_add_revision(
        call, document.id, document.revision, present, changes, args.expected_revision
    )
    if edit.changed:
        lost = reanchor_comments_and_list_lost_ids(call, document.id, document.body, edit.content["body"])
        document = document._replace(
            title=edit.content["title"],
            body=edit.content["body"],
            status_line=edit.content["statusLine"],
            revision=edit.revision,
            updated_at=call.now,
        )
        documents.update(call.tx, document)
        search_index.index_document(call, document)
        linked = document.linked_action_id
        event_data = edit.event_data | ({"commentsLost": lost} if lost else {})
        call.record(Event("document.edited", document.id, document.project_id, action_id=linked, data=event_data))
    return document_result(call, document)


OPERATION = Operation(
    name="update_document",
    title="Edit a document",
    description=(
        "Change a document; leave out what stays. body replaces the whole text and needs expected_revision. "
        "Refused: 409 changed since (has the present text: merge, send again)."
    ),
    input=UpdateDocument,
    output=DocumentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
