"""get_document: one document, whole."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.fields import DocumentId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.planning.find import find_document
from pendesk.operations.planning.results import DocumentResult, document_result


class GetDocument(Input):
    document_id: DocumentId


def run(call: Call, asked: GetDocument) -> DocumentResult:
    return document_result(find_document(call, asked.document_id))


OPERATION = Operation(
    name="get_document",
    title="Read a document",
    description=(
        "One document with its Markdown body and its revision, which update_document takes as expected_revision. "
        "Refused: 404 no such document."
    ),
    input=GetDocument,
    output=DocumentResult,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
