"""move_document: to stand below another document, or at the top."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Document, check_can_be_moved_under
from pendesk.domain.event import Event
from pendesk.domain.event_data import DocumentMovedData
from pendesk.domain.limits import DOCUMENT_DEPTH
from pendesk.operations.agent_answers import truncate_echoed_field_for_agent
from pendesk.operations.documents.find import find_and_lock_document, find_document
from pendesk.operations.documents.results import DocumentResult, document_result
from pendesk.operations.fields import DocumentId, IdempotencyKey, IdentOrNone
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import documents


class MoveDocument(Input):
    document_id: DocumentId
    parent_id: Annotated[IdentOrNone, Meta(description="Its new parent document; empty: at the top.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: MoveDocument) -> DocumentResult:
    # Two moves at once could make a ring of which each alone is fine: they run one after the other.
    find_and_lock_project(call, find_document(call, args.document_id).project_id)
    document = find_and_lock_document(call, args.document_id)
    parent = find_document(call, args.parent_id) if args.parent_id else None
    if parent is not None:
        check_can_be_moved_under(document, _parent_and_ancestors(call, parent))
    parent_id = parent.id if parent else None
    if parent_id != document.parent_id:
        documents.set_parent(call.tx, document.id, parent_id)
        data = DocumentMovedData(before=document.parent_id, after=parent_id, title=document.title)
        call.record(Event("document.moved", document.id, document.project_id, data=data))
        document = document._replace(parent_id=parent_id, updated_at=call.now)
    return truncate_echoed_field_for_agent(call, document_result(call, document), "body")


def _parent_and_ancestors(call: Call, parent: Document) -> list[Document]:
    """The new parent and all above it, nearest first."""
    ancestors = [parent]
    while ancestors[-1].parent_id is not None and len(ancestors) <= DOCUMENT_DEPTH:
        above = documents.by_id(call.tx, ancestors[-1].parent_id)
        if above is None:
            break
        ancestors.append(above)
    return ancestors


OPERATION = Operation(
    name="move_document",
    title="Move a document",
    description=(
        "Put a document below another one of its project, or at the top; what is below it moves along. Its text and "
        "comments stay as they are. Refused: 404 no such document, 422 the parent is of another project, is the "
        "document itself or stands below it, or the tree would get too deep."
    ),
    input=MoveDocument,
    output=DocumentResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
