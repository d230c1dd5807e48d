"""delete_document: a document with its comments; the documents below it move up."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.documents.find import find_and_lock_document, find_document
from pendesk.operations.fields import DocumentId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import purge


class DeleteDocument(Input):
    document_id: DocumentId


def run(call: Call, args: DeleteDocument) -> Deleted:
    find_and_lock_project(call, find_document(call, args.document_id).project_id)
    document = find_and_lock_document(call, args.document_id)
    purge.delete_document(call.tx, document.id, document.parent_id)
    data = TitledData(title=document.title)
    call.record(Event("document.deleted", document.id, document.project_id, data=data))
    return Deleted(pid=document.id)


OPERATION = Operation(
    name="delete_document",
    title="Delete a document",
    description=(
        "Delete a document with its comments and old revisions; documents below it move up. For people: no token "
        "can do this. Refused: 404 no such document."
    ),
    input=DeleteDocument,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
