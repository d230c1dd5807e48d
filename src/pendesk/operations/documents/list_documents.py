"""list_documents: the documents of a project, without their bodies."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Document
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_within_token_limit, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.store import documents


class ListDocuments(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class DocumentRow(Output):
    pid: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    status_line: str
    revision: int
    updated_at: str


class Documents(Output):
    documents: list[DocumentRow]
    next_cursor: str | None = None


def run(call: Call, args: ListDocuments) -> Documents:
    project = find_project(call, args.project_id)
    matches = documents.page(call.tx, project.id, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_within_token_limit(call, matches, _to_document_row, lambda document: document.id)
    return Documents(documents=page, next_cursor=next_cursor)


def _to_document_row(document: Document) -> DocumentRow:
    return DocumentRow(
        pid=document.id,
        parent_id=document.parent_id,
        linked_task_id=document.linked_action_id,
        title=document.title,
        status_line=document.status_line,
        revision=document.revision,
        updated_at=to_iso(document.updated_at),
    )


OPERATION = Operation(
    name="list_documents",
    title="List documents",
    description=("The documents of a project, oldest first, without bodies. Read them before you plan."),
    input=ListDocuments,
    output=Documents,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
