"""get_document: one document, whole."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.documents.find import find_document
from pendesk.operations.documents.results import DocumentResult, document_result
from pendesk.operations.fields import DocumentId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.truncate import RestField


class GetDocument(Input):
    document_id: DocumentId
    rest: RestField | None = None


def run(call: Call, args: GetDocument) -> DocumentResult:
    return truncate_for_agent_or_read_rest(
        call, document_result(call, find_document(call, args.document_id)), args.rest, body=""
    )


OPERATION = Operation(
    name="get_document",
    title="Read a document",
    description="One document with its Markdown body and revision. list_comments has what people say about it.",
    input=GetDocument,
    output=DocumentResult,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
