"""list_documents: the documents of a project, without their bodies."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.document import Document
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.text_ref import TextKind, text_ref_code
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_within_token_limit, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.store import documents


class ListDocuments(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class DocumentRow(Output):
    """ref_code: for people; agents read one whole by its pid."""

    pid: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    status_line: str
    revision: int
    updated_at: str
    ref_code: str | None = None


class Documents(Output):
    documents: list[DocumentRow]
    next_cursor: str | None = None


def run(call: Call, args: ListDocuments) -> Documents:
    project = find_project(call, args.project_id)
    matches = documents.page(call.tx, project.id, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    key = None if is_agent_call(call) else project.key
    page, next_cursor = page_within_token_limit(
        call, matches, lambda document: _to_document_row(document, key), lambda document: document.id
    )
    return Documents(documents=page, next_cursor=next_cursor)


def _to_document_row(document: Document, project_key: str | None) -> DocumentRow:
    return DocumentRow(
        pid=document.id,
        parent_id=document.parent_id,
        linked_task_id=document.linked_action_id,
        title=document.title,
        status_line=document.status_line,
        revision=document.revision,
        updated_at=to_iso(document.updated_at),
        ref_code=text_ref_code(project_key, TextKind.DOCUMENT, document.ref_number) if project_key else None,
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
